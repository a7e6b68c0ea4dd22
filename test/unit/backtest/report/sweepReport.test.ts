import { expect, test } from 'vitest'
import { renderSweepReport } from '../../../../src/backtest/report/sweepReport.ts'
import type { SweepRow } from '../../../../src/backtest/sweep/variant.ts'

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
