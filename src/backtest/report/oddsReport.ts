/** Odds as one HTML file: how likely each phase is passed, why not, when, what is paid, and how all of it changes with what is varied. */

import type { Odds } from '../evaluate/odds.ts'
import type { Mean, Proportion, Quantile } from '../evaluate/proportion.ts'
import { rounded, share } from '../output/presentation.ts'
import { barChart } from './barChart.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'
import { staticPage } from './staticPage.ts'

/** One case of an evaluation: under which rules, and what was varied. */
export interface OddsCase extends Odds {
  readonly rules: string
  /** The value of what varies; empty where nothing does. */
  readonly varied: string
}

/** What {@link renderOdds} draws. */
export interface OddsReport {
  readonly title: string
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** What varies: `risk`; empty where nothing does. */
  readonly variedName: string
  readonly cases: readonly OddsCase[]
  readonly notes: readonly string[]
}

/**
 * ```ts
 * const plan = { strategy: 'breakout', markets: [{ asset: 'BTC', days: 1 }] }
 * const { odds } = await strategyOdds({ plan, paths: 4, days: 2, workers: 1 })
 * const cases = odds.map((own) => ({ ...own, varied: '' }))
 * renderOdds({ title: 'breakout', facts: [], variedName: '', cases, notes: [] }).includes('</html>') // → true
 * ```
 */
export function renderOdds({ title, facts, variedName, cases, notes }: OddsReport): string {
  return staticPage({
    kind: 'Odds',
    title,
    facts,
    cards: [
      ...(cases.length > 1 ? [curveCard(cases, variedName), comparisonCard(cases, variedName)] : []),
      ...cases.flatMap((own) => caseCards(own, cases.length > 1 ? nameOf(own, variedName) : '')),
      noteCard(notes),
    ],
    caution:
      'Intervals are 95%: Wilson for shares, order statistics for quantiles. Simulated results: past prices say nothing certain about future ones.',
  })
}

/** A line for each set of rules, where numbers of one unit vary. */
function curveCard(cases: readonly OddsCase[], variedName: string): Html | null {
  const names = [...new Set(cases.map(({ rules }) => rules))]
  const of = (name: string) =>
    cases
      .filter(({ rules }) => rules === name)
      .map((own) => ({ x: Number.parseFloat(own.varied), own }))
      .filter(({ x }) => Number.isFinite(x))
      .sort((a, b) => a.x - b.x)
  const units = new Set(cases.map(({ varied }) => varied.replace(NUMBER, '')))
  const [unit = ''] = units
  if (units.size > 1 || names.every((name) => of(name).length < 2)) return null
  const lines = names.flatMap((name) => {
    const points = of(name)
    const line = (what: string, shareOf: (own: OddsCase) => number) => ({
      name: names.length === 1 ? what : `${name}: ${what}`,
      x: points.map(({ x }) => x),
      y: points.map(({ own }) => shareOf(own)),
    })
    return [line('passed', ({ passed }) => passed.share), line('failed', ({ failed }) => failed.share)]
  })
  return html`<section class="card" id="curve" aria-label="Odds by ${variedName}">
<div class="head"><h2>Odds by ${variedName}</h2><span class="hint">share of all paths</span></div>
${lineChart({ label: `Odds by ${variedName}`, lines, xText: (x) => `${Number(x.toPrecision(3))}${unit}`, yText: (y) => percent(y, 0) })}
</section>`
}

/** What varies begins with it; behind it stands its unit: `0.5%`, `2×`. */
const NUMBER = /^[-+]?[\d.]+(e[-+]?\d+)?/i

function comparisonCard(cases: readonly OddsCase[], variedName: string): Html {
  return html`<section class="card" id="cases" aria-label="Side by side">
<div class="head"><h2>Side by side</h2><span class="hint">on the same paths; a click on a heading sorts</span></div>
<div class="scroll"><table class="sortable"><thead><tr><th scope="col">Rules</th><th scope="col">${variedName === '' ? 'Varied' : variedName}</th><th scope="col" class="number">Passed</th><th scope="col" class="number">95%</th><th scope="col" class="number">Daily loss</th><th scope="col" class="number">Total loss</th><th scope="col" class="number">Undecided</th><th scope="col" class="number">Median days</th><th scope="col" class="number">First payout</th><th scope="col" class="number">Expected</th><th scope="col" class="number">Result</th></tr></thead>
<tbody>${cases.map(
    ({ rules, varied, passed, failedBy, undecided, daysToPass, funded, result }) =>
      html`<tr><td>${rules}</td><td>${varied}</td><td class="number">${percent(passed.share)}</td><td class="number">${interval(passed)}</td><td class="number">${percent(failedBy.dailyLoss.share)}</td><td class="number">${percent(failedBy.totalLoss.share)}</td><td class="number">${percent(undecided.share)}</td><td class="number">${median(daysToPass)}</td><td class="number">${funded === null ? '–' : percent(funded.paid.share)}</td><td class="number">${funded === null ? '–' : amount(funded.expectedFirstPayout)}</td><td class="number">${amount(result)}</td></tr>`,
  )}</tbody></table></div>
</section>`
}

function caseCards(own: OddsCase, name: string): Html[] {
  const of = name === '' ? '' : `: ${name}`
  const returns = barChart(`Returns${of}`, own.returns, (value) => percent(value))
  return [
    html`<section class="card" aria-label="Odds${of}">
<div class="head"><h2>Odds${of}</h2><span class="hint">share of the paths, and where it may well lie</span></div>
<div class="scroll"><table><thead><tr><th scope="col">What</th><th scope="col" class="number">Paths</th><th scope="col" class="number">Share</th><th scope="col" class="number">95%</th></tr></thead>
<tbody>${shareRows(own).map(([what, share]) => html`<tr><th scope="row">${what}</th><td class="number">${String(share.count)}</td><td class="number">${percent(share.share)}</td><td class="number">${interval(share)}</td></tr>`)}</tbody></table></div>
</section>`,
    html`<section class="card" aria-label="Times and returns${of}">
<div class="head"><h2>Times and returns${of}</h2><span class="hint">so many of the paths lie below</span></div>
<div class="scroll"><table><thead><tr><th scope="col">What</th>${own.totalReturn.map(({ probability }) => html`<th scope="col" class="number">${percent(probability, 0)}</th>`)}</tr></thead>
<tbody>${quantileRows(own).map(([what, cells]) => html`<tr><th scope="row">${what}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>`)}</tbody></table></div>
${returns === null ? null : html`<h3>Returns at the verdict or the end</h3>${returns}`}
</section>`,
    ...moneyCard(own, of),
  ]
}

function shareRows({
  passed,
  failed,
  failedBy,
  undecided,
  phases,
  funded,
}: OddsCase): [string, Proportion][] {
  return [
    ['Passed', passed],
    ...(phases.length < 2
      ? []
      : phases.flatMap((phase, index): [string, Proportion][] => [
          [`Phase ${index + 1}, of those that began it: passed`, phase.passed],
          [`Phase ${index + 1}: failed by total loss`, phase.failedBy.totalLoss],
          [`Phase ${index + 1}: failed by daily loss`, phase.failedBy.dailyLoss],
        ])),
    ['Failed', failed],
    ['Failed by total loss', failedBy.totalLoss],
    ['Failed by daily loss', failedBy.dailyLoss],
    ['Undecided', undecided],
    ...(funded === null
      ? []
      : ([
          ['First payout', funded.paid],
          ['Funded, failed before it', funded.failedUnpaid],
          ['Of the funded, failed by total loss', funded.failedBy.totalLoss],
          ['Of the funded, failed by daily loss', funded.failedBy.dailyLoss],
        ] satisfies [string, Proportion][])),
  ]
}

function quantileRows({
  daysToPass,
  daysToFail,
  totalReturn,
  phases,
  funded,
}: OddsCase): [string, string[]][] {
  const columns = totalReturn.map(({ probability }) => probability)
  const days = (found: readonly Quantile[]) =>
    columns.map((wanted) => {
      const value = found.find(({ probability }) => probability === wanted)?.value
      return value === undefined ? '–' : value.toFixed(1)
    })
  return [
    ['Days to pass', days(daysToPass)],
    ...(phases.length < 2
      ? []
      : phases.map((phase, index): [string, string[]] => [
          `Days of phase ${index + 1}`,
          days(phase.daysToPass),
        ])),
    ['Days to fail', days(daysToFail)],
    ...(funded === null
      ? []
      : [['Days to the first payout', days(funded.daysToFirstPayout)] satisfies [string, string[]]]),
    ['Return', totalReturn.map(({ value }) => percent(value))],
  ]
}

/** None where nothing is paid. */
function moneyCard({ funded, result }: OddsCase, of: string): Html[] {
  const rows: [string, Mean | null][] = [
    ...(funded === null
      ? []
      : ([
          ['First payout, where there is one', funded.firstPayout],
          ['First payout, of every account', funded.expectedFirstPayout],
          ['All payouts, of every account', funded.expectedPayouts],
        ] satisfies [string, Mean | null][])),
    ...(result === null ? [] : [['Result of an account, after its fee', result] satisfies [string, Mean]]),
  ]
  if (rows.length === 0) return []
  return [
    html`<section class="card" aria-label="Money${of}">
<div class="head"><h2>Money${of}</h2><span class="hint">means, in quote currency</span></div>
<div class="scroll"><table><tbody>${rows.map(([what, mean]) => html`<tr><th scope="row">${what}</th><td class="number">${amount(mean)}</td><td class="number">${mean === null ? '' : `${rounded(mean.low)} to ${rounded(mean.high)}`}</td></tr>`)}</tbody></table></div>
</section>`,
  ]
}

function noteCard(notes: readonly string[]): Html | null {
  if (notes.length === 0) return null
  return html`<section class="card" aria-label="Notes"><div class="head"><h2>Notes</h2></div><ul class="prose">${notes.map((note) => html`<li>${note}</li>`)}</ul></section>`
}

function nameOf({ rules, varied }: OddsCase, variedName: string): string {
  return varied === '' ? rules : `${rules}, ${variedName} ${varied}`
}

function percent(value: number, digits = 1): string {
  return share(value, digits)
}

function interval({ low, high }: Proportion): string {
  return `${percent(low)} to ${percent(high)}`
}

function amount(mean: Mean | null): string {
  return rounded(mean?.value ?? null)
}

function median(days: readonly Quantile[]): string {
  return days.find(({ probability }) => probability === 0.5)?.value.toFixed(1) ?? '–'
}
