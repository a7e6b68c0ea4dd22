// Several strategies on one account: they add up to it, each moves only what is its own, and one alone is as if it were no portfolio.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { saveRun } from '../../../../src/backtest/export/saveRun.ts'
import { optionsOf, preparePlan } from '../../../../src/backtest/plan/options.ts'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { provenanceOf } from '../../../../src/backtest/plan/provenance.ts'
import { readPlan } from '../../../../src/backtest/plan/readPlan.ts'
import { plannedKind } from '../../../../src/backtest/portfolio/plannedKind.ts'
import { type PortfolioPart, portfolio } from '../../../../src/backtest/portfolio/portfolio.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { portfolioCard, portfolioSection } from '../../../../src/backtest/report/portfolioSection.ts'
import { type BacktestOptions, type BacktestResult, runBacktest } from '../../../../src/backtest/run/run.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { declaredGrid, declaredKeeper } from '../../../../src/backtest/sweep/declaredSets.ts'
import { runSweep } from '../../../../src/backtest/sweep/sweep.ts'
import { fp9, ONE } from '../../../../src/index.ts'
import { FRESH_SEED } from '../../../freshSeed.ts'
import { restlessTrader } from '../run/restlessTrader.ts'
import { wildMarket } from '../run/venue.ts'

const ACCOUNT = {
  balance: fp9('10000'),
  maxLeverage: fp9('60'),
  maxDailyLoss: fp9('40%'),
  maxTotalLoss: ONE,
  dailyBreach: 'freeze' as const,
}

function markets(seed: string, length: number): BacktestOptions['markets'] {
  return [wildMarket('BTC', `${seed}/btc`, length), wildMarket('ETH', `${seed}/eth`, length)]
}

function netOf({ statistics, costs }: BacktestResult): bigint {
  return statistics.netProfit - costs.transfers
}

function withoutCloseAll(strategy: Strategy): Strategy {
  const deaf = (context: StrategyContext) =>
    new Proxy(context, {
      get(target, name) {
        if (name === 'closeAll') return async () => ({ ok: true, value: [] })
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  return { ...strategy, onBar: (bar, context) => strategy.onBar?.(bar, deaf(context)) }
}

describe('the strategies of a portfolio', () => {
  test('add up to the account, to the last digit, whatever they do to the positions they share', async () => {
    const reached = { shared: 0, liquidated: 0, open: 0, funded: 0 }
    for (let run = 0; run < 8; run++) {
      const seed = `${FRESH_SEED}/${run}`
      const strategy = portfolio([
        { name: 'a', strategy: restlessTrader(`${seed}/a`, ['BTC'], 12) },
        { name: 'b', strategy: restlessTrader(`${seed}/b`, ['BTC', 'ETH'], 12) },
        { name: 'c', strategy: restlessTrader(`${seed}/c`, ['ETH'], 30), assets: ['ETH'] },
      ])
      const result = await runBacktest({ markets: markets(seed, 700), strategy, account: ACCOUNT, seed })
      const { parts = [], unattributed } = result.portfolio ?? {}
      const sum = (of: (part: (typeof parts)[number]) => bigint) =>
        parts.reduce((all, part) => all + of(part), 0n)
      expect(unattributed).toBe(0n)
      expect(sum(({ netProfit }) => netProfit)).toBe(netOf(result))
      expect(sum(({ fees }) => fees)).toBeGreaterThanOrEqual(result.costs.fees)
      expect(sum(({ fees }) => fees)).toBeLessThanOrEqual(
        result.costs.fees + result.costs.liquidationPenalties,
      )
      expect(sum(({ funding }) => funding)).toBe(-result.costs.funding)
      for (const { realizedPnl, fees, funding, openPnl, netProfit, earned } of parts) {
        expect(netProfit).toBe(realizedPnl - fees + funding + openPnl)
        expect(earned.at(-1)?.[1] ?? 0n).toBe(netProfit - openPnl)
      }
      reached.shared += sum(({ fills }) => BigInt(fills)) > BigInt(result.fills) ? 1 : 0
      reached.liquidated += result.liquidations
      reached.open += result.openPositions
      reached.funded += result.costs.funding === 0n ? 0 : 1
    }
    for (const times of Object.values(reached)) expect(times).toBeGreaterThan(0)
  })

  test('are nothing new where there is one: the run is the same', async () => {
    // It never closes all at once, which a portfolio does order by order.
    const trader = () => withoutCloseAll(restlessTrader('alone', ['BTC', 'ETH']))
    const run = (strategy: Strategy) =>
      runBacktest({ markets: markets('alone', 400), strategy, account: ACCOUNT })
    const plain = await run(trader())
    const found = await run(portfolio([{ name: 'only', strategy: trader() }]))
    expect(plain.fills).toBeGreaterThan(50)
    expect(found.stateHash).toBe(plain.stateHash)
    expect(found.portfolio?.parts[0]?.netProfit).toBe(netOf(plain))
    expect(found.portfolio?.parts[0]?.trades).toBe(plain.trades.length)
  })

  test('come to what each comes to alone, where they share neither a market nor a limit', async () => {
    const account = { ...ACCOUNT, balance: fp9('100000000'), maxDailyLoss: ONE }
    const trader = (asset: string): Strategy => {
      let bars = 0
      return {
        name: `fixed on ${asset}`,
        async onBar(bar, context) {
          if (bar.asset !== asset || ++bars % 7 !== 0) return
          const [position] = context.positions(asset)
          if (position !== undefined) await context.close({ position })
          else
            await context.open({
              ...{ asset, direction: bars % 2 === 0 ? 'long' : 'short', leverage: '5' },
              ...{ sizeBy: { notional: '500' } },
            })
        },
      }
    }
    const parts: PortfolioPart[] = ['BTC', 'ETH'].map((asset) => ({ name: asset, strategy: trader(asset) }))
    const both = await runBacktest({ markets: markets('apart', 400), strategy: portfolio(parts), account })
    for (const [index, asset] of ['BTC', 'ETH'].entries()) {
      const alone = await runBacktest({ markets: markets('apart', 400), strategy: trader(asset), account })
      expect(alone.fills).toBeGreaterThan(40)
      const part = both.portfolio?.parts[index]
      expect(part?.netProfit).toBe(netOf(alone))
      const { trades } = alone
      const sum = (of: (trade: (typeof trades)[number]) => bigint) =>
        trades.reduce((all, trade) => all + of(trade), 0n)
      // Each close pays its own fee and no other: what a trade is called follows from it.
      expect(part?.trades).toBe(trades.length)
      expect(part?.wins).toBe(trades.filter(({ pnl }) => pnl > 0n).length)
      expect(part?.wins).toBeLessThan(trades.filter(({ realizedPnl }) => realizedPnl > 0n).length)
      expect(part?.openPnl).toBe(
        part === undefined ? 0n : netOf(alone) - part.realizedPnl + part.fees - part.funding,
      )
      if (alone.openPositions === 0) expect(part?.fees).toBe(sum(({ fees }) => fees))
    }
  })

  test('close their own share of a position they share, by order, stop and trailing stop, and see no more of it', async () => {
    const seen: Record<string, bigint[]> = { a: [], b: [] }
    let whole: readonly bigint[] = []
    let bars = 0
    const entry = { asset: 'BTC', direction: 'long', leverage: '5' } as const
    const act = async (context: StrategyContext, name: 'a' | 'b', size: string) => {
      if (bars === 2)
        await context.open({
          ...entry,
          sizeBy: { base: size },
          ...(name === 'a' ? { trailingStop: { offsetPercent: '0.8%' } } : {}),
        })
      seen[name]?.push(context.positions()[0]?.size ?? 0n)
      for (const { positionId: _, ...order } of context.orders())
        expect(order.amount).toBe(fp9(name === 'a' ? '0.1' : '0.3'))
    }
    const watcher: Strategy = {
      name: 'watcher',
      onBar(_, context) {
        bars += 1
        whole = [...whole, context.positions()[0]?.size ?? 0n]
      },
    }
    const strategies = portfolio([
      { name: 'a', strategy: { name: 'a', onBar: (_, context) => act(context, 'a', '0.1') } },
      { name: 'b', strategy: { name: 'b', onBar: (_, context) => act(context, 'b', '0.3') } },
    ])
    const result = await runBacktest({
      markets: [wildMarket('BTC', 'shares', 60)],
      strategy: {
        ...strategies,
        async onBar(bar, context) {
          await watcher.onBar?.(bar, context)
          await strategies.onBar?.(bar, context)
        },
      },
      account: ACCOUNT,
    })
    // The trailing stop of one has closed what was its own, and the other has its share still.
    expect(whole).toContain(fp9('0.4'))
    expect(seen.a).toContain(fp9('0.1'))
    expect(whole.at(-1)).toBe(fp9('0.3'))
    expect(seen.a?.at(-1)).toBe(0n)
    expect(new Set(seen.b)).toEqual(new Set([0n, fp9('0.3')]))
    expect(result.portfolio?.parts.map(({ trades }) => trades)).toEqual([1, 0])
  })

  test('cannot touch an order of another, nor trade a market that is not theirs', async () => {
    let order = ''
    const open = { asset: 'BTC', direction: 'long', leverage: '2', sizeBy: { margin: '100' } } as const
    const first: Strategy = {
      name: 'first',
      async onBar(_, context) {
        if (order !== '') return
        const price = context.market('BTC').state.indexPrice
        const placed = await context.open({ ...open, type: 'limit', triggerPrice: price / 2n })
        if (placed.ok) order = placed.value.id
      },
    }
    const run = (second: Strategy, assets?: readonly string[]) => {
      order = ''
      return runBacktest({
        markets: markets('foreign', 5),
        strategy: portfolio([
          { name: 'first', strategy: first },
          { name: 'second', strategy: second, ...(assets === undefined ? {} : { assets }) },
        ]),
      })
    }
    const cancel: Strategy = {
      name: 'thief',
      onBar: async (_, context) => void (await context.cancel(order)),
    }
    await expect(run(cancel)).rejects.toThrow(/second has not placed the order/)
    const stray: Strategy = { name: 'stray', onBar: async (_, context) => void (await context.open(open)) }
    await expect(run(stray, ['ETH'])).rejects.toThrow(/second trades ETH and not BTC/)
    const closer: Strategy = {
      name: 'closer',
      async onEnd(context) {
        await context.closeAll()
        expect(context.orders()).toHaveLength(0)
        expect(context.of('main').orders().length).toBeGreaterThan(0)
      },
    }
    await run(closer)
  })

  test('are told of bars of their markets and of what concerns them', async () => {
    const told: string[] = []
    const listener = (name: string): Strategy => ({
      name,
      onStart: ({ assets }) => void told.push(`${name} trades ${assets}`),
      onBar: ({ asset }) => void told.push(`${name} ${asset}`),
      onEvent: (event) => void told.push(`${name} ${event.type}`),
    })
    const opener: Strategy = {
      ...listener('b'),
      onBar: async (_, context) =>
        void (await context.open({
          ...{ asset: 'ETH', direction: 'long', leverage: '2', sizeBy: { margin: '100' } },
        })),
    }
    await runBacktest({
      markets: markets('told', 2),
      strategy: delayed(
        portfolio([
          { name: 'a', strategy: listener('a'), assets: ['BTC'] },
          { name: 'b', strategy: opener, assets: ['ETH'] },
          { name: 'c', strategy: listener('c') },
        ]),
        0,
      ),
    })
    expect(told.slice(0, 3)).toEqual(['a trades BTC', 'b trades ETH', 'c trades BTC,ETH'])
    expect(told).toContain('b increasePosition')
    expect(told).not.toContain('a increasePosition')
    expect(told).toContain('a BTC')
    expect(told).not.toContain('a ETH')
  })
})

const PLAN: RunPlan = {
  strategy: 'portfolio',
  markets: [
    { asset: 'BTC', days: 1 },
    { asset: 'ETH', days: 1 },
  ],
  portfolio: [
    { name: 'trend', strategy: 'ema-cross', parameters: { slow: 90 } },
    { name: 'dips', strategy: 'mean-reversion', markets: ['ETH'] },
  ],
  parameters: { 'trend.fast': 15 },
}

describe('a plan with a portfolio', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-portfolio-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('has the parameters of all its strategies under their names, with what holds between them', async () => {
    const { parameters, constraints } = await plannedKind(PLAN)
    expect(parameters?.['trend.slow']?.default).toBe(90)
    expect(parameters?.['dips.lookback']?.default).toBe(240)
    expect(constraints.map(({ text }) => text)).toEqual(['trend.fast<trend.slow'])
    const isTaken = await declaredKeeper(PLAN)
    expect([isTaken({ 'trend.fast': 20 }), isTaken({ 'trend.fast': 100 })]).toEqual([true, false])
    expect(() => isTaken({ 'tend.fast': 20 })).toThrow(/no parameter tend.fast/)
    expect(Object.keys(await declaredGrid(PLAN))).toContain('dips.deviations')
  })

  test('is swept like any strategy, and saved with the part of each', async () => {
    const { rows } = await runSweep({ plan: PLAN, vary: { 'trend.fast': [10, 100, 30] }, workers: 1 })
    expect(rows.map(({ parameters }) => parameters)).toEqual([{ 'trend.fast': 10 }, { 'trend.fast': 30 }])
    expect(new Set(rows.map(({ figures }) => figures.stateHash)).size).toBe(2)
    const recording = new Recording()
    const options = optionsOf(PLAN, await preparePlan(PLAN))
    const result = await runBacktest({ ...options, recorder: recording })
    expect(result.strategy).toMatch(/^portfolio: trend \(EMA cross 15\/90 on BTC.*; dips \(/)
    await saveRun(folder, result, recording, null, await provenanceOf(PLAN))
    const saved = JSON.parse(readFileSync(path.join(folder, 'result.json'), 'utf8'))
    expect(saved.portfolio.parts).toHaveLength(2)
    const [header, ...lines] = readFileSync(path.join(folder, 'strategies.csv'), 'utf8').trim().split('\n')
    expect(header).toBe('strategy,at,earned')
    expect(lines.length).toBeGreaterThan(2)
    const section = portfolioSection(result)
    expect(section?.rows.map(({ name }) => name)).toEqual(['trend', 'dips', 'the account'])
    expect(portfolioCard(section)?.text).toContain('Strategies of the portfolio')
    expect(portfolioCard(null)).toBeNull()
  })

  test.each([
    [{ portfolio: [] }, /lists its strategies/],
    [{ strategy: 'breakout' }, /has the strategy portfolio, not breakout/],
    [{ portfolio: [{ name: 'a b', strategy: 'breakout' }] }, /a b is no name/],
    [
      {
        portfolio: [
          { name: 'a', strategy: 'breakout' },
          { name: 'a', strategy: 'ema-cross' },
        ],
      },
      /two of the name a/,
    ],
    [
      { portfolio: [{ name: 'a', strategy: 'breakout', markets: ['SOL'] }] },
      /a trades SOL, which is no market/,
    ],
  ])('is refused where it cannot be: %o', async (change, reason) => {
    await expect(preparePlan({ ...PLAN, ...change })).rejects.toThrow(reason)
  })

  test('needs strategies with names of their own', () => {
    expect(() => portfolio([])).toThrow(/needs a strategy/)
    const strategy = { name: 'idle' }
    expect(() =>
      portfolio([
        { name: 'a', strategy },
        { name: 'a', strategy },
      ]),
    ).toThrow(/same name/)
  })
})

test('the portfolio among the examples runs, and its fills say whose they are', async () => {
  const file = new URL('../../../../examples/own-strategy/portfolio.json', import.meta.url)
  const plan = readPlan(readFileSync(file, 'utf8'), 'portfolio.json') as RunPlan
  const recorder = new Recording()
  const { portfolio: found } = await runBacktest({ ...optionsOf(plan, await preparePlan(plan)), recorder })
  expect(found?.parts.map(({ name }) => name)).toEqual(['trend', 'dips'])
  for (const { name } of found?.parts ?? [])
    expect(recorder.fills.filter(({ part }) => part === name).length).toBeGreaterThan(5)
})
