/** Holds the store to the contract of stores, then trades on it and opens what it left. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDecimal, fp9, openEngine } from 'margin-core'
import { storeFeatures } from 'margin-core/testing'
import { FileStore } from './fileStore.ts'

const folder = await mkdtemp(join(tmpdir(), 'own-store-'))

let files = 0
const features = storeFeatures({
  async create() {
    const file = join(folder, `contract-${files++}`)
    const store = new FileStore(file)
    const reopen = async () => {
      await store.close()
      return new FileStore(file)
    }
    return { store, reopen, dispose: () => store.close() }
  },
})
for (const { name, run } of features) {
  await run() // throws, naming what differs, where the store breaks the contract
  console.log(`✓ ${name}`)
}

const log = join(folder, 'log')
const [marketId, accountId, userId] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const engine = await openEngine({
  seed: 'own store',
  store: new FileStore(log),
  at: Date.UTC(2026, 0, 5, 12),
  markets: [
    { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('95000') },
  ],
  accounts: [{ id: accountId, userId, balance: fp9('10000') }],
})
const order = { type: 'placeOrder', accountId, marketId, orderType: 'market', direction: 'long' } as const
await engine.send({ ...order, amount: fp9('500'), leverage: fp9('3') })
const state = engine.stateHash()
await engine.close()

const again = await openEngine({ store: new FileStore(log) })
if (again.stateHash() !== state) throw new Error('another state came back')
console.log(`${again.head} commits came back, equity ${formatDecimal(again.read.equity(accountId) ?? 0n, 2)}`)
await again.close()
await rm(folder, { recursive: true })
