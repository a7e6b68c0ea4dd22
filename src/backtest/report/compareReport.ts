/** Saved runs side by side as one HTML file. */
import type { RunComparison, SettingDifference, TradeDifference } from '../compare/compareRuns.ts'
import { differenceText, FIGURES, figureText } from '../compare/figures.ts'
import { tradeText } from '../compare/tradeText.ts'
import { count, moment, NO_VALUE } from '../output/presentation.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'
import { staticPage } from './staticPage.ts'

const TRADES = 500

export function renderComparison(comparison: RunComparison): string {
  const { runs, same, sameTrades, trades } = comparison
  return staticPage({
    kind: 'Comparison of runs',
    title: runs.map(({ place }) => place).join(' · '),
    facts: [
      ['Runs', count(runs.length)],
      ['Ended in the same state', same ? 'yes' : 'no'],
      ['Trades that are the same', count(sameTrades)],
      ['Trades that differ', count(trades.length)],
    ],
    cards: [
      runCard(comparison),
      curveCard(comparison),
      settingCard(comparison.settings, runs),
      figureCard(comparison),
      tradeCard(comparison),
    ],
    caution: 'Simulated results: past prices say nothing certain about future ones.',
  })
}

function runCard({ runs }: RunComparison): Html {
  return html`<section class="card" id="runs" aria-label="Runs">
<div class="head"><h2>Runs</h2></div>
<div class="scroll"><table><thead><tr><th>Run</th><th>Strategy</th><th>Period (UTC)</th><th>Evaluation</th></tr></thead>
<tbody>${runs.map(({ place, strategy, from, to, outcome }) => html`<tr><td>${place}</td><td>${strategy}</td><td>${minute(from)} to ${minute(to)}</td><td>${outcome}</td></tr>`)}</tbody></table></div>
</section>`
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

function curveCard({ runs }: RunComparison): Html {
  return html`<section class="card" id="equity" aria-label="Equity">
<div class="head"><h2>Equity</h2></div>
${lineChart({
  label: 'Equity of each run over time',
  lines: runs.map(({ place, curve }) => ({ name: place, x: curve.time, y: curve.equity })),
  xText: (second) => new Date(second * 1000).toISOString().slice(0, 10),
  yText: (value) => value.toLocaleString('en-US'),
  stepped: true,
})}
</section>`
}

function settingCard(settings: readonly SettingDifference[] | null, runs: RunComparison['runs']): Html {
  return html`<section class="card" id="settings" aria-label="What was set otherwise">
<div class="head"><h2>What was set otherwise</h2></div>
${
  settings === null
    ? html`<p class="prose">A run does not say how it was made.</p>`
    : settings.length === 0
      ? html`<p class="prose">Nothing: the same plan, the same files, the same version.</p>`
      : html`<div class="scroll"><table><thead><tr><th>Setting</th>${runHeads(runs, '')}</tr></thead>
<tbody>${settings.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value ?? NO_VALUE}</td>`)}</tr>`)}</tbody></table></div>`
}
</section>`
}

function runHeads(runs: RunComparison['runs'], look: string): Html[] {
  return runs.map(({ place }) => html`<th class="${look}">${place}</th>`)
}

function figureCard({ runs, figures }: RunComparison): Html {
  return html`<section class="card" id="figures" aria-label="Figures">
<div class="head"><h2>Figures</h2><span class="hint">below each, the difference from the first run</span></div>
<div class="scroll"><table><thead><tr><th>Figure</th>${runHeads(runs, 'number')}</tr></thead>
<tbody>${figures.map(
    ({ name, values }) =>
      html`<tr><th scope="row">${FIGURES[name].name}</th>${values.map((value, run) => {
        const difference = run === 0 ? '' : differenceText(name, value, values[0] ?? null)
        return html`<td class="number">${figureText(name, value)}${difference === '' ? null : html`<br><small>${difference}</small>`}</td>`
      })}</tr>`,
  )}</tbody></table></div>
</section>`
}

function tradeCard({ runs, trades, sameTrades }: RunComparison): Html {
  const shown = trades.slice(0, TRADES)
  return html`<section class="card" id="trades" aria-label="Trades that differ">
<div class="head"><h2>Trades that differ</h2><span class="hint">${count(sameTrades)} are the same in all</span></div>
${
  trades.length === 0
    ? html`<p class="prose">None.</p>`
    : html`<div class="scroll"><table><thead><tr><th>Opened (UTC)</th><th>Trade</th>${runHeads(runs, '')}</tr></thead>
<tbody>${shown.map(tradeRow)}</tbody></table></div>`
}
${shown.length < trades.length ? html`<p class="prose muted">The first ${count(TRADES)} of ${count(trades.length)}; --json has all.</p>` : null}
</section>`
}

function tradeRow({ openedAt, asset, side, trades }: TradeDifference): Html {
  return html`<tr><td>${moment(openedAt)}</td><td><span class="side ${side}">${asset} ${side}</span></td>${trades.map((trade) => html`<td>${tradeText(trade)}</td>`)}</tr>`
}
