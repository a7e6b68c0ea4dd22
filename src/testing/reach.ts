/** What a suite of runs has reached: without this, green runs say little. */

import type { Event } from '../events/event.ts'
import { ERRORS, EXECUTION_ERRORS } from '../terms/errors.ts'
import type { CommandObservation, EventObservation } from './law.ts'
import type { Witness } from './lawful.ts'
import { isRealizing } from './laws/profitCap.ts'
import type { Model } from './model.ts'
import { equity, floors } from './modelAccount.ts'
import { liquidatable } from './modelLevel.ts'
import { ORDER_TRANSITIONS, POSITION_TRANSITIONS } from './transitions.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

/** Both sides of every window, each a millisecond or a unit apart. */
export const EDGES = [
  'profit window, 59,999 ms',
  'profit window, 60,000 ms',
  'scalping window, last ms',
  'scalping window, over',
  'price age, last ms',
  'price age, stale',
  'funding instant, 1 ms before',
  'funding instant, at it',
  'UTC day, last ms',
  'UTC day, first ms',
  'idempotency hour, last ms',
  'idempotency hour, over',
  'liquidation, at the level',
  'liquidation, one unit short',
  'drawdown, one unit below the floor',
  'drawdown, at the floor',
] as const

type Edge = (typeof EDGES)[number]

/** What was counted, as data: another process can send it. */
export type ReachCounts = Pick<
  Reach,
  'runs' | 'commands' | 'accepted' | 'runsWith' | 'codes' | 'errorCodes' | 'events' | 'transitions' | 'edges'
>

/**
 * Counts over any number of runs. One `witness()` per run.
 *
 * ```ts
 * const reach = new Reach()
 * const fresh = createEngine(venue())
 * const history = []
 * for await (const commit of fresh.commits({ from: 1 })) history.push(commit)
 * const watched = lawful(fresh, history, { witness: reach.witness() })
 * watched.dispatch({ type: 'advanceTime' }, { at: fresh.now + 1_000 })
 * reach.commands // → 1
 * ```
 */
export class Reach {
  /** Runs that were watched. */
  runs = 0
  /** Commands that were given. */
  commands = 0
  /** Those of them that were accepted. */
  accepted = 0
  /** How many runs came upon each at least once. */
  readonly runsWith = { liquidation: 0, trigger: 0, capped: 0, breach: 0, promotion: 0 }
  /** Rejections by code. */
  readonly codes = new Map<string, number>()
  /** Orders that failed when their turn came, by code. */
  readonly errorCodes = new Map<string, number>()
  /** Events by type. */
  readonly events = new Map<string, number>()
  /** By the transition, `active → executed limit`. */
  readonly transitions = new Map<string, number>()
  /** How often each side of a window was met. */
  readonly edges = new Map<Edge, number>()

  counts(): ReachCounts {
    const { runs, commands, accepted, runsWith, codes, errorCodes, events, transitions, edges } = this
    return { runs, commands, accepted, runsWith, codes, errorCodes, events, transitions, edges }
  }

  /** Adds what was counted elsewhere. */
  add(counts: ReachCounts): void {
    this.runs += counts.runs
    this.commands += counts.commands
    this.accepted += counts.accepted
    for (const what of Object.keys(this.runsWith) as (keyof Reach['runsWith'])[])
      this.runsWith[what] += counts.runsWith[what]
    addTo(this.codes, counts.codes)
    addTo(this.errorCodes, counts.errorCodes)
    addTo(this.events, counts.events)
    addTo(this.transitions, counts.transitions)
    addTo(this.edges, counts.edges)
  }

  witness(): Witness {
    this.runs += 1
    const seen = new Set<keyof Reach['runsWith']>()
    const see = (what: keyof Reach['runsWith']) => {
      if (seen.has(what)) return
      seen.add(what)
      this.runsWith[what] += 1
    }
    let ticking = false
    const keyed = new Map<string, number>()
    return {
      beforeEvent: (observation) => {
        const { event } = observation
        count(this.events, event.type)
        this.#countTransition(observation)
        for (const edge of eventEdges(observation)) count(this.edges, edge)
        if (event.type === 'priceUpdated' || observation.commit.events[0] === event)
          ticking = event.type === 'priceUpdated'
        if (event.type === 'liquidate') see('liquidation')
        if (event.type === 'accountStopped' && event.breach !== null) see('breach')
        if (event.type === 'accountPromoted') see('promotion')
        if (isRealizing(event) && event.pnl !== event.rawPnl) see('capped')
        if (event.type === 'orderFailed') count(this.errorCodes, event.errorCode)
        if (ticking && isTriggered(observation)) see('trigger')
      },
      afterCommand: (observation) => {
        this.commands += 1
        if (observation.outcome.ok) this.accepted += 1
        else count(this.codes, observation.outcome.error.code)
        for (const edge of commandEdges(observation)) count(this.edges, edge)
        for (const edge of keyEdges(observation, keyed)) count(this.edges, edge)
      },
    }
  }

  /** Engine-raised codes and execution errors that never came up. */
  missingCodes(): string[] {
    const raised = Object.entries(ERRORS).filter(([, { raisedBy }]) => raisedBy === 'engine')
    return [
      ...raised.map(([code]) => code).filter((code) => !this.codes.has(code)),
      ...Object.keys(EXECUTION_ERRORS).filter((code) => !this.errorCodes.has(code)),
    ]
  }

  /** Transitions of the two tables that were never taken, orders per type. */
  missingTransitions(): string[] {
    const orders = ORDER_TRANSITIONS.flatMap(({ from, to, types }) =>
      types.map((type) => `${from} → ${to} ${type}`),
    )
    const positions = POSITION_TRANSITIONS.map(({ from, to, event }) => `${from} → ${to} ${event}`)
    return [...orders, ...positions].filter((transition) => !this.transitions.has(transition))
  }

  missingEdges(): Edge[] {
    return EDGES.filter((edge) => !this.edges.has(edge))
  }

  /** Runs in which something happened, in percent. */
  share(what: keyof Reach['runsWith']): number {
    return (100 * this.runsWith[what]) / this.runs
  }

  /** Share of the commands that were accepted, 0 to 1. */
  get acceptance(): number {
    return (100 * this.accepted) / this.commands
  }

  /** A compact table for people. */
  toString(): string {
    const shares = Object.keys(this.runsWith) as (keyof Reach['runsWith'])[]
    return [
      `${this.runs} runs, ${this.commands} commands, ${this.acceptance.toFixed(1)}% accepted`,
      `runs with ${shares.map((what) => `${what} ${this.share(what).toFixed(0)}%`).join(', ')}`,
      `codes        ${listed(this.codes)}`,
      `errorCodes   ${listed(this.errorCodes)}`,
      `events       ${listed(this.events)}`,
      `transitions  ${listed(this.transitions)}`,
      `edges        ${listed(this.edges)}`,
    ].join('\n')
  }

  #countTransition({ model, event }: EventObservation): void {
    if (event.type === 'orderPlaced') count(this.transitions, `none → active ${event.orderType}`)
    const ended = endedStatus(event)
    if (ended !== null && 'orderId' in event)
      count(this.transitions, `active → ${ended} ${model.order(event.orderId).placed.orderType}`)
    const row = POSITION_TRANSITIONS.find((transition) => transition.event === event.type)
    if (row === undefined) return
    const from = event.type === 'increasePosition' && event.opens ? 'none' : 'opened'
    const to = event.type === 'closePosition' && event.closes ? 'closed' : row.to
    count(this.transitions, `${from} → ${to} ${event.type}`)
  }
}

/** An order of a trader's that a tick executed; the order behind a liquidation is the engine's own. */
const isTriggered = ({ model, event }: EventObservation): boolean =>
  event.type === 'orderExecuted' && model.order(event.orderId).placed.orderType !== 'liquidation'

function endedStatus(event: Event): string | null {
  switch (event.type) {
    case 'orderExecuted':
      return 'executed'
    case 'orderCanceled':
      return event.status
    case 'orderFailed':
      return 'canceled_by_error'
    case 'orderReplaced':
      return 'canceled_by_update'
    default:
      return null
  }
}

function* eventEdges({ model, event }: EventObservation): Generator<Edge> {
  if (event.type === 'closePosition') {
    if (event.holdingTimeMs === MINUTE - 1) yield 'profit window, 59,999 ms'
    if (event.holdingTimeMs === MINUTE) yield 'profit window, 60,000 ms'
    const { scalpingWindowMs } = model.market(event.marketId).parameters
    if (event.holdingTimeMs === scalpingWindowMs - 1) yield 'scalping window, last ms'
    if (event.holdingTimeMs === scalpingWindowMs) yield 'scalping window, over'
  }
  if (event.type === 'accountStopped' && event.breach?.equity === (event.breach?.floor ?? 0n) - 1n)
    yield 'drawdown, one unit below the floor'
  if (event.type === 'liquidate' && event.indexPrice === event.liquidationPrice)
    yield 'liquidation, at the level'
}

function* commandEdges({ model, command, outcome, options, nowBefore }: CommandObservation): Generator<Edge> {
  const at = options.at ?? nowBefore
  for (const { parameters } of model.markets.values()) {
    if (at % parameters.fundingIntervalMs === parameters.fundingIntervalMs - 1)
      yield 'funding instant, 1 ms before'
    if (at % parameters.fundingIntervalMs === 0) yield 'funding instant, at it'
  }
  if (at % DAY === DAY - 1) yield 'UTC day, last ms'
  if (at % DAY === 0) yield 'UTC day, first ms'
  if (command.type === 'placeOrder') {
    const market = model.markets.get(command.marketId)
    const age = market?.priceAt == null ? null : at - market.priceAt
    if (outcome.ok && age === (market?.parameters.maxPriceAgeMs ?? 0) - 1) yield 'price age, last ms'
    if (
      !outcome.ok &&
      outcome.error.code === 'market_price_stale' &&
      age === market?.parameters.maxPriceAgeMs
    )
      yield 'price age, stale'
  }
  if (command.type !== 'updatePrice' || !outcome.ok) return
  if (oneUnitShort(model, command.marketId)) yield 'liquidation, one unit short'
  if (atAFloor(model, at)) yield 'drawdown, at the floor'
}

/** `keyed` remembers when each key of a user was last used up. */
function* keyEdges(
  { model, command, outcome, options, nowBefore }: CommandObservation,
  keyed: Map<string, number>,
): Generator<Edge> {
  if (command.type !== 'placeOrder' || command.idempotencyKey == null || !outcome.ok) return
  const at = options.at ?? nowBefore
  const user = options.caller?.userId ?? model.account(command.accountId).parameters.userId
  const scope = `${user} ${command.idempotencyKey}`
  if (outcome.replayedFrom === at - HOUR + 1) yield 'idempotency hour, last ms'
  if (outcome.replayedFrom !== undefined) return
  if (keyed.get(scope) === at - HOUR) yield 'idempotency hour, over'
  keyed.set(scope, at)
}

/** Whether some position of the market is healthy and would not be one unit on. */
function oneUnitShort(model: Model, marketId: string): boolean {
  const { indexPrice, parameters } = model.market(marketId)
  const mmr = parameters.maintenanceMarginRate
  for (const position of model.open.values()) {
    if (position.marketId !== marketId || liquidatable(position, mmr, indexPrice)) continue
    if (liquidatable(position, mmr, indexPrice + (position.direction === 'long' ? -1n : 1n))) return true
  }
  return false
}

/** Whether some account that trades has exactly the equity of a floor. */
function atAFloor(model: Model, at: number): boolean {
  for (const account of model.accounts.values())
    if (
      account.margin > 0n &&
      account.status === 'active' &&
      floors(account).includes(equity(model, account, at))
    )
      return true
  return false
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function addTo<K>(counts: Map<K, number>, others: ReadonlyMap<K, number>): void {
  for (const [key, number] of others) counts.set(key, (counts.get(key) ?? 0) + number)
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, number]) => `${name} ${number}`)
    .join(' · ')
}
