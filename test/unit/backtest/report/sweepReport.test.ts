import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSweepReport } from '../../../../src/backtest/report/sweepReport.ts'
import { readableHeatMap } from '../../../../src/backtest/sweep/heatMap.ts'
import type { SweepRow } from '../../../../src/backtest/sweep/variantFigures.ts'
import '../../../seeds.ts'

const NOTHING = {
  netProfit: '0',
  maxDrawdown: 0.1,
  sharpeRatio: null,
  sortinoRatio: null,
  calmarRatio: null,
  profitFactor: 1,
  winRate: 0.5,
  trades: 3,
  liquidations: 0,
  probabilityOfPassing: null,
  expectedDaysToPass: null,
  dailyReturns: [],
  closestToLiquidation: null,
  outcome: 'undecided',
  decidedAt: null,
  daysToVerdict: null,
  failedBy: null,
  stateHash: '',
} as const

const row = (parameters: SweepRow['parameters'], totalReturn: number | null): SweepRow => ({
  parameters,
  figures: { ...NOTHING, totalReturn, costs: {} as SweepRow['figures']['costs'] },
})

/** The cells of the heat map as text, and the colour and strength behind each. */
function cellsOf(page: string): [text: string, colour: string, percent: number][] {
  const table = page.slice(page.indexOf('<table class="heat">'), page.indexOf('</table>'))
  const cell =
    /<td class="number"(?: style="background: color-mix\(in oklab, var\(--(\w+)\) (\d+)%[^"]*")?>([^<]*)</g
  return [...table.matchAll(cell)].map(([, colour, percent, text]) => [
    text ?? '',
    colour ?? '',
    Number(percent ?? 0),
  ])
}

const render = (rows: readonly SweepRow[], options = {}) =>
  renderSweepReport({ strategy: 'x <b>', rows, rankedBy: 'totalReturn', software: 'test', ...options })

const GRID = [
  row({ fast: 1, slow: 10, margin: '1%' }, 0.2),
  row({ fast: 2, slow: 10, margin: '1%' }, -0.1),
  row({ fast: 1, slow: 20, margin: '1%' }, null),
  row({ fast: 2, slow: 20, margin: '1%' }, 0.05),
]

test('one cell for each pair of values, better than neutral in one colour, worse in the other, by distance', () => {
  expect(cellsOf(render(GRID))).toEqual([
    ['20.00%', 'gain', 55],
    ['−10.00%', 'loss', 28],
    ['–', '', 0],
    ['5.00%', 'gain', 14],
  ])
})

test('axes as asked for, and one line where one parameter varies', () => {
  expect(cellsOf(render(GRID, { axes: ['slow', 'fast'] })).map(([text]) => text)).toEqual([
    '20.00%',
    '–',
    '−10.00%',
    '5.00%',
  ])
  expect(cellsOf(render(GRID.slice(0, 2))).map(([text]) => text)).toEqual(['20.00%', '−10.00%'])
})

/** Sets of a search: hardly two of them share a value. */
const SCATTERED = Array.from({ length: 72 }, (_, set) =>
  row({ fast: 5 + ((set * 29) % 72), width: `${((set * 41) % 72) / 8 + 1}%` }, ((set * 29) % 72) / 100),
)

test('sets that lie on no grid are put into ranges of about as many each, and that is said', () => {
  const page = render(SCATTERED)
  const cells = cellsOf(page)
  // Six ranges of twelve sets on each side, of which a cell is the best: the last range of `fast` has the best of all.
  expect(cells).toHaveLength(36)
  expect(cells.filter(([text]) => text === '–').length).toBeLessThan(12)
  expect(cells.map(([text]) => text)).toContain('71.00%')
  expect(page).toContain('<th scope="col" class="number">5 – 16</th>')
  expect(page).toContain('<th scope="row">1% – 2.38%</th>')
  expect(page).toContain('The sets do not lie on a grid')
  expect(render(GRID)).not.toContain('The sets do not lie on a grid')
})

test('every set is in exactly one field, whatever the values, and a field is the best of its sets', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ x: fc.integer({ min: -9, max: 60 }), y: fc.nat({ max: 9 }), value: fc.integer() }),
        {
          minLength: 2,
          maxLength: 60,
        },
      ),
      (sets) => {
        const rows = sets.map(({ x, y, value }) => row({ x, y: y > 7 ? 'none' : y }, value))
        const { cells, x, y } = readableHeatMap(rows, 'x', 'y', 'totalReturn')
        const told = cells.flat().filter((value) => value !== null)
        const values = sets.map(({ value }) => value)
        expect(told).toContain(Math.max(...values))
        for (const value of told) expect(values).toContain(value)
        expect(cells.map((line) => line.length)).toEqual(y.values.map(() => x.values.length))
        // No side has a place without a set.
        expect(cells.every((line) => line.some((value) => value !== null))).toBe(true)
        expect(x.values.every((_, at) => cells.some((line) => line[at] !== null))).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('one parameter of a search makes a line of ranges', () => {
  const rows = Array.from({ length: 50 }, (_, set) => row({ fast: (set * 7) % 50 }, set))
  expect(cellsOf(render(rows))).toHaveLength(12)
})

test('where a figure has no neutral value, more colour is more of it', () => {
  const rows = [0.1, 0.3].map((maxDrawdown, fast) => {
    const { parameters, figures } = row({ fast }, 0)
    return { parameters, figures: { ...figures, maxDrawdown } }
  })
  expect(cellsOf(render(rows, { rankedBy: 'maxDrawdown' }))).toEqual([
    ['10.00%', 'accent', 0],
    ['30.00%', 'accent', 55],
  ])
})

test('a hundred sets are all listed, and of more it is said how many there are', () => {
  const page = (count: number) => render(Array.from({ length: count }, (_, fast) => row({ fast }, fast)))
  expect(page(100)).not.toContain('The best 100')
  expect(page(101)).toContain('The best 100 of 101.')
})

test('equal figures, one run, a figure nobody has: the page is whole, names are escaped, nothing is fetched', () => {
  for (const rows of [
    GRID.slice(0, 1),
    GRID.map(({ parameters }) => row(parameters, 0)),
    GRID.map(({ parameters }) => row(parameters, null)),
  ]) {
    const page = render(rows)
    expect(page).toContain('x &lt;b&gt;')
    expect(page).toMatch(/<\/html>\n$/)
    expect(page.slice(0, page.indexOf('<script'))).not.toMatch(/NaN|https?:/)
    expect(page.slice(0, page.indexOf('<script'))).not.toContain('undefined')
  }
})
