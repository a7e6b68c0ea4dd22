// What the history lists ask of a store that keeps records, of each that does; and what ended is found by its id.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { IdSpace } from '../../src/domain/state/ids.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import { StoredHistory } from '../../src/history/storedHistory.ts'
import { type Command, createEngine, fp9 } from '../../src/index.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { type RecordStoreMaker, recordFeatures } from '../../src/testing/index.ts'
import { foldedOver } from '../foldedOver.ts'
import { RecordsInMemory } from '../recordsInMemory.ts'

const FORM = 7

const STORES: Readonly<Record<string, RecordStoreMaker>> = {
  'a map': {
    async create() {
      return { records: new RecordsInMemory(), reopen: null, dispose: async () => {} }
    },
  },
  LMDB: {
    async create() {
      const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-records-'))
      let index = await RecordIndex.open(directory, FORM)
      return {
        records: index,
        async reopen() {
          await index.close()
          index = await RecordIndex.open(directory, FORM)
          return index
        },
        async dispose() {
          await index.close()
          await rm(directory, { recursive: true })
        },
      }
    },
  },
}

describe.each(Object.entries(STORES))('%s', (name, maker) => {
  for (const feature of recordFeatures(maker, name === 'LMDB' ? 5 : 50))
    test(feature.name, () => feature.run())
})

test('what ended is found by its id, however many a commit made, and what never was is not', async () => {
  const engine = createEngine({ seed: 'many', at: 0 })
  const must = (command: Command) => expect(engine.dispatch(command)).toMatchObject({ ok: true })
  const uuid = (kind: number, n: number) =>
    `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`
  const marketId = uuid(1, 1)
  const market = {
    id: marketId,
    baseAsset: 'A',
    ticker: 'A/USD',
    category: 'crypto',
    indexPrice: fp9('100'),
  } as const
  must({ type: 'configureMarket', market })
  const entry = {
    marketId,
    direction: 'long',
    leverage: fp9('2'),
    orderType: 'limit',
    amount: fp9('10'),
  } as const
  // Accounts are created too: they take up sequences, and have no ids of the engine's.
  for (let n = 0; n < 150; n++) {
    must({ type: 'openAccount', account: { id: uuid(2, n), userId: uuid(3, n), balance: fp9('1000') } })
    must({
      type: 'placeOrder',
      accountId: uuid(2, n),
      ...entry,
      triggerPrice: fp9('90'),
      stopTriggerPrice: fp9('50'),
    })
  }
  // A commit that opens 150 positions with a stop each, and one that ends them all.
  must({ type: 'updatePrice', marketId, indexPrice: fp9('89') })
  must({ type: 'updatePrice', marketId, indexPrice: fp9('49') })
  const history = new StoredHistory(new RecordedHistory(new RecordsInMemory()))
  const folded = foldedOver(history)
  const [orders, positions] = [new Set<string>(), new Set<string>()]
  for await (const commit of engine.commits({ from: 1 })) {
    folded.fold(commit)
    history.keeping.durable(commit.seq)
    for (const event of commit.events) {
      if (event.type === 'orderPlaced') orders.add(event.orderId)
      if (event.type === 'increasePosition') positions.add(event.positionId)
    }
  }
  await history.keeping.flushed()
  expect([orders.size, positions.size]).toEqual([300, 150])
  for (const id of orders) {
    expect(history.order(id)?.id).toBe(id)
    expect(history.position(id)).toBeUndefined()
  }
  for (const id of positions) {
    expect(history.position(id)?.id).toBe(id)
    expect([...(history.positionEvents(id) ?? [])].flat()).toHaveLength(2)
    expect(history.order(id)).toBeUndefined()
  }
  const ids = new IdSpace('many')
  for (const never of [
    ids.id(engine.head, 10_000),
    ids.id(engine.head + 1, 0),
    ids.id(3, 7),
    uuid(1, 1),
    'nope',
  ])
    expect([history.order(never), history.endedPosition(never)]).toEqual([undefined, undefined])
})
