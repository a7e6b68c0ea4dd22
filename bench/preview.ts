/**
 * For how long a preview of a platform command holds the turn of the loop, at the most that is tried: as many accounts,
 * each with a position and its stop-loss, as the limit lets through, and a price that liquidates them all. `npx tsx bench/preview.ts`
 */
import { tryCommand } from '../src/engine/internals.ts'
import { PREVIEW_LIMITS } from '../src/host/routes/preview.ts'
import { createEngine, fp9, uncheckedOrder } from '../src/index.ts'
import { held } from './held.ts'

const uuid = (kind: number, at: number) =>
  `0000000${kind}-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
const MARKET = uuid(1, 1)
const accounts = Math.floor(PREVIEW_LIMITS.records / 3)

const engine = createEngine({
  seed: 'bench',
  at: Date.UTC(2026, 0, 5),
  markets: [
    { id: MARKET, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') },
  ],
})
for (let at = 0; at < accounts; at++) {
  const account = { id: uuid(2, at), userId: uuid(3, at), balance: fp9('1000'), maxTotalLoss: fp9('0.05') }
  engine.dispatch({ type: 'openAccount', account })
  const outcome = engine.dispatch(
    uncheckedOrder({
      type: 'placeOrder',
      accountId: uuid(2, at),
      marketId: MARKET,
      orderType: 'market',
      direction: 'long',
      amount: fp9('100'),
      leverage: fp9('10'),
      takeTriggerPrice: fp9('60000'),
    }),
  )
  if (!outcome.ok) throw new Error(outcome.error.code)
}

const ROUNDS = 500
const longest: number[] = []
let [events, interrupted] = [0, 0]
for (let round = 0; round < ROUNDS; round++) {
  const crash = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('40000') } as const
  const pieces = tryCommand(engine, crash, engine.now, PREVIEW_LIMITS)
  let most = 0
  for (;;) {
    const { result, ms } = held(() => pieces.next())
    if (ms === null) interrupted += 1
    else most = Math.max(most, ms)
    if (result.done !== true) continue
    if ('beyond' in result.value) throw new Error(result.value.beyond)
    events = result.value.events.length
    break
  }
  longest.push(most)
}
const sorted = longest.slice(10).sort((a, b) => a - b)
const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1)
console.log(`${accounts} accounts with a position and a take-profit, all liquidated: ${events} events`)
console.log(`longest piece of the first ten previews ${Math.max(...longest.slice(0, 10)).toFixed(1)} ms`)
console.log(`of the others: median ${at(0.5)} ms, p99 ${at(0.99)} ms, most of ${sorted.length} ${at(1)} ms`)
console.log(`${interrupted} pieces that others on the machine interrupted are not counted`)
