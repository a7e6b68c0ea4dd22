// What a changed rule would have cost: the lines differ where the rule differs, and the runs are told apart.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { changedPlan } from '../../../../src/backtest/whatIf/changes.ts'
import { whatIf } from '../../../../src/backtest/whatIf/whatIf.ts'
import { createEngine } from '../../../../src/index.ts'

const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 2 }],
  strategy: 'ema-cross',
  parameters: { fast: 10, slow: 30, margin: '5%' },
  account: { maxDailyLoss: '100%', maxTotalLoss: '100%' },
}

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-what-if-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Bars of ten seconds, half a minute up and half a minute down: every flip falls inside the minute. */
function zigzag(step = 500): string {
  const rows = ['time,open,high,low,close,volume']
  let open = 100_000
  for (let bar = 0; bar < 360; bar++) {
    const close = bar % 6 < 3 ? open + step : open - step
    const time = Date.UTC(2026, 0, 5, 12) + bar * 10_000
    rows.push([time, open, Math.max(open, close), Math.min(open, close), close, 1].join())
    open = close
  }
  const file = path.join(folder, `zigzag-${step}.csv`)
  writeFileSync(file, `${rows.join('\n')}\n`)
  return file
}

describe('what if', () => {
  test('a change that changes nothing leaves every line and every trade', async () => {
    const { base, changed } = await whatIf({ plan, changes: ['spread=0.03%', 'target=50%'] })
    for (const run of changed) {
      expect(run.netProfitDifference).toBe('0')
      expect(Object.values(run.costDifferences).every((difference) => difference === '0')).toBe(true)
      expect(run.firstDifference).toBeNull()
      expect(run.figures.costs).toEqual(base.costs)
    }
  })

  test('a run without a trade differs from the first trade of the other, whichever of them it is', async () => {
    const none = { ...plan, parameters: { ...plan.parameters, leverage: '4000' } }
    const leverage = '5'
    const less = (await whatIf({ plan, changes: ['leverage=4000'] })).changed[0]
    const more = (await whatIf({ plan: none, changes: [`leverage=${leverage}`] })).changed[0]
    expect(less?.figures.trades).toBe(0)
    expect(more?.figures.trades).toBeGreaterThan(0)
    expect(less?.firstDifference).toMatchObject({ index: 0, would: null })
    expect(more?.firstDifference).toMatchObject({ index: 0, was: null })
    expect(less?.firstDifference?.was).not.toBeNull()
    expect(more?.firstDifference?.would).not.toBeNull()
  })

  test('no fee: no fees, a difference from the first trade on, and more profit', async () => {
    const { base, changed } = await whatIf({ plan, changes: ['fee-rate=0'] })
    expect(changed[0]?.figures.costs.fees).toBe('0')
    expect(Number(changed[0]?.costDifferences.fees)).toBe(-Number(base.costs.fees))
    expect(changed[0]?.firstDifference?.index).toBe(0)
    expect(Number(changed[0]?.netProfitDifference)).toBeGreaterThan(0)
  })

  test('without the 60-second rule nothing is given up to it, and the gain is what the first run gave up', async () => {
    const quick: RunPlan = {
      ...plan,
      markets: [{ asset: 'BTC', data: zigzag() }],
      parameters: { fast: 1, slow: 2, margin: '1%' },
    }
    const { base, changed } = await whatIf({ plan: quick, changes: ['profit-cap=off', 'profit-cap=on'] })
    expect(changed[0]?.figures.costs.profitCap).toBe('0')
    expect(changed[1]?.netProfitDifference).toBe('0')
    expect(Number(base.costs.profitCap)).toBeGreaterThan(0)
    expect(Number(changed[0]?.netProfitDifference)).toBeGreaterThan(0)
    expect(changed[0]?.firstDifference?.would?.pnl).toBeGreaterThan(
      changed[0]?.firstDifference?.was?.pnl ?? 0n,
    )
  })

  // The zigzag moves in steps of 20 and is lowest at 100,000: two steps are 0.04% there, and less at every other price.
  test('slippage in ticks is at least so many steps of the prices on every fill, whatever the other market has', async () => {
    const other = path.join(folder, 'other.csv')
    writeFileSync(
      other,
      `time,price\n${[3000, 2999.5, 3001].map((price, at) => [Date.UTC(2026, 0, 5, 12, at), price].join()).join('\n')}\n`,
    )
    const two: RunPlan = {
      ...plan,
      markets: [
        { asset: 'ETH', data: other },
        { asset: 'BTC', data: zigzag(20) },
      ],
      strategy: 'portfolio',
      portfolio: [
        {
          name: 'one',
          strategy: 'ema-cross',
          parameters: { fast: 1, slow: 2, margin: '1%' },
          markets: ['BTC'],
        },
      ],
      parameters: {},
    }
    const { base, changed } = await whatIf({
      plan: two,
      changes: ['slippage=2ticks', 'slippage=0.04%'],
    })
    const [inTicks, asRate] = changed
    expect(base.trades).toBeGreaterThan(10)
    // The spread of the other market is part of the state, and not of any figure.
    expect({ ...inTicks?.figures, stateHash: '' }).toEqual({ ...asRate?.figures, stateHash: '' })
    expect(inTicks?.figures.costs.spread).not.toBe(base.costs.spread)
    expect(
      changedPlan(
        two,
        'slippage=1tick',
        new Map([
          ['BTC', { step: 3n, lowest: 7n }],
          ['ETH', { step: 1n, lowest: 2n }],
        ]),
      ).markets,
    ).toMatchObject([{ parameters: { spread: '50.03%' } }, { parameters: { spread: '42.8871429%' } }])
  })

  test.each(['slippage=0ticks', 'slippage=1.5ticks', 'slippage=ticks', 'slippage=-1ticks'])(
    '%s is refused',
    async (change) => {
      await expect(whatIf({ plan, changes: [change] })).rejects.toThrow(/slippage|spread/)
    },
  )

  test('ticks without the prices of a run are refused', () => {
    expect(() => changedPlan(plan, 'slippage=2ticks')).toThrow(
      'slippage: 2ticks are told of the prices of one run only',
    )
  })

  test('several rules at once, and rules of the account', () => {
    const changed = changedPlan(plan, 'spread=0,leverage=3,drawdown=trailing_eod')
    expect(changed.markets[0]?.parameters).toEqual({ spread: '0' })
    expect(changed.parameters).toMatchObject({ leverage: '3' })
    expect(changed.account).toMatchObject({ drawdownMode: 'trailing_eod', maxDailyLoss: '100%' })
  })

  test.each(['gravity=off', 'spread', 'profit-cap=maybe'])('%s is refused', (change) => {
    expect(() => changedPlan(plan, change)).toThrow(/gravity|spread|profit-cap/)
  })

  test('an engine with a log has the rules of the venue and no others', () => {
    expect(() => createEngine({ rules: { profitWindowMs: 0 } })).toThrow(RangeError)
  })
})
