// Idempotency of placing orders: at most one order per user, key and hour (I4, invariant 18).

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Commit,
  createEngine,
  fp9,
  MemoryStore,
  ONE,
  type OrderRecord,
  openEngine,
  type PlaceOrder,
} from '../../src/index.ts'
import { ACCOUNT, FREE_ACCOUNT, FREE_MARKET, MARKET, START } from './bench.ts'
import { runs } from './runs.ts'

const HOUR = 3_600_000
const OTHER = '00000000-0000-4000-9000-000000000002'

const genesis = {
  seed: 'keys',
  at: START,
  markets: [FREE_MARKET],
  accounts: [FREE_ACCOUNT, { ...FREE_ACCOUNT, id: OTHER, userId: 'other' }],
}

const place = (accountId: string, idempotencyKey: string, amount: bigint): PlaceOrder => ({
  type: 'placeOrder',
  accountId,
  marketId: MARKET,
  orderType: 'limit',
  direction: 'long',
  triggerPrice: fp9('900'),
  leverage: 2n * ONE,
  amount,
  idempotencyKey,
})

/** Keeps every append waiting until it is let go. */
class SlowStore extends MemoryStore {
  #waiting: (() => void)[] = []

  override async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await super.append(commits, expectedHead, epoch)
  }

  /** Lets everything through until nothing waits any more. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) {
      for (const go of this.#waiting.splice(0)) go()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

describe('a placement under a key', () => {
  const wait = fc.oneof(fc.nat(HOUR), fc.constantFrom(0, 1, HOUR - 1, HOUR))
  const attempt = fc.record({
    wait,
    account: fc.constantFrom(ACCOUNT, OTHER),
    key: fc.constantFrom('a', 'b'),
    // Above the balance: refused, and the key stays free.
    amount: fc.constantFrom(fp9('10'), fp9('20'), fp9('2000000')),
  })

  test('is accepted at most once an hour, and answered the same until then', () => {
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 10, maxLength: 60, size: 'max' }), (attempts) => {
        const engine = createEngine(genesis)
        const used = new Map<string, { readonly at: number; readonly order: OrderRecord }>()
        let at = START
        for (const { wait: ms, account, key, amount } of attempts) {
          at += ms
          engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('1000') }, { at })
          const before = engine.head
          const outcome = engine.dispatch(place(account, key, amount), { at })
          const scope = `${account} ${key}`
          const first = used.get(scope)
          if (first !== undefined && at < first.at + HOUR) {
            expect(outcome).toMatchObject({ ok: true, replayedFrom: first.at, events: [] })
            expect(outcome.ok && outcome.value).toEqual(first.order)
            expect(engine.head).toBe(before)
          } else if (outcome.ok) {
            expect(outcome.replayedFrom).toBeUndefined()
            expect([...used.values()].map(({ order }) => order.id)).not.toContain(outcome.value.id)
            used.set(scope, { at, order: outcome.value })
          } else expect(engine.head).toBe(before)
        }
      }),
      runs(200),
    )
  })

  test('is refused with idempotency_key_in_flight while the first one is on its way to the disk', async () => {
    const sent = fc.record({ account: fc.constantFrom(ACCOUNT, OTHER), key: fc.constantFrom('a', 'b') })
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 2, maxLength: 12 }), async (calls) => {
        const store = new SlowStore()
        const engine = await openEngine({ ...genesis, store })
        await store.settle()
        const answers = calls.map(({ account, key }) => engine.send(place(account, key, fp9('10'))))
        await store.settle()
        const seen = new Set<string>()
        for (const [at, answer] of answers.entries()) {
          const scope = JSON.stringify(calls[at])
          const outcome = await answer
          if (seen.has(scope))
            expect(outcome).toMatchObject({ ok: false, error: { code: 'idempotency_key_in_flight' } })
          else expect(outcome.ok).toBe(true)
          seen.add(scope)
        }
        const again = engine.send(place(ACCOUNT, 'a', fp9('10')))
        await store.settle()
        const late = await again
        expect(late.ok && late.replayedFrom !== undefined).toBe(
          seen.has(JSON.stringify({ account: ACCOUNT, key: 'a' })),
        )
      }),
      runs(50),
    )
  })
})
