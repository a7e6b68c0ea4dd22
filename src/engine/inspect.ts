/** Looking into a log: the life of an order or a position, why something happened, and how things stood. */

import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Command } from '../events/command.ts'
import type { CausedBy, Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { Reader } from '../projections/reader.ts'
import type { Price } from '../quantity/units.ts'
import { Folded } from './fold.ts'

type Log = () => AsyncIterable<readonly Commit[]>

/** One event of a life, with the input that caused it. */
export interface LifeEvent {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  /** Who caused it; null where nobody in particular did (K10). */
  readonly by: CausedBy | null
  readonly command: Command
  readonly event: Event
}

/**
 * Every event that names an order or a position, oldest first; empty for an id that is nowhere in the log.
 *
 * ```ts
 * const life = await lifeOf(log, position.id)
 * life.map(({ event }) => event.type).join() // → increasePosition
 * ```
 */
export async function lifeOf(log: Log, id: string): Promise<LifeEvent[]> {
  const life: LifeEvent[] = []
  for await (const run of log())
    for (const { seq, at, by = null, command, events } of run)
      for (const event of events) if (isAbout(event, id)) life.push({ seq, at, by, command, event })
  return life
}

function isAbout(event: Event, id: string): boolean {
  return idsOf(event).includes(id)
}

/** The orders and positions an event is about. */
function idsOf(event: Event): string[] {
  const ids: string[] = []
  if ('orderId' in event) ids.push(event.orderId)
  if ('positionId' in event && event.positionId !== null) ids.push(event.positionId)
  return ids
}

/** A link of a causal chain: what happened, and what that did to the order or position asked about. */
export interface Cause {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  /** `tick`: the price moved; `time`: the clock did; `request`: somebody asked; the rest follow from these. */
  readonly kind: 'tick' | 'time' | 'request' | 'trigger' | 'fill' | 'margin' | 'order'
  /** Who caused the input; null where nobody in particular did (K10). */
  readonly by: CausedBy | null
  readonly command: Command
  /** The event of the link; null where the input itself is the link. */
  readonly event: Event | null
  /** On a tick: the market's index price before it. */
  readonly priceBefore: Price | null
}

/**
 * Why an order or position became what it is, oldest first: for each event of its life the input that caused it (tick,
 * time or request), the order that fired, the fill and the margin it moved; and before it the same for the orders it
 * came from.
 *
 * ```ts
 * const causes = await whyOf(log, position.id)
 * causes.length // → 4
 * ```
 */
export async function whyOf(log: Log, id: string): Promise<Cause[]> {
  const involved = await origins(log, id)
  const causes: Cause[] = []
  const prices = new Map<string, Price>()
  for await (const run of log())
    for (const commit of run) {
      const events = commit.events.filter((event) => idsOf(event).some((about) => involved.has(about)))
      if (events.length > 0) causes.push(...causesOf(commit, events, prices))
      for (const event of commit.events)
        if (event.type === 'priceUpdated' || event.type === 'marketListed')
          prices.set(event.marketId, event.indexPrice)
    }
  return causes
}

/** The id itself, the orders its events name, and the orders those were spawned from or replaced. */
async function origins(log: Log, id: string): Promise<Set<string>> {
  const involved = new Set([id])
  for (let before = 0; before < involved.size; ) {
    before = involved.size
    for await (const run of log())
      for (const { events } of run) for (const event of events) addOrigins(event, id, involved)
  }
  return involved
}

function addOrigins(event: Event, id: string, involved: Set<string>): void {
  if ('orderId' in event && 'positionId' in event && event.positionId === id && event.type !== 'orderPlaced')
    involved.add(event.orderId)
  if (event.type === 'orderPlaced' && involved.has(event.orderId) && event.parentOrderId !== null)
    involved.add(event.parentOrderId)
  if (event.type === 'orderReplaced' && involved.has(event.replacementId)) involved.add(event.orderId)
}

function causesOf(
  { seq, at, by, command }: Commit,
  events: readonly Event[],
  prices: ReadonlyMap<string, Price>,
): Cause[] {
  const priceBefore = command.type === 'updatePrice' ? (prices.get(command.marketId) ?? null) : null
  const link = (kind: Cause['kind'], event: Event | null): Cause => ({
    seq,
    at,
    kind,
    by: by ?? null,
    command,
    event,
    priceBefore: event === null ? priceBefore : null,
  })
  const input = command.type === 'updatePrice' ? 'tick' : command.type === 'advanceTime' ? 'time' : 'request'
  return [link(input, null), ...events.map((event) => link(kindOf(event, input), event))]
}

function kindOf(event: Event, input: 'tick' | 'time' | 'request'): Cause['kind'] {
  switch (event.type) {
    case 'orderExecuted':
      return input === 'tick' ? 'trigger' : 'order'
    case 'increasePosition':
    case 'closePosition':
    case 'liquidate':
    case 'forceClose':
      return 'fill'
    case 'addMargin':
    case 'removeMargin':
    case 'payFunding':
      return 'margin'
    default:
      return 'order'
  }
}

/** How things stood: after a commit, or at an instant. */
export interface Moment {
  /** Sequence of the commit. */
  readonly seq: number
  /** Engine time of the commit, epoch ms. */
  readonly at: number
  readonly read: Reader
}

/**
 * Folds a log up to commit `seq`, or up to the last commit at or before the instant `at`, epoch ms.
 *
 * ```ts
 * const moment = await asOf(log, { at })
 * moment.read.activePositions(ALICE).length // → 1
 * ```
 *
 * @throws RangeError where the log does not reach the commit, or begins after the instant.
 */
export async function asOf(
  log: Log,
  until: { readonly seq: number } | { readonly at: number },
): Promise<Moment> {
  const folded = new Folded((world) => new LevelTriggers(world))
  const moment = () => ({ seq: folded.world.seq, at: folded.world.now, read: folded.read })
  for await (const run of log())
    for (const commit of run) {
      if ('at' in until && commit.at > until.at) return checked(moment(), until)
      folded.fold(commit)
      if ('seq' in until && commit.seq === until.seq) return moment()
    }
  return checked(moment(), until)
}

function checked(moment: Moment, until: { readonly seq: number } | { readonly at: number }): Moment {
  if ('seq' in until) throw new RangeError(`the log ends at commit ${moment.seq}`)
  if (moment.seq === 0) throw new RangeError('the log begins later')
  return moment
}
