/** A walk forward as one HTML file: what was earned outside of the trainings, month by month, and what was chosen in each fold. */
import { ownFigure, ratio, share } from '../output/presentation.ts'
import type { RunPlan } from '../plan/plan.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import type { VariantFigures } from '../sweep/variantFigures.ts'
import type { WalkedFold } from '../walkForward/stitched.ts'
import type { WalkForward } from '../walkForward/walkForward.ts'
import { barChart } from './barChart.ts'
import { histogram } from './histogram.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'
import { monthlyCards } from './monthlyReturns.ts'
import { planFacts } from './planFacts.ts'
import { staticPage } from './staticPage.ts'

/** What the parameters were chosen by, where that is an objective of one's own. */
export interface ChosenBy {
  /** What its columns are called. */
  readonly name: string
  readonly figure: 'objective' | 'loss'
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 8 }] }
 * const walked = await walkForward({ plan, vary: { fast: [5, 10] }, by: 'totalReturn', folds: 2, workers: 1 })
 * renderWalkForward(plan, walked).includes('</html>') // → true
 * ```
 *
 * @param own shown of each fold beside its returns. Default: none.
 * @throws PlanError for a period of the plan that is none.
 */
export function renderWalkForward(plan: RunPlan, walked: WalkForward, own: ChosenBy | null = null): string {
  const { folds, sets, outOfSample, days } = walked
  return staticPage({
    kind: 'Walk forward',
    title: plan.strategy,
    facts: [
      ['Folds', String(folds.length)],
      ['Sets in each training', String(sets)],
      ...(own === null ? [] : [['Chosen by', own.name] as const]),
      ['Days outside of trainings', String(outOfSample.days)],
      ...planFacts(
        plan,
        folds.flatMap(({ chosen }) => (chosen === null ? [] : [chosen])),
      ),
    ],
    cards: [
      figureCard(walked),
      curveCard(walked),
      ...monthlyCards(days),
      dayCard(walked),
      foldCard(folds, own),
      stabilityCard(walked),
    ],
    caution: 'Simulated results: past prices say nothing certain about future ones.',
  })
}

function figureCard({ outOfSample, folds }: WalkForward): Html {
  const { totalReturn, sharpeRatio, maxDrawdown, profitableFolds, efficiency } = outOfSample
  const figures: readonly (readonly [string, string])[] = [
    ['Return outside of the trainings', percent(totalReturn)],
    ['Deepest drawdown', percent(maxDrawdown)],
    ['Sharpe ratio', ratio(sharpeRatio)],
    ['Folds with a profit', `${profitableFolds} of ${folds.length}`],
    ['Left of what a day gained in training', efficiency === null ? '–' : percent(efficiency)],
  ]
  return html`<section class="card" id="figures" aria-label="Outside of the trainings">
<div class="head"><h2>Outside of the trainings</h2></div>
<div class="scroll"><table><tbody>${figures.map(([name, value]) => html`<tr><th scope="row">${name}</th><td class="number">${value}</td></tr>`)}</tbody></table></div>
</section>`
}

function curveCard({ days }: WalkForward): Html {
  return html`<section class="card" id="equity" aria-label="Equity outside of the trainings">
<div class="head"><h2>Equity outside of the trainings</h2><span class="hint">of one unit of money, at the ends of days</span></div>
${lineChart({
  label: 'Equity outside of the trainings',
  lines: [{ name: 'equity', x: days.map(({ day }) => day), y: days.map(({ equity }) => equity) }],
  xText: dateOf,
  yText: (value) => value.toFixed(3),
  level: 1,
})}
</section>`
}

function dayCard({ days }: WalkForward): Html | null {
  const chart = barChart('Days by their return', histogram(days.map((day) => day.return)), percent)
  if (chart === null) return null
  return html`<section class="card" id="days" aria-label="Distribution of daily returns">
<div class="head"><h2>Distribution of daily returns</h2><span class="hint">how many days came to how much</span></div>
${chart}
</section>`
}

function foldCard(folds: readonly WalkedFold[], own: ChosenBy | null): Html {
  const judged = own === null ? [] : [`${own.name} in training`, `${own.name} in test`]
  const returns = own === null ? ['In training', 'In test'] : ['Return in training', 'Return in test']
  const judgedIn = ({ inSample, outOfSample }: WalkedFold) =>
    own === null ? [] : [inSample, outOfSample].map((of) => ownFigure(of?.[own.figure] ?? null))
  return html`<section class="card" id="folds" aria-label="Folds">
<div class="head"><h2>Folds</h2></div>
<div class="scroll"><table class="sortable">
<thead><tr><th scope="col">Training</th><th scope="col">Test</th><th scope="col">Chosen</th>${[...judged, ...returns].map((head) => html`<th scope="col" class="number">${head}</th>`)}<th scope="col" class="number">Trades</th><th scope="col">Evaluation</th></tr></thead>
<tbody>${folds.map((fold) => {
    const { train, test, chosen, inSample, outOfSample } = fold
    return html`<tr><td>${dateOf(train.from)} to ${dateOf(train.to)}</td><td>${dateOf(test.from)} to ${dateOf(test.to)}</td><td>${chosenText(chosen)}</td>${judgedIn(fold).map((value) => html`<td class="number">${value}</td>`)}<td class="number">${returnOf(inSample)}</td><td class="number">${returnOf(outOfSample)}</td><td class="number">${outOfSample === null ? '–' : String(outOfSample.trades)}</td><td>${outOfSample?.outcome ?? '–'}</td></tr>
`
  })}</tbody>
</table></div>
</section>`
}

function stabilityCard({ stability }: WalkForward): Html | null {
  if (stability.length === 0) return null
  return html`<section class="card" id="stability" aria-label="Stability of the parameters">
<div class="head"><h2>Stability of the parameters</h2><span class="hint">how far a choice moves from fold to fold, of its range</span></div>
<div class="scroll"><table><thead><tr><th scope="col">Parameter</th><th scope="col" class="number">Moved</th><th scope="col" class="number">By chance</th><th scope="col">Chosen</th></tr></thead>
<tbody>${stability.map(({ name, step, stepByChance, chosen }) => html`<tr><th scope="row">${name}</th><td class="number">${percent(step)}</td><td class="number">${percent(stepByChance)}</td><td>${chosen.join(', ')}</td></tr>`)}</tbody></table></div>
</section>`
}

function chosenText(chosen: StrategyParameters | null): string {
  if (chosen === null) return 'none'
  return Object.entries(chosen)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

function returnOf(figures: VariantFigures | null): string {
  return figures?.totalReturn == null ? '–' : percent(figures.totalReturn)
}

function percent(value: number): string {
  return share(value)
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
