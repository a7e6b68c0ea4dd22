// Prices that can decide nothing are left out of trades' paths: every account lives as it does with all of them, whatever its rules.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lifeOf } from '../../../../src/backtest/evaluate/life.ts'
import type { RuleSet } from '../../../../src/backtest/evaluate/rules.ts'
import { decisiveDay } from '../../../../src/backtest/odds/decisivePrices.ts'
import { heldDays } from '../../../../src/backtest/odds/heldDays.ts'
import type { OwnTrade } from '../../../../src/backtest/odds/ownTrade.ts'
import { replayOf } from '../../../../src/backtest/odds/replay.ts'
import type { TradePath } from '../../../../src/backtest/odds/tradePath.ts'
import { drawnDays } from '../../../../src/backtest/odds/tradePaths.ts'
import { accountOf } from '../../../../src/backtest/plan/options.ts'
import { normal } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const DAY_MS = 86_400_000
const BALANCE = 10_000
const PATH_START = Date.UTC(2026, 0, 5)

interface Drawn {
  readonly opens: number
  readonly lasts: number
  readonly seed: number
  readonly leverage: number | null
  readonly isShort: boolean
}

/** A trade whose gain walks by chance, with a price every quarter of an hour or so. */
function walked({ opens, lasts, seed, leverage, isShort }: Drawn): { trade: OwnTrade; path: TradePath } {
  const random = new Random(`walk ${seed}`)
  const notional = 2_000 + 8_000 * random.uniform()
  const [at, gain] = [[] as number[], [] as number[]]
  let own = 0
  for (let time = opens + random.below(900_000); time < opens + lasts; time += 1 + random.below(1_800_000)) {
    own += normal(random) * 60
    at.push(time)
    gain.push(own)
  }
  const pnl = own + normal(random) * 30
  const trade = {
    openedAt: opens,
    closedAt: opens + lasts,
    pnl,
    worst: random.uniform() < 0.2 ? own - 400 : null,
  }
  const side = isShort ? 'short' : 'long'
  return {
    trade,
    path: { at: Float64Array.from(at), gain: Float64Array.from(gain), side, notional, leverage },
  }
}

const trade = fc.record({
  opens: fc.integer({ min: 0, max: 6 * DAY_MS }),
  lasts: fc.oneof(
    fc.integer({ min: 3, max: 90_000 }),
    fc.integer({ min: 3, max: DAY_MS / 3 }),
    fc.integer({ min: 3, max: 2 * DAY_MS }),
  ),
  seed: fc.nat(),
  leverage: fc.constantFrom(null, 2, 20),
  isShort: fc.boolean(),
})
const rules = fc.record({
  maxDailyLoss: fc.constantFrom('1%', '3%', '100%'),
  maxTotalLoss: fc.constantFrom('4%', '10%', '100%'),
  dailyLossBase: fc.constantFrom('equity', 'balance', 'max'),
  dailyBreach: fc.constantFrom('fail', 'freeze'),
  drawdownMode: fc.constantFrom('static', 'trailing_eod'),
  profitTarget: fc.constantFrom('1%', '4%', '900%'),
  minProfitableDays: fc.constantFrom(0, 1),
})

test('an account lives the same life with the prices that can decide something as with all of them', async () => {
  let [prices, kept, failed, paid] = [0, 0, 0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(trade, { minLength: 1, maxLength: 9 }),
      rules,
      fc.constantFrom(0.5, 1, 4),
      fc.nat(),
      async (drawn, account, scale, seed) => {
        const walks = drawn.map(walked)
        const all = heldDays(
          walks.map((own) => own.trade),
          walks.map((own) => own.path),
          BALANCE,
          null,
        )
        const decisive = all.map(decisiveDay)
        const set: RuleSet = { name: 'drawn', account, payout: { days: 2, share: 0.8 }, fee: 50 }
        const lifeOn = (days: typeof all) => {
          const path = drawnDays({ days, horizon: 12, meanBlock: 3, seed: String(seed) }, 0)
          return lifeOf(
            (own, from) =>
              replayOf(path.slice((from - PATH_START) / DAY_MS), scale, BALANCE, accountOf(own), from),
            set,
            12,
          )
        }
        const life = await lifeOn(all)
        expect(await lifeOn(decisive)).toEqual(life)
        const counted = (days: typeof all) =>
          days.flat().reduce((sum, { held }) => sum + (held?.at.length ?? 0), 0)
        prices += counted(all)
        kept += counted(decisive)
        failed += life.outcome === 'failed' ? 1 : 0
        paid += life.funded === null || life.funded.payouts.length === 0 ? 0 : 1
      },
    ),
    { numRuns: 150 },
  )
  expect(kept).toBeLessThan(prices * 0.9)
  expect(failed).toBeGreaterThan(20)
  expect(paid).toBeGreaterThan(2)
})
