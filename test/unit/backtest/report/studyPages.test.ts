// The pages of studies: months and drawdowns are those of the days, and a page is whole, escaped, and fetches nothing.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  deepestDrawdowns,
  monthlyCards,
  monthlyReturns,
} from '../../../../src/backtest/report/monthlyReturns.ts'
import { planFacts } from '../../../../src/backtest/report/planFacts.ts'
import { renderWalkForward } from '../../../../src/backtest/report/walkForwardReport.ts'
import type { VariantFigures } from '../../../../src/backtest/sweep/variantFigures.ts'
import type { WalkForward } from '../../../../src/backtest/walkForward/walkForward.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 10, 20)
const series = fc
  .array(
    fc.integer({ min: -30, max: 40 }).map((percent) => percent / 100),
    { minLength: 1, maxLength: 120, size: 'max' },
  )
  .map((returns) => returns.map((value, index) => ({ day: START + index * DAY_MS, return: value })))

const FIGURES = {
  ...{ netProfit: '0', maxDrawdown: 0.1, sharpeRatio: null, sortinoRatio: null, calmarRatio: null },
  ...{ profitFactor: 1, winRate: 0.5, trades: 3, liquidations: 0, closestToLiquidation: null },
  ...{ decidedAt: null, daysToVerdict: null, failedBy: null, probabilityOfPassing: null },
  ...{ expectedDaysToPass: null, dailyReturns: [], stateHash: '', outcome: 'undecided' as const },
  costs: {} as VariantFigures['costs'],
}

const grown = (values: Iterable<number>) => [...values].reduce((equity, value) => equity * (1 + value), 1)

test('months compound to the whole, over the turn of a year', () => {
  let years = 0
  fc.assert(
    fc.property(series, (days) => {
      const found = monthlyReturns(days)
      const months = [...found.values()].flatMap((year) => [...year.values()])
      expect(grown(months)).toBeCloseTo(grown(days.map((day) => day.return)), 9)
      for (const [year, own] of found)
        for (const month of own.keys())
          expect(
            days.some(({ day }) =>
              new Date(day).toISOString().startsWith(`${year}-${String(month + 1).padStart(2, '0')}`),
            ),
          ).toBe(true)
      years = Math.max(years, found.size)
    }),
  )
  expect(years).toBe(2)
})

test('the deepest drawdown is the deepest fall from any day to a later one, and recovers where it is made good', () => {
  let recovered = 0
  fc.assert(
    fc.property(series, (days) => {
      const equity = [1]
      for (const day of days) equity.push((equity.at(-1) as number) * (1 + day.return))
      let deepest = 0
      for (const [from, high] of equity.entries())
        for (const low of equity.slice(from)) deepest = Math.max(deepest, 1 - low / high)
      const found = deepestDrawdowns(days, 200)
      expect(found[0]?.depth ?? 0).toBeCloseTo(deepest, 9)
      const valueAt = (day: number | null) => equity[day === null ? 0 : (day - START) / DAY_MS + 1] as number
      for (const { peak, trough, recovered: at, depth } of found) {
        expect(1 - valueAt(trough) / valueAt(peak)).toBeCloseTo(depth, 9)
        if (at === null) continue
        recovered += 1
        expect(valueAt(at)).toBeGreaterThanOrEqual(valueAt(peak))
      }
      expect(found.filter((drawdown) => drawdown.recovered === null).length).toBeLessThanOrEqual(1)
    }),
  )
  expect(recovered).toBeGreaterThan(50)
})

test('drawdowns are listed with the days they began, were lowest and recovered at', () => {
  const returns = [0.1, -0.2, 0.3, -0.05]
  const days = returns.map((value, index) => ({ day: START + index * DAY_MS, return: value }))
  const texts = (cards: ReturnType<typeof monthlyCards>) =>
    cards.map(({ text }) =>
      [...text.matchAll(/<td(?: class="number")?>([^<]*)<\/td>/g)].map(([, cell]) => cell),
    )
  expect(texts(monthlyCards(days))[1]).toEqual([
    ...['20.00%', '2025-11-20', '2025-11-21', '2025-11-22'],
    ...['5.00%', '2025-11-22', '2025-11-23', 'not yet'],
  ])
  const falling = days.slice(1, 2)
  expect(texts(monthlyCards(falling))[1]).toEqual(['20.00%', 'the beginning', '2025-11-21', 'not yet'])
  // Each day up is a new peak and each day down a drawdown from it, the next one less deep.
  const many = Array.from({ length: 24 }, (_, day) => (day % 2 === 0 ? 1 : -0.3 + day / 100))
  const listed = texts(
    monthlyCards(many.map((value, day) => ({ day: START + day * DAY_MS, return: value }))),
  )[1]
  expect(listed?.filter((cell) => cell?.endsWith('%'))).toEqual(
    Array.from({ length: 10 }, (_, index) => `${29 - 2 * index}.00%`),
  )
})

test('the page of a walk forward is whole, also where nothing was traded, and names are escaped', () => {
  const period = { from: START, to: START + DAY_MS }
  const outOfSample = {
    days: 0,
    totalReturn: 0,
    sharpeRatio: null,
    maxDrawdown: 0,
    profitableFolds: 0,
    efficiency: null,
  }
  const nothing: WalkForward = {
    ...{ sets: 1, outOfSample, stability: [], days: [], untraded: 1, thin: 0, reused: 0 },
    folds: [
      {
        train: period,
        test: period,
        chosen: null,
        inSample: null,
        outOfSample: null,
        bars: { train: 0, test: 0 },
      },
    ],
  }
  const plan = { strategy: 'x <b>', markets: [{ asset: 'BTC' }] }
  const days = [0.1, -0.05, 0].map((value, index) => ({
    ...{ day: START + index * DAY_MS, fold: 0, return: value, equity: 1 + value },
  }))
  for (const walked of [nothing, { ...nothing, days }]) {
    const page = renderWalkForward(plan, walked)
    expect(page).toContain('x &lt;b&gt;')
    expect(page).toMatch(/<\/html>\n$/)
    expect(page.slice(0, page.indexOf('<script'))).not.toMatch(/NaN|undefined|https?:/)
    expect(page).toMatch(/script-src &#39;sha256-/)
    const [from, to] = [period.from, period.to].map((time) => new Date(time).toISOString().split('T')[0])
    expect(page.split(`<td>${from} to ${to}</td>`)).toHaveLength(3)
  }
  expect(renderWalkForward(plan, { ...nothing, days })).toMatch(
    /2025<\/th>(<td class="number">–<\/td>){10}<td class="number gain">4\.50%/,
  )
})

test('a walk forward by an objective of its own shows it of each fold, in training and in test', () => {
  const period = { from: START, to: START + DAY_MS }
  const figures = (loss: number) => ({ ...FIGURES, loss, totalReturn: 0.25 })
  const outOfSample = { days: 1, totalReturn: 0, sharpeRatio: null, maxDrawdown: 0 }
  const walked: WalkForward = {
    ...{ sets: 1, stability: [], days: [], untraded: 0, thin: 0, reused: 0 },
    outOfSample: { ...outOfSample, profitableFolds: 0, efficiency: null },
    folds: [
      {
        ...{ train: period, test: period, chosen: { fast: 5 }, bars: { train: 1, test: 1 } },
        ...{ inSample: figures(-3.5), outOfSample: figures(7.25) },
      },
    ],
  }
  const plan = { strategy: 'x', markets: [{ asset: 'BTC' }] }
  const page = renderWalkForward(plan, walked, { name: 'ulcer <i>', figure: 'loss' })
  expect(page).toContain('<th scope="col" class="number">ulcer &lt;i&gt; in training</th>')
  expect(page).toContain(
    '<td class="number">−3.5</td><td class="number">7.25</td><td class="number">25.00%</td>',
  )
  expect(page).toContain('Return in test')
  expect(renderWalkForward(plan, walked)).not.toMatch(/7\.25|Return in test/)
})

test('a parameter that varied is not told as fixed, though the plan names it', () => {
  const plan = { strategy: 'x', markets: [{ asset: 'BTC' }], parameters: { fast: 5, slow: 9 } }
  const fixed = (sets: Record<string, unknown>[]) =>
    planFacts(plan, sets).filter(([name]) => name === 'Fixed')
  expect(fixed([{ fast: 7 }, { fast: 8 }])).toEqual([['Fixed', 'slow=9']])
  expect(fixed([{ fast: 7, slow: 20 }])).toEqual([])
})
