// A day of ticks leaves nothing behind with those who are told of them: as many listeners, no more memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StreamHub } from '../../src/host/stream/hub.ts'
import { Listener, type Outlet } from '../../src/host/stream/listener.ts'
import type { Message } from '../../src/host/stream/message.ts'
import { createEngine, fp9, uncheckedOrder } from '../../src/index.ts'
import { NIGHTLY } from '../properties/runs.ts'

/** Seconds of the venue, a tick of every market in each. */
const [LENGTH, SETTLED] = NIGHTLY ? [86_400, 7_200] : [240, 120]
const MOST_GROWTH = 2 * 1_048_576

beforeEach(() => {
  const toFake = [
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
    'setImmediate',
    'clearImmediate',
  ] as const
  vi.useFakeTimers({ toFake: [...toFake] })
})
afterEach(() => vi.useRealTimers())

class Counter implements Outlet {
  readonly unsent = 0
  readonly told = new Map<string, number>()

  send(messages: readonly Message[]): void {
    for (const { json } of messages) {
      const type = /"type":"(\w+)"/.exec(json)?.[1] ?? ''
      this.told.set(type, (this.told.get(type) ?? 0) + 1)
    }
  }

  async taken(): Promise<boolean> {
    return true
  }

  end(): void {}
}

const uuid = (kind: string, at: number) => `${kind}0000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const MARKETS = [0, 1, 2, 3].map((at) => uuid('b', at))
const ACCOUNTS = [0, 1, 2, 3].map((at) => uuid('a', at))

function gcOf(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

test('listeners that stay, and listeners that come and go', { timeout: 3_600_000 }, async () => {
  const start = Date.UTC(2026, 0, 5)
  const engine = createEngine({
    seed: 'day',
    at: start,
    log: false,
    markets: MARKETS.map((id, at) => ({
      id,
      baseAsset: `A${at}`,
      ticker: `A${at}/USD`,
      category: 'crypto',
      indexPrice: fp9('1000'),
      fundingRate: 0n,
    })),
    accounts: ACCOUNTS.map((id) => ({ id, userId: id, balance: fp9('10000') })),
  })
  for (const accountId of ACCOUNTS)
    for (const marketId of MARKETS) {
      const order = {
        type: 'placeOrder',
        accountId,
        marketId,
        orderType: 'market',
        direction: 'long',
      } as const
      engine.dispatch(uncheckedOrder({ ...order, amount: fp9('100'), leverage: fp9('2') }))
    }
  const hub = new StreamHub(engine, (error) => {
    throw error
  })
  const listen = (accountId: string) => {
    const outlet = new Counter()
    const terms = { userId: accountId, accountIds: [accountId], hearsAll: false, outlet }
    const listener = new Listener({ ...terms, obstacle: () => null })
    hub.add(listener)
    hub.whenDurable(() => listener.begin([], engine.head))
    return { listener, outlet }
  }
  const staying = ACCOUNTS.flatMap((id) => Array.from({ length: 5 }, () => listen(id)))
  const collect = gcOf()
  let [passing, settled] = [listen(ACCOUNTS[0] as string), 0]
  for (let second = 1; second <= LENGTH; second++) {
    const at = start + second * 1_000
    for (const [place, marketId] of MARKETS.entries()) {
      const indexPrice = fp9(String(990 + ((second * 7 + place) % 20)))
      engine.dispatch({ type: 'updatePrice', marketId, indexPrice }, { at })
    }
    await vi.advanceTimersByTimeAsync(1_000)
    if (second % 60 === 0) {
      hub.remove(passing.listener)
      passing = listen(ACCOUNTS[second % 4] as string)
    }
    if (second === SETTLED) {
      collect()
      settled = process.memoryUsage().heapUsed
    }
  }
  collect()
  const growth = process.memoryUsage().heapUsed - settled
  for (const { outlet } of staying) {
    expect(outlet.told.get('price')).toBeGreaterThan(LENGTH * 3)
    expect(outlet.told.get('equity')).toBeGreaterThan(LENGTH / 2)
  }
  expect(hub.size).toBe(staying.length + 1)
  if (NIGHTLY) console.log(`${LENGTH} s of ticks: ${growth} bytes more than after ${SETTLED} s`)
  expect(growth).toBeLessThan(MOST_GROWTH)
  hub.close()
})
