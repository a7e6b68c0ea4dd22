// The events of a position from a store: some written, some not yet, read in runs while more come in.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine, type Engine, fp9, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { ACCOUNTS, GENESIS, MARKETS } from './traffic.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-events-'))
})
afterAll(() => rm(directory, { recursive: true }))

const [accountId] = ACCOUNTS
const [marketId] = MARKETS

function openPosition(engine: Engine): string {
  const order = { type: 'placeOrder', accountId, marketId, orderType: 'market', direction: 'long' } as const
  engine.dispatch({ ...order, amount: fp9('100'), leverage: fp9('5') })
  return engine.read.activePositions(accountId)[0]?.id ?? ''
}

function addMargin(engine: Engine, positionId: string, times: number): void {
  for (let n = 0; n < times; n++) engine.dispatch({ type: 'changeMargin', positionId, marginChange: 1n })
}

test('are those of the moment they were asked for, and those that memory keeps', async () => {
  const memory = createEngine(GENESIS)
  const positionId = openPosition(memory)
  addMargin(memory, positionId, 899)
  const expected = memory.read.positionEvents(positionId)
  expect(expected).toHaveLength(900)

  const begun = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  expect(openPosition(begun)).toBe(positionId)
  addMargin(begun, positionId, 500)
  await begun.close()
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  addMargin(engine, positionId, 399)
  expect(engine.read.positionEvents(positionId)).toEqual(expected)

  const runs = engine.read.positionEventRuns(positionId)?.[Symbol.iterator]()
  const read: object[] = []
  addMargin(engine, positionId, 100)
  await engine.whenDurable()
  // Longer than pending changes wait to be written.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  for (let run = runs?.next(); run && !run.done; run = runs?.next()) {
    expect(run.value.length).toBeLessThanOrEqual(256)
    read.push(...run.value)
  }
  expect(read).toEqual(expected)
  await engine.close()
})
