/** A sweep or a search as one HTML file: a heat map over two parameters, how sets are spread, and the best of them. */

import { ownFigure, ratio, share } from '../output/presentation.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { ParameterValue } from '../strategies/parameterValue.ts'
import { readableHeatMap } from '../sweep/heatMap.ts'
import { figureOf, OWN_FIGURES, type RankedFigure, type Ranking, ranked } from '../sweep/ranking.ts'
import type { SweepRow } from '../sweep/variantFigures.ts'
import { barChart } from './barChart.ts'
import { histogram } from './histogram.ts'
import { type Html, html } from './html.ts'
import { planFacts } from './planFacts.ts'
import { staticPage } from './staticPage.ts'

/** What the report of a sweep shows. */
export interface SweepReport {
  readonly strategy: string
  /** In the order of the grid; at least one. */
  readonly rows: readonly SweepRow[]
  readonly rankedBy: Ranking
  /** The sets that are listed, best first; default: all, ranked. */
  readonly best?: readonly SweepRow[]
  /** What was run: its data, period and fixed parameters are told. */
  readonly plan?: RunPlan
  /** What the choice is worth, a sentence each; see `evidenceLines`. */
  readonly evidence?: readonly string[]
  /** The two parameters of the heat map; default: the first two that vary. */
  readonly axes?: readonly [x: string, y: string]
  /** What the plan's objective calls its figure; default: `Objective`, or `Loss`. */
  readonly objective?: string
  /** What the sets come from; default: `Sweep report`. */
  readonly kind?: string
  /** Name and version of the software. */
  readonly software: string
}

const ROWS = 100

interface FigureForm {
  readonly name: string
  readonly isFraction: boolean
  /** Where it says neither well nor badly; null where there is no such place. */
  readonly neutral: number | null
}

const FORMS: Readonly<Record<RankedFigure, FigureForm>> = {
  totalReturn: { name: 'Total return', isFraction: true, neutral: 0 },
  netProfit: { name: 'Net profit', isFraction: false, neutral: 0 },
  sharpeRatio: { name: 'Sharpe ratio', isFraction: false, neutral: 0 },
  sortinoRatio: { name: 'Sortino ratio', isFraction: false, neutral: 0 },
  calmarRatio: { name: 'Calmar ratio', isFraction: false, neutral: 0 },
  profitFactor: { name: 'Profit factor', isFraction: false, neutral: 1 },
  winRate: { name: 'Win rate', isFraction: true, neutral: null },
  maxDrawdown: { name: 'Max drawdown', isFraction: true, neutral: null },
  trades: { name: 'Trades', isFraction: false, neutral: null },
  probabilityOfPassing: { name: 'Probability of passing', isFraction: true, neutral: null },
  expectedDaysToPass: { name: 'Expected days to pass', isFraction: false, neutral: null },
  objective: { name: 'Objective', isFraction: false, neutral: null },
  loss: { name: 'Loss', isFraction: false, neutral: null },
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * const page = renderSweepReport({ strategy: 'ema-cross', rows, rankedBy: 'totalReturn', software: 'mine' })
 * page.includes('</html>') // → true
 * ```
 *
 * @throws RangeError for an axis that the sweep does not vary; PlanError for a period of the plan that is none.
 */
export function renderSweepReport(report: SweepReport): string {
  const { strategy, rows, rankedBy, software } = report
  const passed = rows.filter(({ figures }) => figures.outcome === 'passed').length
  const facts: (readonly [string, string])[] = [
    ['Runs', String(rows.length)],
    ['Passed the evaluation', String(passed)],
    ['Ranked by', rankedBy === 'evaluation' ? 'Passing, the sooner the better' : nameOf(report, rankedBy)],
    ...(report.plan === undefined
      ? []
      : planFacts(
          report.plan,
          rows.map(({ parameters }) => parameters),
        )),
  ]
  return staticPage({
    kind: report.kind ?? 'Sweep report',
    title: strategy,
    facts,
    cards: [evidenceCard(report.evidence ?? []), heatMapCard(report), outcomeCard(report), bestCard(report)],
    caution: 'The best of many sets has always been lucky as well.',
    software,
  })
}

/** How the figure that is ranked by is spread over all sets. */
function outcomeCard(report: SweepReport): Html | null {
  const { rows, rankedBy } = report
  const shown = rankedBy === 'evaluation' ? 'totalReturn' : rankedBy
  const values = rows.map((row) => figureOf(row, shown)).filter((value) => value !== null)
  const chart = barChart(
    `Sets by ${nameOf(report, shown)}`,
    values.length < 2 ? null : histogram(values),
    (value) => formatted(value, shown),
  )
  if (chart === null) return null
  return html`<section class="card" id="outcomes" aria-label="Distribution of outcomes">
<div class="head"><h2>${nameOf(report, shown)} of all sets</h2><span class="hint">how many sets came to how much</span></div>
${chart}
</section>`
}

function evidenceCard(sentences: readonly string[]): Html | null {
  if (sentences.length === 0) return null
  return html`<section class="card" id="evidence" aria-label="Evidence">
<div class="head"><h2>What the choice is worth</h2></div>
${sentences.map((sentence) => html`<p class="prose">${sentence}</p>`)}
</section>`
}

/** The map of the page as lines; null where nothing varies, and `y` undefined where one parameter does. */
export function shownHeatMap({ rows, rankedBy, axes }: Pick<SweepReport, 'rows' | 'rankedBy' | 'axes'>) {
  const [x, y] = axes ?? varyingNames(rows)
  if (x === undefined) return null
  const map = readableHeatMap(rows, x, y ?? x, rankedBy)
  // One parameter makes one line, its cells the diagonal of the map over itself.
  const lines =
    y === undefined
      ? [{ head: '', cells: map.cells.map((line, index) => line[index] ?? null) }]
      : map.y.values.map((value, index) => ({ head: value, cells: map.cells[index] ?? [] }))
  return { x, y, figure: map.figure, across: map.x.values, lines, isRanged: map.isRanged }
}

function heatMapCard(report: SweepReport): Html | null {
  const map = shownHeatMap(report)
  if (map === null) return null
  const { x, y, figure: shown, across, lines } = map
  const shade = shadeOf(
    lines.flatMap(({ cells }) => cells),
    FORMS[shown].neutral,
  )
  return html`<section class="card" id="heat-map" aria-label="Heat map">
<div class="head"><h2>${nameOf(report, shown)} over ${y === undefined ? x : `${x} and ${y}`}</h2></div>
<div class="scroll"><table class="heat">
<thead><tr><th scope="col">${y === undefined ? x : `${y} \\ ${x}`}</th>${across.map((value) => html`<th scope="col" class="number">${text(value)}</th>`)}</tr></thead>
<tbody>${lines.map(
    ({
      head,
      cells,
    }) => html`<tr><th scope="row">${text(head)}</th>${cells.map((value) => cell(value, shown, shade))}</tr>
`,
  )}</tbody>
</table></div>
<p class="prose muted">${map.isRanged ? RANGED : 'Where other parameters vary too, the best of them.'} Blue is better than neutral, orange is worse; where a figure has no neutral value, more colour is more of it.</p>
</section>`
}

const RANGED =
  'The sets do not lie on a grid, so a field is the best of those whose values lie in its ranges, each with about as many sets; a dash where there is none.'

function cell(value: number | null, figure: RankedFigure, shade: (value: number) => string): Html {
  const background = value === null ? null : html` style="background: ${shade(value)}"`
  return html`<td class="number"${background}>${formatted(value, figure)}</td>`
}

/** Colour by the distance from neutral, as a part of the largest there is; it never hides the text. */
function shadeOf(values: readonly (number | null)[], neutral: number | null): (value: number) => string {
  const known = values.filter((value) => value !== null && Number.isFinite(value)) as number[]
  const from = neutral ?? Math.min(...known)
  const farthest = Math.max(...known.map((value) => Math.abs(value - from)), Number.MIN_VALUE)
  return (value) => {
    const part = Math.round(Math.min(Math.abs(value - from) / farthest, 1) * STRONGEST)
    const colour = neutral === null ? '--accent' : value < from ? '--loss' : '--gain'
    return `color-mix(in oklab, var(${colour}) ${part}%, transparent)`
  }
}

/** Percent of the colour at the strongest. */
const STRONGEST = 55

function bestCard(report: SweepReport): Html {
  const { rows, rankedBy, best: listed } = report
  const all = listed ?? ranked(rows, rankedBy)
  const best = all.slice(0, ROWS)
  const names = Object.keys(rows[0]?.parameters ?? {})
  const figures = (Object.keys(FORMS) as RankedFigure[]).filter((figure) =>
    rows.some((row) => figureOf(row, figure) !== null),
  )
  const more = all.length > ROWS ? html`<p class="prose muted">The best ${ROWS} of ${all.length}.</p>` : null
  return html`<section class="card" id="best" aria-label="Best sets">
<div class="head"><h2>Best sets</h2></div>
<div class="scroll"><table class="sortable">
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}${figures.map((figure) => html`<th scope="col" class="number">${nameOf(report, figure)}</th>`)}<th scope="col">Evaluation</th></tr></thead>
<tbody>${best.map(
    (row) =>
      html`<tr>${names.map((name) => html`<td>${text(row.parameters[name])}</td>`)}${figures.map((figure) => html`<td class="number">${formatted(figureOf(row, figure), figure)}</td>`)}<td>${outcomeOf(row.figures)}</td></tr>
`,
  )}</tbody>
</table></div>
${more}
</section>`
}

function nameOf({ objective }: SweepReport, figure: RankedFigure): string {
  return isOwn(figure) ? (objective ?? FORMS[figure].name) : FORMS[figure].name
}

function isOwn(figure: RankedFigure): boolean {
  return OWN_FIGURES.includes(figure)
}

function formatted(value: number | null, figure: RankedFigure): string {
  if (value === null) return '–'
  if (figure === 'trades') return String(value)
  if (isOwn(figure)) return ownFigure(value)
  return FORMS[figure].isFraction ? share(value) : ratio(value)
}

function outcomeOf({ outcome, daysToVerdict }: SweepRow['figures']): string {
  return daysToVerdict === null ? outcome : `${outcome} after ${daysToVerdict.toFixed(1)} days`
}

function text(value: ParameterValue | undefined): string {
  return value === undefined ? '–' : String(value)
}

function varyingNames(rows: readonly SweepRow[]): string[] {
  const [first] = rows
  const names = Object.keys(first?.parameters ?? {})
  return names.filter((name) => rows.some(({ parameters }) => parameters[name] !== first?.parameters[name]))
}
