// Lists whose pages are in tables answer what lists in memory answer at that moment: over random commands, whatever of them is
// written yet, while more happens before the answer, from a snapshot on, and after writers that died.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { foreknow } from '../../src/engine/pastQueries.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { PagedHistory } from '../../src/history/pagedHistory.ts'
import { type Commit, createEngine, type OrderRecord } from '../../src/index.ts'
import { RowsLost } from '../../src/store/rowStore.ts'
import { foldedOver } from '../foldedOver.ts'
import { logOf, runs } from '../properties/runs.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS } from '../store/traffic.ts'
import { HeldTables } from './heldTables.ts'

/** Every list in pages of random size and place, the records, and the events. */
async function lookAt(memory: Folded, paged: PagedHistory, log: readonly Commit[], chance: Chance) {
  const { asked } = paged
  const answers: [got: Promise<unknown>, due: unknown][] = []
  const same = (got: Promise<unknown>, due: unknown) => void answers.push([got, due])
  const { history } = memory
  for (const accountId of ACCOUNTS) {
    const paging = () => ({ limit: 1 + chance.below(9), offset: chance.below(12) })
    for (const marketId of MARKETS) {
      const [ofOrders, ofPositions] = [paging(), paging()]
      same(asked.orders(accountId, marketId, ofOrders), history.orders(accountId, marketId, ofOrders))
      same(
        asked.closedPositions(accountId, marketId, ofPositions),
        history.closedPositions(accountId, marketId, ofPositions),
      )
    }
    const ofAll = paging()
    same(asked.portfolio(accountId, ofAll), history.portfolio(accountId, ofAll))
  }
  const orderIds = idsOf(log, 'orderPlaced', 'orderId')
  const positionIds = idsOf(log, 'increasePosition', 'positionId')
  same(
    asked.ordersOf(orderIds),
    present(orderIds, (id) => history.order(id)),
  )
  same(
    asked.positionsOf(positionIds),
    present(positionIds, (id) => history.position(id)),
  )
  const unknown = '90000000-0000-4000-8000-000000000009'
  for (const orderId of [chance.of([...orderIds, unknown]), chance.of([...orderIds, unknown])]) {
    const due = memory.world.orders.get(orderId) === undefined ? history.endedOrder(orderId) : undefined
    const known = foreknow(memory.world, asked, { orderId, positionId: null })
    if (known === null) expect(paged.endedOrder(orderId)).toEqual(due)
    else
      same(
        known.then(() => paged.endedOrder(orderId)),
        due,
      )
  }
  for (const positionId of [chance.of([...positionIds, unknown]), chance.of([...positionIds, unknown])]) {
    const due = history.endedPosition(positionId)
    const events = [...(history.positionEvents(positionId) ?? [])].flat()
    const known = foreknow(memory.world, asked, { orderId: null, positionId })
    if (known !== null)
      same(
        known.then(() => paged.endedPosition(positionId)),
        due,
      )
    else {
      expect(paged.endedPosition(positionId)).toEqual(due)
      same(eventsOf(asked.positionEvents(positionId)), events)
    }
  }
  return answers
}

async function eventsOf(
  runsOfEvents: AsyncIterable<readonly { readonly order: OrderRecord | null }[]> | undefined,
) {
  const events: unknown[] = []
  for await (const run of runsOfEvents ?? []) events.push(...run)
  return events
}

function idsOf(log: readonly Commit[], type: string, field: string): string[] {
  const ids = log.flatMap(({ events }) => events.filter((event) => event.type === type)) as unknown as Record<
    string,
    string
  >[]
  return [...new Set(ids.map((event) => event[field] as string))]
}

function present<T extends { readonly id: string }>(
  ids: readonly string[],
  of: (id: string) => T | undefined,
) {
  return new Map(ids.flatMap((id) => of(id) ?? []).map((record) => [record.id, record]))
}

test('pages asked of tables are those of the memory at that moment', async () => {
  const reached = { answers: 0, fromRows: 0, restored: 0, whileHeld: 0, phases: 0, ended: 0 }
  await fc.assert(
    fc.asyncProperty(fc.nat(100_000), async (seed) => {
      const chance = new Chance(seed + 1)
      const engine = createEngine(GENESIS)
      drive(engine, chance, 120)
      const log = await logOf(engine)
      const memory = new Folded((world) => new LevelTriggers(world))
      const tables = new HeldTables()
      let paged = new PagedHistory(tables)
      let folded = foldedOver(paged)
      for (const [index, commit] of log.entries()) {
        memory.fold(commit)
        folded.fold(commit)
        if (commit.events.some(({ type }) => type === 'accountPromoted')) reached.phases += 1
        if (chance.below(3) === 0) paged.keeping.durable(commit.seq - chance.below(Math.min(commit.seq, 5)))
        if (chance.below(6) === 0) await new Promise(setImmediate)
        if (chance.below(25) !== 0) continue
        const held = chance.below(2) === 0
        if (held) tables.hold()
        const answers = await lookAt(memory, paged, log.slice(0, index + 1), chance)
        if (held) {
          // More happens, and is written, before they are answered.
          reached.whileHeld += 1
          tables.letGo()
        }
        for (const [got, due] of answers) expect(await got).toEqual(due)
        reached.answers += answers.length
        if (chance.below(4) > 0) continue
        const snapshot = takeSnapshot(folded)
        paged.keeping.durable(commit.seq)
        await paged.keeping.flushed()
        // The next owner finds the tables further than its snapshot, or just there.
        paged = new PagedHistory(tables)
        folded = foldedOver(paged)
        if (chance.below(4) > 0) restoreSnapshot(folded, snapshot)
        else for (const before of log.slice(0, index + 1)) folded.fold(before)
        expect(takeSnapshot(folded).bytes).toEqual(snapshot.bytes)
        reached.restored += 1
      }
      reached.fromRows += tables.asked.filter(({ skip = 0 }) => skip > 0).length
      reached.ended += tables.rows.orders.length
      paged.keeping.durable(log.length)
      await paged.keeping.flushed()
      expect(tables.cursor).toBe(log.length)
    }),
    runs(4),
  )
  for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(0)
})

test('tables that have lost rows are neither read nor written by whoever wrote them: the shard has to be opened again', async () => {
  const tables = new HeldTables()
  const paged = new PagedHistory(tables)
  const folded = foldedOver(paged)
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(1), 120)
  const log = await logOf(engine)
  for (const commit of log) folded.fold(commit)
  paged.keeping.durable(log.length - 1)
  await paged.keeping.flushed()
  const cause = new RowsLost(new Error('the database has crashed'))
  tables.read = () => Promise.reject(cause)
  await expect(paged.asked.ordersOf(idsOf(log, 'orderPlaced', 'orderId'))).rejects.toBe(cause)
  await expect(paged.keeping.failed).rejects.toMatchObject({
    message: 'the history tables have lost rows',
    cause,
  })
  paged.keeping.durable(log.length)
  await expect(paged.keeping.flushed()).rejects.toMatchObject({ cause })
  expect(tables.cursor).toBe(log.length - 1)
})
