// Lists whose pages are in tables answer what lists in memory answer at that moment: over random commands, whatever of them is
// written yet, while more happens before the answer, from a snapshot on, and after writers that died.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { foreknow } from '../../src/engine/pastQueries.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { PagedHistory } from '../../src/history/pagedHistory.ts'
import { type Commit, createEngine, fp9, type OrderRecord } from '../../src/index.ts'
import type { FoldedHistory } from '../../src/projections/history.ts'
import type { ReadableRows, ReadRow, Row, RowQuery, Rows } from '../../src/store/rowStore.ts'
import { logOf, runs } from '../properties/runs.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS } from '../store/traffic.ts'

/** Tables in memory, whose writes and answers wait until they are let go. */
class HeldTables implements ReadableRows {
  cursor = 0
  readonly rows = { orders: [] as Row[], positions: [] as Row[], position_events: [] as Row[] }
  readonly asked: RowQuery[] = []
  #held: (() => void)[] = []
  #open = true

  hold(): void {
    this.#open = false
  }

  letGo(): void {
    this.#open = true
    for (const go of this.#held.splice(0)) go()
  }

  async #gate(): Promise<void> {
    if (!this.#open) await new Promise<void>((resolve) => void this.#held.push(resolve))
    await Promise.resolve()
  }

  async write(rows: Rows, upTo: number): Promise<void> {
    await this.#gate()
    for (const table of ['orders', 'positions', 'position_events'] as const)
      this.rows[table].push(...rows[table])
    this.cursor = upTo
  }

  async read(query: RowQuery): Promise<readonly ReadRow[]> {
    this.asked.push(query)
    await this.#gate()
    const { table, where, whereNot = {}, by, below, skip = 0, limit, upTo } = query
    return this.rows[table]
      .filter((row) => Number(row.seq) <= upTo && (below === undefined || Number(row[by]) < below))
      .filter((row) =>
        Object.entries(where).every(([column, is]) =>
          Array.isArray(is) ? is.includes(row[column]) : row[column] === is,
        ),
      )
      .filter((row) => Object.entries(whereNot).every(([column, is]) => row[column] !== is))
      .sort((a, b) => Number(b[by]) - Number(a[by]))
      .slice(skip, skip + limit)
      .map(asRead)
  }
}

/** As a database gives back what was written. */
function asRead(row: Row): ReadRow {
  const read: Record<string, ReadRow[string]> = {}
  for (const [column, cell] of Object.entries(row)) {
    if (typeof cell === 'string' && cell.endsWith('e-9')) read[column] = decimal(BigInt(cell.slice(0, -3)))
    else read[column] = typeof cell === 'string' && /^\d{4}-.*Z$/.test(cell) ? Date.parse(cell) : cell
  }
  return read
}

function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(10, '0')
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`
  expect(fp9(text)).toBe(value)
  return text
}

const over = (history: FoldedHistory | null) => new Folded((world) => new LevelTriggers(world), history)

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
      const memory = over(null)
      const tables = new HeldTables()
      let paged = new PagedHistory(tables)
      let folded = over(paged)
      for (const [index, commit] of log.entries()) {
        memory.fold(commit)
        folded.fold(commit)
        if (commit.events.some(({ type }) => type === 'accountPromoted')) reached.phases += 1
        if (chance.below(3) === 0) paged.durable(commit.seq - chance.below(Math.min(commit.seq, 5)))
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
        paged.durable(commit.seq)
        await paged.flushed()
        // The next owner finds the tables further than its snapshot, or just there.
        paged = new PagedHistory(tables)
        folded = over(paged)
        if (chance.below(4) > 0) restoreSnapshot(folded, snapshot)
        else for (const before of log.slice(0, index + 1)) folded.fold(before)
        expect(takeSnapshot(folded).bytes).toEqual(snapshot.bytes)
        reached.restored += 1
      }
      reached.fromRows += tables.asked.filter(({ skip = 0 }) => skip > 0).length
      reached.ended += tables.rows.orders.length
      paged.durable(log.length)
      await paged.flushed()
      expect(tables.cursor).toBe(log.length)
    }),
    runs(4),
  )
  for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(0)
})
