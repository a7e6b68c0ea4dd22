// Rows for the tables come once, in whole commits, none before its commit is durable, and all of them when it is asked for;
// from the first commit or from wherever the tables were left.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { Projections } from '../../src/engine/projections.ts'
import { RecordFold } from '../../src/history/recordFold.ts'
import { TabledHistory } from '../../src/history/tabledHistory.ts'
import { UnkeptHistory } from '../../src/history/unkeptHistory.ts'
import { type Commit, createEngine } from '../../src/index.ts'
import type { Row, RowStore, Rows } from '../../src/store/rowStore.ts'
import { HISTORY_TABLE_NAMES } from '../../src/terms/historyTables.ts'
import { logOf, runs } from '../properties/runs.ts'
import { Chance, drive, GENESIS } from '../store/traffic.ts'

class Tables implements RowStore {
  cursor = 0
  durable = 0
  readonly rows: [table: string, row: Row][] = []
  /** Writes that are carried out before one fails. */
  left = Number.POSITIVE_INFINITY

  async write(rows: Rows, upTo: number): Promise<void> {
    expect(upTo).toBeLessThanOrEqual(this.durable)
    await Promise.resolve()
    if (this.left-- <= 0) throw new Error('the connection was cut')
    for (const table of HISTORY_TABLE_NAMES)
      for (const row of rows[table]) {
        expect(row.seq).toBeGreaterThan(this.cursor)
        expect(row.seq).toBeLessThanOrEqual(upTo)
        this.rows.push([table, row])
      }
    this.cursor = upTo
  }
}

async function told(log: readonly Commit[], tables: Tables, lag: number): Promise<void> {
  const projections = new Projections([new UnkeptHistory(), new RecordFold(new TabledHistory(tables))])
  const folded = new Folded((world) => new LevelTriggers(world), projections)
  const durable = (seq: number) => {
    tables.durable = Math.max(tables.durable, seq)
    projections.durable(seq)
  }
  for (const commit of log) {
    folded.fold(commit)
    if (commit.seq > lag) durable(commit.seq - lag)
    if (commit.seq % 7 === 0) await projections.room()
  }
  await projections.flushed()
  expect(tables.cursor).toBe(tables.durable)
  durable(log.length)
  await projections.flushed()
}

const inOrder = (tables: Tables) =>
  HISTORY_TABLE_NAMES.map((table) => tables.rows.filter(([of]) => of === table).map(([, row]) => row))

test('a row is written once, after its commit, and goes on where the tables were left', async () => {
  let rows = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000), fc.nat(40), fc.nat(12), async (seed, lag, left) => {
      const engine = createEngine(GENESIS)
      drive(engine, new Chance(seed), 120)
      const log = await logOf(engine)
      const whole = new Tables()
      await told(log, whole, 0)
      const broken = new Tables()
      broken.left = left
      await told(log, broken, lag).catch((error: Error) => expect(error.message).toMatch(/tables/))
      broken.left = Number.POSITIVE_INFINITY
      await told(log, broken, lag)
      expect(inOrder(broken)).toEqual(inOrder(whole))
      rows += whole.rows.length
    }),
    runs(20),
  )
  expect(rows).toBeGreaterThan(0)
})

test('what is durable when it is asked for is written, however much more becomes so meanwhile', async () => {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(3), 300)
  const log = await logOf(engine)
  const tables = new Tables()
  tables.durable = log.length
  const projections = new Projections([new UnkeptHistory(), new RecordFold(new TabledHistory(tables))])
  const folded = new Folded((world) => new LevelTriggers(world), projections)
  const first = log.slice(0, log.length / 2)
  for (const commit of first) folded.fold(commit)
  projections.durable(first.length)
  let isFlushed = false
  const flushing = projections.flushed().then(() => {
    isFlushed = true
  })
  // Always one ahead of the tables.
  for (const commit of log.slice(first.length)) {
    if (isFlushed) break
    folded.fold(commit)
    projections.durable(commit.seq)
    await Promise.resolve()
  }
  expect(isFlushed).toBe(true)
  await flushing
  expect(tables.cursor).toBeGreaterThanOrEqual(first.length)
})
