// What every place that keeps history lists must do, as tests: one list, run against each of them beside lists as plain as can be
// (plainLists.ts), over the same drawn commits.

import fc from 'fast-check'
import { expect } from 'vitest'
import type { Folded } from '../../src/engine/fold.ts'
import { foreknow } from '../../src/engine/pastQueries.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import type { RecordLists } from '../../src/history/recordLists.ts'
import { type Commit, createEngine, type Page } from '../../src/index.ts'
import type { History, Paging } from '../../src/projections/history.ts'
import { foldedOver } from '../foldedOver.ts'
import { logOf } from '../properties/runs.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS } from '../store/traffic.ts'
import { PlainLists } from './plainLists.ts'

type KeptLists<Open> = RecordLists<Open> & History

/** Where lists are kept. Every `create` gives an empty place of its own. */
export interface ListMaker<Open> {
  create(): Promise<{
    readonly lists: KeptLists<Open>
    /** Lists of the next process over what is there; null where nothing outlives it. */
    readonly reopen: (() => Promise<KeptLists<Open>>) | null
    dispose(): Promise<void>
  }>
}

/** One thing that all of them must do. */
export interface ListFeature {
  readonly name: string
  run(): Promise<void>
}

/** What the drawn logs reached, over all that was run. */
export const REACHED = { phases: 0, replaced: 0, closed: 0, funding: 0 }

interface Told<Open> {
  readonly log: readonly Commit[]
  readonly chance: Chance
  readonly lists: KeptLists<Open>
  readonly reopen: (() => Promise<KeptLists<Open>>) | null
  /** Lists in a place of their own. */
  readonly elsewhere: () => Promise<KeptLists<Open>>
}

const COMMANDS = 150
const UNKNOWN = '90000000-0000-4000-8000-000000000009'

/** `runs`: how many drawn logs each of them is tried with. */
export function listFeatures<Open>(maker: ListMaker<Open>, runs: number): readonly ListFeature[] {
  const feature = (name: string, test: (told: Told<Open>) => Promise<void>): ListFeature => ({
    name,
    run: () =>
      fc.assert(
        fc.asyncProperty(fc.nat(100_000), async (seed) => {
          const chance = new Chance(seed + 1)
          const engine = createEngine(GENESIS)
          drive(engine, chance, COMMANDS)
          const log = await logOf(engine)
          reach(log)
          const places = [await maker.create()]
          const [{ lists, reopen }] = places as [(typeof places)[number]]
          const elsewhere = async () => {
            const place = await maker.create()
            places.push(place)
            return place.lists
          }
          try {
            await test({ log, chance, lists, reopen, elsewhere })
          } finally {
            for (const { dispose } of places) await dispose()
          }
        }),
        { numRuns: runs },
      ),
  })

  return [
    feature('lists, records and events are those of plain lists, whatever is written yet', async (told) => {
      const { log, chance, lists } = told
      const [plain, folded] = [foldedOver(new PlainLists()), foldedOver(lists)]
      for (const commit of log) {
        plain.fold(commit)
        folded.fold(commit)
        if (chance.below(3) === 0) lists.keeping?.durable(commit.seq - chance.below(Math.min(commit.seq, 9)))
        if (chance.below(6) === 0) await new Promise(setImmediate)
        if (chance.below(30) === 0 || commit.seq === log.length)
          await sameAnswers(plain, folded, log.slice(0, commit.seq), chance)
      }
    }),

    feature('an answer is as of the moment of the question', async ({ log, chance, lists }) => {
      const [plain, folded] = [foldedOver(new PlainLists()), foldedOver(lists)]
      const half = log.slice(0, log.length >> 1)
      for (const commit of half) for (const one of [plain, folded]) one.fold(commit)
      lists.keeping?.durable(half.length - 9)
      const answers = await questions(plain, folded, half, chance)
      for (const commit of log.slice(half.length)) folded.fold(commit)
      lists.keeping?.durable(log.length)
      await lists.keeping?.flushed()
      for (const [got, due] of answers) expect(await got).toEqual(due)
    }),

    feature(
      'they go on from a snapshot as if they had never been left',
      async ({ log, chance, lists, reopen, elsewhere }) => {
        const plain = foldedOver(new PlainLists())
        const folded = foldedOver(lists)
        const half = log.length >> 1
        const more = half + chance.below(20)
        for (const commit of log.slice(0, half)) for (const one of [plain, folded]) one.fold(commit)
        const snapshot = takeSnapshot(folded)
        // What is kept may be further than the snapshot.
        for (const commit of log.slice(half, more)) folded.fold(commit)
        lists.keeping?.durable(more)
        await lists.keeping?.flushed()
        const next = (await reopen?.()) ?? (await elsewhere())
        const again = foldedOver(next)
        restoreSnapshot(again, snapshot)
        next.keeping?.recovered()
        for (const commit of log.slice(half)) for (const one of [plain, again]) one.fold(commit)
        await sameAnswers(plain, again, log, chance)
        const whole = foldedOver(await elsewhere())
        for (const commit of log) whole.fold(commit)
        expect(takeSnapshot(again).bytes).toEqual(takeSnapshot(whole).bytes)
      },
    ),

    feature(
      'what is kept is never ahead of what is durable, and told again it changes nothing',
      async (told) => {
        const { log, chance, lists, reopen } = told
        if (lists.keeping === null || reopen === null) return
        const folded = foldedOver(lists)
        let durable = 0
        for (const commit of log) {
          folded.fold(commit)
          if (chance.below(4) > 0) continue
          durable = commit.seq - chance.below(Math.min(commit.seq, 5))
          lists.keeping.durable(durable)
          if (chance.below(3) === 0) await lists.keeping.room()
          expect(lists.keeping.cursor).toBeLessThanOrEqual(durable)
        }
        await lists.keeping.flushed()
        expect(lists.keeping.cursor).toBe(durable)
        const next = await reopen()
        expect(next.keeping?.cursor).toBe(durable)
        const [plain, again] = [foldedOver(new PlainLists()), foldedOver(next)]
        again.projections.restore(null, 0, 0)
        for (const commit of log) for (const one of [plain, again]) one.fold(commit)
        next.keeping?.recovered()
        await sameAnswers(plain, again, log, chance)
      },
    ),
  ]
}

function reach(log: readonly Commit[]): void {
  for (const { events } of log)
    for (const { type } of events) {
      if (type === 'accountPromoted') REACHED.phases += 1
      if (type === 'orderReplaced') REACHED.replaced += 1
      if (type === 'closePosition') REACHED.closed += 1
      if (type === 'payFunding') REACHED.funding += 1
    }
}

type Answers = readonly (readonly [got: unknown, due: unknown])[]

async function sameAnswers(
  plain: Folded,
  kept: Folded,
  log: readonly Commit[],
  chance: Chance,
): Promise<void> {
  for (const [got, due] of await questions(plain, kept, log, chance)) expect(await got).toEqual(due)
}

/** Every list in pages of random size and place, every record, and the events; `due` is copied at once. */
async function questions(
  plain: Folded,
  kept: Folded,
  log: readonly Commit[],
  chance: Chance,
): Promise<Answers> {
  const [orderIds, positionIds] = [idsOf(log, 'orderPlaced'), idsOf(log, 'increasePosition')]
  // What is known of an id before a decision is known for that decision, which comes at once.
  await kept.projections.flushed()
  await known(kept, [...orderIds, UNKNOWN], [...positionIds, UNKNOWN])
  const { history } = kept
  const asked = askedOf(history)
  const answers: [unknown, unknown][] = []
  const same = (got: unknown, due: unknown) => void answers.push([got, structuredClone(due)])
  for (const accountId of ACCOUNTS) {
    for (const marketId of MARKETS) {
      const [one, other] = [pagingOf(chance), pagingOf(chance)]
      same(asked.orders(accountId, marketId, one), plain.history.orders(accountId, marketId, one))
      same(
        asked.closedPositions(accountId, marketId, other),
        plain.history.closedPositions(accountId, marketId, other),
      )
    }
    const paging = pagingOf(chance)
    same(asked.portfolio(accountId, paging), plain.history.portfolio(accountId, paging))
  }
  for (const id of [...orderIds, UNKNOWN]) {
    // Of what is live the rules ask the world.
    if (plain.world.orders.get(id) === undefined) same(history.endedOrder(id), plain.history.endedOrder(id))
    same(asked.order(id), plain.history.order(id))
  }
  for (const id of [...positionIds, UNKNOWN]) {
    same(history.endedPosition(id), plain.history.endedPosition(id))
    same(asked.position(id), plain.history.position(id))
    same(asked.events(id), [...(plain.history.positionEvents(id) ?? [])].flat())
  }
  return answers
}

function pagingOf(chance: Chance): Paging {
  return { limit: 1 + chance.below(9), offset: chance.below(12) }
}

/** What is asked before a decision that cannot wait. */
async function known(
  { world, history: { asked } }: Folded,
  orderIds: readonly string[],
  positionIds: readonly string[],
) {
  if (asked === undefined) return
  for (const orderId of orderIds) await foreknow(world, asked, { orderId, positionId: null })
  for (const positionId of positionIds) await foreknow(world, asked, { orderId: null, positionId })
}

/** The reading side, whether it answers at once or has to be waited for. */
function askedOf(history: History) {
  const { asked } = history
  if (asked === undefined)
    return {
      orders: history.orders.bind(history),
      closedPositions: history.closedPositions.bind(history),
      portfolio: history.portfolio.bind(history),
      order: history.order.bind(history),
      position: history.position.bind(history),
      events: (id: string): unknown => all(history.positionEvents(id)),
    } satisfies Record<string, (...asked: never) => Page<unknown> | unknown>
  return {
    orders: asked.orders.bind(asked),
    closedPositions: asked.closedPositions.bind(asked),
    portfolio: asked.portfolio.bind(asked),
    order: async (id: string) => (await asked.ordersOf([id])).get(id),
    position: async (id: string) => (await asked.positionsOf([id])).get(id),
    events: (id: string): unknown => all(asked.positionEvents(id)),
  }
}

/** Asked for now, and walked later: they are those there were. */
async function all(runs: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]> | undefined) {
  const events: unknown[] = []
  await Promise.resolve()
  for await (const run of runs ?? []) events.push(...run)
  return events
}

function idsOf(log: readonly Commit[], type: 'orderPlaced' | 'increasePosition'): string[] {
  const ids = log.flatMap(({ events }) =>
    events.flatMap((event) => {
      if (event.type !== type) return []
      return 'positionId' in event && type === 'increasePosition'
        ? (event.positionId ?? [])
        : 'orderId' in event
          ? (event.orderId ?? [])
          : []
    }),
  )
  return [...new Set(ids)]
}
