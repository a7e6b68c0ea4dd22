// What a strategy declares of its parameters decides which values and sets are taken, and what is varied where nothing else is said.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunPlan } from '../../../../src/backtest/plan/plan.ts'
import { parseDimension } from '../../../../src/backtest/search/space.ts'
import {
  createStrategy,
  STRATEGY_NAMES,
  type StrategyKind,
  strategyKind,
  takenParameters,
} from '../../../../src/backtest/strategies/catalogue.ts'
import { loadStrategy } from '../../../../src/backtest/strategies/load.ts'
import {
  type DeclaredParameter,
  declaredParameters,
  rangeInWords,
  takenValue,
} from '../../../../src/backtest/strategies/parameters.ts'
import {
  declaredGrid,
  declaredKeeper,
  declaredSpace,
  spreadValues,
} from '../../../../src/backtest/sweep/declaredSets.ts'
import { combinations } from '../../../../src/backtest/sweep/grid.ts'
import { strategyHelp } from '../../../../src/cli/strategyHelp.ts'

const kind = (name: string) => strategyKind(name) as StrategyKind
const make = (name: string, parameters: Record<string, string | number>) => () =>
  createStrategy(kind(name), 'BTC', parameters)

describe('a value', () => {
  const whole: DeclaredParameter = { default: 20, whole: true, from: 2, to: 50 }
  const share: DeclaredParameter = { default: '10%', above: 0, to: '100%' }

  test('is taken at its bounds and refused one beyond, by the name of its parameter', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 60 }), (value) => {
        const taken = () => takenValue('fast', whole, value)
        if (value < 2) expect(taken).toThrow(`the parameter fast must be at least 2, not ${value}`)
        else if (value > 50) expect(taken).toThrow(`the parameter fast must be at most 50, not ${value}`)
        else expect(taken()).toBe(value)
        expect(() => takenValue('fast', whole, value + 0.5)).toThrow(RangeError)
      }),
    )
  })

  test('is a number where its default is one, and a text where that is', () => {
    expect(takenValue('fast', whole, '7')).toBe(7)
    expect(takenValue('margin', share, 7)).toBe('7')
    for (const text of ['', ' ', 'seven', '7%'])
      expect(() => takenValue('fast', whole, text)).toThrow(RangeError)
  })

  test('in percent is bound by bounds in percent, an amount only by the others', () => {
    expect(takenValue('margin', share, '100%')).toBe('100%')
    expect(() => takenValue('margin', share, '100.1%')).toThrow(/margin must be at most 100%/)
    expect(takenValue('margin', share, '5000')).toBe('5000')
    for (const none of ['0', '0%', '-1', 'much'])
      expect(() => takenValue('margin', share, none)).toThrow(/margin must be/)
  })

  test('of a choice is one of it', () => {
    const choice: DeclaredParameter = { default: 'both', values: ['both', 'long'] }
    expect(takenValue('side', choice, 'long')).toBe('long')
    expect(() => takenValue('side', choice, 'short')).toThrow('the parameter side must be one of both, long')
    expect(rangeInWords(choice)).toBe('one of both, long')
  })
})

describe('the strategies of the package', () => {
  test('are made with their defaults, and with both ends of every range they suggest', () => {
    let ends = 0
    for (const name of STRATEGY_NAMES) {
      expect(make(name, {})).not.toThrow()
      for (const [parameter, { search }] of Object.entries(kind(name).parameters ?? {})) {
        if (search === undefined) continue
        for (const value of spreadValues(parseDimension(parameter, search), 2)) {
          const others = parameter === 'fast' ? { slow: 10_000 } : parameter === 'slow' ? { fast: 1 } : {}
          expect(make(name, { ...others, [parameter]: value })).not.toThrow()
          ends += 1
        }
      }
    }
    expect(ends).toBeGreaterThan(12)
  })

  test('refuse by name what is unknown, out of range, or against what holds between parameters', () => {
    expect(make('breakout', { loockback: 5 })).toThrow(/breakout has no parameter loockback; it has: asset/)
    expect(make('breakout', { toString: 5 })).toThrow(/no parameter toString/)
    expect(make('breakout', { lookback: 1 })).toThrow(/lookback must be at least 2/)
    expect(make('ema-cross', { fast: 50 })).toThrow(/ema-cross needs fast<slow: fast is 50, slow is 50/)
    expect(make('ema-cross', { fast: 49 })).not.toThrow()
  })
})

describe('a sweep and a search', () => {
  const plan: RunPlan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }

  test('are given what the strategy suggests, and only sets that it takes', async () => {
    const grid = await declaredGrid({ strategy: 'ema-cross' })
    expect(Object.keys(grid)).toEqual(['fast', 'slow'])
    expect(grid.fast).toEqual([5, 34, 63, 91, 120])
    const isTaken = await declaredKeeper(plan)
    const sets = combinations(grid)
    const kept = sets.filter(isTaken)
    expect(kept.length).toBeLessThan(sets.length)
    expect(kept).toEqual(sets.filter(({ fast = 0, slow = 0 }) => fast < slow))
    expect(await declaredGrid({ strategy: 'ema-cross' }, ['slow'])).toEqual({ slow: grid.slow })
    expect((await declaredSpace({ strategy: 'breakout' })).map(({ name }) => name)).toEqual([
      'lookback',
      'width',
      'risk',
    ])
    await expect(declaredSpace({ strategy: 'breakout' }, ['leverage'])).rejects.toThrow(
      /where to look for leverage/,
    )
  })

  test('hold the fixed parameters of the plan against those that vary', async () => {
    const isTaken = await declaredKeeper({ ...plan, parameters: { slow: 30 } })
    expect([{ fast: 29 }, { fast: 30 }].map(isTaken)).toEqual([true, false])
    expect(() => isTaken({ fast: 0 })).toThrow(/fast must be at least 1/)
  })

  test('values go from one end to the other, in equal steps or equal ratios', () => {
    expect(spreadValues(parseDimension('a', '1:3'), 5)).toEqual([1, 2, 3])
    expect(spreadValues(parseDimension('a', '0.5:2.5'), 5)).toEqual([0.5, 1, 1.5, 2, 2.5])
    expect(spreadValues(parseDimension('a', '1%:16%:log'), 5)).toEqual(['1%', '2%', '4%', '8%', '16%'])
    expect(spreadValues(parseDimension('a', '10,20'), 5)).toEqual([10, 20])
  })
})

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'margin-core-parameters-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const strategy = "export default ({ fast, side }) => ({ name: ['mine', fast, side].join(' ') })\n"
  async function loaded(name: string, more: string): Promise<StrategyKind> {
    const file = path.join(folder, `${name}.mjs`)
    await writeFile(file, strategy + more)
    return loadStrategy(file)
  }

  test('declares a default alone or all of it, and what holds between', async () => {
    const mine = await loaded(
      'mine',
      "export const parameters = { fast: { default: 3, whole: true, search: '2:9' }, slow: 9, side: 'long' }\nexport const constraints = ['fast<slow']\n",
    )
    expect(takenParameters(mine, 'BTC', {})).toEqual({ asset: 'BTC', fast: 3, slow: 9, side: 'long' })
    expect(createStrategy(mine, 'BTC', { fast: '4' }).name).toBe('mine 4 long')
    expect(() => createStrategy(mine, 'BTC', { slow: 3 })).toThrow(/needs fast<slow: fast is 3, slow is 3/)
    const help = await strategyHelp(path.join(folder, 'mine.mjs'))
    expect(help).toContain('fast   a whole number (default: 3; searched: 2:9)')
    expect(help).toContain('A set has to keep fast<slow.')
    await loaded('free', 'export const parameters = { fast: 3 }\n')
    const free = await strategyHelp(path.join(folder, 'free.mjs'))
    expect(free).not.toContain('A set has to keep')
  })

  test('takes any name where it declares nothing', async () => {
    const open = await loaded('open', '')
    expect(createStrategy(open, 'BTC', { fast: 1, side: 'x' }).name).toBe('mine 1 x')
    expect(await strategyHelp(path.join(folder, 'open.mjs'))).toContain('takes any name=value')
    expect(await declaredGrid({ strategy: path.join(folder, 'open.mjs') })).toEqual({})
  })

  test('that declares what cannot be is refused, and says what', async () => {
    await expect(loaded('a', "export const constraints = ['fast<slow']")).rejects.toThrow(
      /names fast, which is no/,
    )
    await expect(loaded('b', 'export const parameters = { fast: { default: 3, from: 4 } }')).rejects.toThrow(
      /fast must be at least 4, not 3/,
    )
    const wide = "{ fast: { default: 3, to: 5, search: '2:9' } }"
    await expect(loaded('c', `export const parameters = ${wide}`)).rejects.toThrow(/fast must be at most 5/)
    for (const [said, message] of [
      [{ fast: { usual: 3 } }, /fast needs a default/],
      [{ fast: { default: 3, least: 1 } }, /fast says least; known are default/],
      [{ fast: { default: 3, from: 'low' } }, /the bound low, which is no decimal/],
      [[3], /must be an object/],
      [{ fast: Number.NaN }, /fast needs a default/],
    ] as const)
      expect(() => declaredParameters(said)).toThrow(message)
  })
})
