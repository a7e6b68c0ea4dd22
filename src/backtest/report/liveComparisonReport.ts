/** A live run beside its backtest as one HTML file. */
import type { LiveComparison } from '../compare/compareLive.ts'
import { causeLines, delays, FILL_HEADS, fillCells, found, sides } from '../compare/liveFigures.ts'
import { change, count, moment, NO_VALUE } from '../output/presentation.ts'
import { curveSeries } from './curveSeries.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'
import { liveCard, liveSection } from './liveSection.ts'
import { staticPage } from './staticPage.ts'

const FILLS = 500
const HOUR_MS = 3_600_000

export function renderLiveComparison(comparison: LiveComparison): string {
  const { begin, to, rows, incidents } = comparison
  const [matched, onlyLive, onlyBacktest] = found(comparison)
  return staticPage({
    kind: 'Live run and backtest',
    title: begin.strategy,
    facts: [
      ['Venue', begin.venue === '' ? 'not told' : begin.venue],
      ['Period', `${minute(begin.at)} – ${minute(to)} UTC`],
      ['Markets', begin.assets.join(', ')],
      ['Matched fills', count(matched)],
      ['Their delay', delays(comparison) ?? NO_VALUE],
      ['Only live', count(onlyLive)],
      ['Only backtest', count(onlyBacktest)],
      ['Fills that differ', count(rows.filter(({ reason }) => reason !== null).length)],
    ],
    cards: [
      noteCard(comparison),
      sideCard(comparison),
      causeCard(comparison),
      curveCard(comparison),
      fillCard(comparison),
      liveCard(liveSection(begin.venue, incidents)),
    ],
    caution: 'The backtest acts at once, at the last price that the run was told; no venue can.',
  })
}

function minute(at: number): string {
  return moment(at).slice(0, 16)
}

function noteCard({ notes }: LiveComparison): Html | null {
  if (notes.length === 0) return null
  return html`<section class="card" id="notes" aria-label="Notes">
<div class="head"><h2>Before you believe it</h2></div>
<ul class="prose">${notes.map((note) => html`<li>${note}</li>`)}</ul>
</section>`
}

function sideCard(comparison: LiveComparison): Html {
  return html`<section class="card" id="figures" aria-label="Figures">
<div class="head"><h2>Figures</h2></div>
<div class="scroll"><table><thead><tr><th>Figure</th><th class="number">Live</th><th class="number">Backtest</th><th class="number">Difference</th></tr></thead>
<tbody>${sides(comparison).map(([name, ...values]) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td class="number">${value}</td>`)}</tr>`)}</tbody></table></div>
</section>`
}

function causeCard(comparison: LiveComparison): Html {
  return html`<section class="card" id="causes" aria-label="Where the difference comes from">
<div class="head"><h2>Where the difference comes from</h2><span class="hint">above zero: the live run is better off</span></div>
<div class="scroll"><table><thead><tr><th>Cause</th><th class="number">Amount</th><th class="number">Fills</th></tr></thead>
<tbody>${causeLines(comparison).map(([name, amount, fills]) => html`<tr><th scope="row">${name}</th><td class="number">${change(amount)}</td><td class="number">${fills === 0 ? '' : count(fills)}</td></tr>`)}</tbody></table></div>
</section>`
}

/** What of a moment tells the places on an axis apart. */
function axisText(begin: number, to: number): (at: number) => string {
  const [from, until] = to - begin < HOUR_MS ? [11, 19] : [5, 16]
  return (at) => moment(at).slice(from, until)
}

function curveCard({ live, backtest, begin, to }: LiveComparison): Html {
  const text = axisText(begin.at, to)
  const lines = [
    { name: 'live', curve: curveSeries(live.curve) },
    { name: 'backtest', curve: curveSeries(backtest.curve) },
  ].map(({ name, curve }) => {
    let second = 0
    return {
      name,
      x: curve.time.map((step) => (second += step)),
      y: curve.equity.map((cents) => cents / 100),
    }
  })
  return html`<section class="card" id="equity" aria-label="Equity">
<div class="head"><h2>Equity</h2></div>
${lineChart({
  label: 'Equity of the live run and of its backtest over time',
  lines,
  xText: (second) => text(second * 1_000),
  yText: (value) => value.toLocaleString('en-US'),
  stepped: true,
})}
</section>`
}

function fillCard({ rows }: LiveComparison): Html {
  const differing = rows.filter(({ reason }) => reason !== null)
  const shown = differing.slice(0, FILLS)
  return html`<section class="card" id="fills" aria-label="Fills that differ">
<div class="head"><h2>Fills that differ</h2><span class="hint">${count(rows.length - differing.length)} are the same</span></div>
${
  differing.length === 0
    ? html`<p class="prose">None.</p>`
    : html`<div class="scroll"><table><thead><tr>${FILL_HEADS.map((head, column) => html`<th class="${lookOf(column)}">${head}</th>`)}</tr></thead>
<tbody>${shown.map((row) => html`<tr>${fillCells(row).map((cell, column) => html`<td class="${lookOf(column)}">${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
${shown.length < differing.length ? html`<p class="prose muted">The first ${count(FILLS)} of ${count(differing.length)}; --csv and --json have all.</p>` : null}
</section>`
}

function lookOf(column: number): string {
  return column >= 2 && column <= 7 ? 'number' : ''
}
