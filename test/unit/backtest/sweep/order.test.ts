// Which set is best: several objectives at once, places instead of peaks, and what a set must keep.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parametersKeep, parseConstraint } from '../../../../src/backtest/strategies/constraint.ts'
import { dividedConstraints, rowKeeps } from '../../../../src/backtest/sweep/constraint.ts'
import { combinations } from '../../../../src/backtest/sweep/grid.ts'
import { orderedRows } from '../../../../src/backtest/sweep/order.ts'
import { dominates, paretoFronts } from '../../../../src/backtest/sweep/pareto.ts'
import { plateaus } from '../../../../src/backtest/sweep/plateau.ts'
import type { Ranking } from '../../../../src/backtest/sweep/ranking.ts'
import type { SweepRow } from '../../../../src/backtest/sweep/variantFigures.ts'

const rowOf = (parameters: SweepRow['parameters'], figures: object) =>
  ({ parameters, figures }) as unknown as SweepRow

const objectives: readonly Ranking[] = ['sharpeRatio', 'maxDrawdown', 'totalReturn']
const some = fc.array(
  fc.record({
    sharpeRatio: fc.option(fc.integer({ min: -3, max: 3 })),
    maxDrawdown: fc.integer({ min: 0, max: 3 }),
    totalReturn: fc.integer({ min: -2, max: 2 }),
  }),
  { maxLength: 25 },
)

/** Peels front after front, looking at every pair. */
function peeledFronts(rows: readonly SweepRow[]): number[] {
  const fronts = rows.map(() => 0)
  for (let front = 1; fronts.includes(0); front++) {
    const left = rows.filter((_, index) => fronts[index] === 0)
    for (const row of left.filter((row) => !left.some((other) => dominates(other, row, objectives))))
      fronts[rows.indexOf(row)] = front
  }
  return fronts
}

test.each(['maxDrawdown', 'expectedDaysToPass'] as const)(
  'of %s less is better, and none is worst',
  (figure) => {
    const rows = [5, null, 3, 4].map((value, at) => rowOf({ at }, { [figure]: value }))
    for (const plateau of [false, true])
      expect(orderedRows(rows, { by: [figure], plateau }).at(-1)?.figures[figure]).toBeNull()
    expect(orderedRows(rows, { by: [figure] }).map(({ figures }) => figures[figure])).toEqual([3, 4, 5, null])
  },
)

describe('Pareto fronts', () => {
  test('are what is left when front after front is taken away', () => {
    fc.assert(
      fc.property(some, (figures) => {
        const rows = figures.map((of, at) => rowOf({ at }, of))
        expect(paretoFronts(rows, objectives)).toEqual(peeledFronts(rows))
      }),
    )
  })

  test('come one after the other, the better in the first objective before the others', () => {
    const rows = [
      [1, 0.1],
      [2, 0.2],
      [0, 0.3],
      [3, 0.4],
    ].map(([sharpeRatio, maxDrawdown], at) => rowOf({ at }, { sharpeRatio, maxDrawdown }))
    const ordered = orderedRows(rows, { by: ['sharpeRatio', 'maxDrawdown'] })
    expect(ordered.map(({ parameters, front }) => [parameters.at, front])).toEqual([
      [3, 1],
      [1, 1],
      [0, 1],
      [2, 2],
    ])
  })
})

describe('plateaus', () => {
  test('are means over the sets that differ by one step in one parameter', () => {
    const axis = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(axis, axis, fc.infiniteStream(fc.integer({ min: -9, max: 9 })), (a, b, values) => {
        const rows = combinations({ a, b }).map((set) => rowOf(set, { totalReturn: values.next().value }))
        const [across, down] = [a, b].map((axis) => [...axis].sort((x, y) => x - y)) as [number[], number[]]
        const place = ({ parameters }: SweepRow) =>
          [across.indexOf(parameters.a as number), down.indexOf(parameters.b as number)] as const
        const expected = rows.map((row) => {
          const near = rows.filter((other) => {
            const [x, y] = place(row)
            const [toX, toY] = place(other)
            return Math.abs(x - toX) + Math.abs(y - toY) <= 1
          })
          return near.reduce((sum, { figures }) => sum + (figures.totalReturn as number), 0) / near.length
        })
        plateaus(rows, 'totalReturn').forEach((mean, index) => {
          expect(mean).toBeCloseTo(expected[index] as number, 12)
        })
      }),
    )
  })

  test('beat a lonely peak; of drawdowns the lower place is better', () => {
    const rows = [1, 9, 1, 5, 6, 5, 1].map((height, at) =>
      rowOf({ at }, { sharpeRatio: height, maxDrawdown: height }),
    )
    const first = (by: Ranking, plateau: boolean) =>
      orderedRows(rows, { by: [by], plateau })[0]?.parameters.at
    expect(first('sharpeRatio', false)).toBe(1)
    expect(first('sharpeRatio', true)).toBe(4)
    expect(first('maxDrawdown', true)).toBe(6)
  })

  test('of passing are the share that passed', () => {
    const rows = ['passed', 'failed', 'passed'].map((outcome, at) => rowOf({ at }, { outcome }))
    expect(plateaus(rows, 'evaluation')).toEqual([1 / 2, 2 / 3, 1 / 2])
  })
})

describe('constraints', () => {
  test.each([
    ['fast<slow', { fast: 5, slow: 9 }, true],
    ['fast<slow', { fast: 9, slow: 9 }, false],
    ['fast<=slow', { fast: 9, slow: 9 }, true],
    ['risk>0.5%', { risk: '1%' }, true],
    ['risk>=2%', { risk: '1%' }, false],
    ['kind>1', { kind: 'wide' }, false],
  ])('%s of %o: %s', (text, parameters, kept) => {
    expect(parametersKeep(parameters as SweepRow['parameters'], [parseConstraint(text)])).toBe(kept)
  })

  test('what has no figure keeps none on it', () => {
    const row = rowOf({ fast: 5 }, { trades: 30, sharpeRatio: null, maxDrawdown: 0.04, netProfit: '-12.5' })
    const keeps = (text: string) => rowKeeps(row, [parseConstraint(text)])
    expect(['trades>=30', 'maxDrawdown<5%', 'netProfit<0', 'trades>fast'].map(keeps)).toEqual(
      new Array(4).fill(true),
    )
    expect(['sharpeRatio>0', 'sharpeRatio<=0', 'trades>30'].map(keeps)).toEqual([false, false, false])
    expect(orderedRows([row], { by: ['trades'], constraints: [parseConstraint('trades>30')] })).toEqual([])
  })

  test('on parameters alone are known before a run, others after it, and unknown names are refused', () => {
    const given = ['fast<slow', 'trades>30', 'trades>fast'].map(parseConstraint)
    const { ofParameters, ofFigures } = dividedConstraints(given, ['fast', 'slow'])
    expect(ofParameters.map(({ text }) => text)).toEqual(['fast<slow'])
    expect(ofFigures.map(({ text }) => text)).toEqual(['trades>30', 'trades>fast'])
    expect(() => dividedConstraints(given, ['fast'])).toThrow(/slow is neither a parameter/)
  })

  test.each(['fast', 'fast<', 'a<b<c', 'trades>=3x'])('%s is no condition', (text) =>
    expect(() => parseConstraint(text)).toThrow(RangeError),
  )
})
