/** The parts of the page that need no script: figures, costs, verdict, ambiguity, data. */
import type { AmbiguityRow, AmbiguitySection, BoundsSection, ComparisonSection } from './ambiguity.ts'
import type { BesideSection } from './besideSection.ts'
import type { CostFigure } from './costFigures.ts'
import type { EvaluationRule, EvaluationSection } from './evaluation.ts'
import type { Figure, FigureGroup } from './figures.ts'
import { type Html, html } from './html.ts'
import type { AccountRow, ReportData, RunOrigin, SourceFacts } from './reportData.ts'

export function evaluationCard({ outcome, title, reason, rules }: EvaluationSection): Html {
  return html`<section class="card verdict ${outcome}" aria-label="Evaluation">
<div class="sentence"><span class="mark" aria-hidden="true">${MARKS[outcome]}</span>
<div><p class="kicker">Evaluation</p><h2>${title}</h2><p>${reason}</p></div></div>
<ul class="rules">${rules.map(rule)}</ul>
</section>`
}

const MARKS = { passed: '✓', failed: '✕', undecided: '…' }

function rule({ name, limit, reached, definition, progress, kind }: EvaluationRule): Html {
  const percent = Math.round((progress ?? 0) * 100)
  const state = kind === 'goal' ? 'goal' : percent >= 100 ? 'broken' : percent >= 75 ? 'near' : 'fine'
  return html`<li><div class="row">${term(name, definition)}<b>${limit}</b></div>
<div class="meter ${state}" role="img" aria-label="${kind === 'goal' ? `${percent}% reached` : `${percent}% used`}"><i style="width:${percent}%"></i></div>
<p>${reached}</p></li>`
}

export function headlineCard(figures: readonly Figure[]): Html {
  return html`<section class="tiles" aria-label="Key figures">${figures.map(
    ({ name, value, definition, interval, tone = 'plain' }) =>
      html`<div class="tile">${term(name, definition)}<b class="${tone}">${value}</b>${interval === undefined ? null : html`<small title="the middle 95% of redraws of the run's own days and trades">${interval}</small>`}</div>`,
  )}</section>`
}

/** Nothing where the run has nothing beside it. */
export function besideCard(beside: BesideSection | null | undefined): Html | null {
  if (beside === null || beside === undefined) return null
  return html`<section class="card" id="beside" aria-label="Beside it">
<div class="head"><h2>Beside it</h2><span class="hint">the same account and rules, over the same time</span></div>
<div class="scroll"><table><thead><tr><th>Account</th><th class="number">Net profit</th><th class="number">Return</th><th class="number">Max drawdown</th><th class="number">Sharpe ratio</th><th>Evaluation</th></tr></thead>
<tbody>${beside.rows.map(
    ([name = '', netProfit = '', totalReturn = '', drawdown = '', sharpe = '', outcome = '']) =>
      html`<tr><th scope="row">${name}</th><td class="number">${netProfit}</td><td class="number">${totalReturn}</td><td class="number">${drawdown}</td><td class="number">${sharpe}</td><td>${outcome}</td></tr>`,
  )}</tbody></table></div>
<p class="prose">${beside.sentence} Below each headline figure stands where the middle 95% of such redraws lie; of a figure from trades, redraws of the trades.</p>
</section>`
}

export function statisticCard(groups: readonly FigureGroup[]): Html {
  return html`<section class="card" id="statistics" aria-label="Statistics">
<div class="head"><h2>Statistics</h2><span class="hint">point at a name for its definition</span></div>
<div class="groups">${groups.map(
    ({ title, figures }) =>
      html`<div><h3>${title}</h3><dl class="figures">${figures.map(
        ({ name, value, definition, tone = 'plain' }) =>
          html`<div><dt>${term(name, definition)}</dt><dd class="${tone}">${value}</dd></div>`,
      )}</dl></div>`,
  )}</div></section>`
}

export function costCard(costs: readonly CostFigure[], totals: string): Html {
  return html`<section class="card" id="costs" aria-label="Costs">
<div class="head"><h2>From prices to profit</h2><span class="hint">amount, share of the initial balance</span></div>
<ul class="costs">${costs.map(
    ({ name, value, definition, weight, ofBalance, tone = 'plain' }) =>
      html`<li class="${weight === null ? 'total' : ''}">${term(name, definition)}<span class="weight"><i style="width:${Math.round((weight ?? 0) * 100)}%"></i></span><b class="${tone}">${value}</b><small>${ofBalance}</small></li>`,
  )}</ul><p class="hint">${totals}</p></section>`
}

export function ambiguityCard({ total, comparison }: AmbiguitySection): Html {
  return html`<section class="card" id="ambiguity" aria-label="Ambiguity inside bars">
<div class="head"><h2>Ambiguity inside bars</h2></div>
<p class="prose">A bar tells four prices and not their order. ${
    total === 0
      ? comparison === null
        ? 'No bar held both a stop and a take-profit of the same position.'
        : 'No bar that held both a stop and a take-profit of the same position was found to change the result.'
      : `Bars that held both a stop and a take-profit of the same position, where the path decided: ${total}.`
  }</p>
${comparison === null ? html`<p class="prose muted">Run with both paths to see what the order decides.</p>` : comparisonTables(comparison)}
</section>`
}

function comparisonTables({ rows, sentence, bounds }: ComparisonSection): Html {
  return html`<div class="scroll"><table><thead><tr><th>Figure</th><th class="number">Adverse</th><th class="number">Optimistic</th></tr></thead>
<tbody>${rows.map(([name, adverse, optimistic]) => html`<tr><td>${name}</td><td class="number">${adverse}</td><td class="number">${optimistic}</td></tr>`)}</tbody></table></div>
${bounds === undefined ? null : boundsTable(bounds)}
<p class="prose">${sentence}</p>`
}

function boundsTable({ rows, sentence }: BoundsSection): Html {
  return html`<h3>Mixed orders</h3>
<div class="scroll"><table><thead><tr><th>Outcome</th><th class="number">Net profit</th><th>Evaluation</th><th>Orders</th></tr></thead>
<tbody>${rows.map(([name, netProfit, outcome, orders]) => html`<tr><td>${name}</td><td class="number">${netProfit}</td><td>${outcome}</td><td>${orders}</td></tr>`)}</tbody></table></div>
<p class="prose">${sentence}</p>`
}

/** The bars themselves, which may be many: across the page, each list in a height of its own. Nothing where there are none. */
export function ambiguousBarsCard({ total, bars, comparison }: AmbiguitySection): Html | null {
  const { divergences = [], total: diverging = 0, bounds } = comparison ?? {}
  const deciding = bounds?.deciding ?? []
  if (bars.length + divergences.length + deciding.length === 0) return null
  return html`<section class="card" id="ambiguous-bars" aria-label="Bars whose order matters">
<div class="head"><h2>Bars whose order matters</h2></div>
<div class="columns">
${divergences.length === 0 ? null : decidedTrades(divergences, diverging)}
${deciding.length === 0 ? null : decidingBars(deciding, bounds?.total ?? 0)}
${bars.length === 0 ? null : ambiguousBars(bars, total)}
</div>
</section>`
}

function decidedTrades(divergences: ComparisonSection['divergences'], total: number): Html {
  return html`<div><h3>Bars that decided a trade${more(divergences.length, total)}</h3>
<div class="scroll long"><table><thead><tr><th>Bar (UTC)</th><th>Trade</th><th>Adverse</th><th>Optimistic</th><th class="number">Difference</th></tr></thead>
<tbody>${divergences.map(
    ({ time, asset, side, adverse, optimistic, difference }) =>
      html`<tr><td>${time}</td><td>${asset} ${side}</td><td>${adverse}</td><td>${optimistic}</td><td class="number">${difference}</td></tr>`,
  )}</tbody></table></div></div>`
}

function decidingBars(deciding: BoundsSection['deciding'], total: number): Html {
  return html`<div><h3>Bars whose order decides${more(deciding.length, total)}</h3>
<div class="scroll long"><table><thead><tr><th>Bar (UTC)</th><th>Asset</th><th class="number">Net profit when turned alone</th></tr></thead>
<tbody>${deciding.map(([time, asset, difference]) => html`<tr><td>${time}</td><td>${asset}</td><td class="number">${difference}</td></tr>`)}</tbody></table></div></div>`
}

function ambiguousBars(bars: readonly AmbiguityRow[], total: number): Html {
  return html`<div><h3>Bars with a stop and a take-profit in range${more(bars.length, total)}</h3>
<div class="scroll long"><table><thead><tr><th>Bar (UTC)</th><th>Asset</th><th class="number">Stop</th><th class="number">Take-profit</th><th>What happened</th></tr></thead>
<tbody>${bars.map(
    ({ time, asset, stop, take, outcome }) =>
      html`<tr><td>${time}</td><td>${asset}</td><td class="number">${stop}</td><td class="number">${take}</td><td>${outcome}</td></tr>`,
  )}</tbody></table></div></div>`
}

function more(shown: number, total: number): string {
  return shown < total ? ` (the first ${shown} of ${total})` : ''
}

/** Nothing where the run has one account. */
export function otherAccounts(accounts: readonly AccountRow[]): Html | null {
  if (accounts.length === 0) return null
  return html`<section class="card" id="accounts" aria-label="Other accounts">
<div class="head"><h2>Other accounts</h2></div>
<div class="scroll"><table><thead><tr><th>Account</th><th>Strategy</th><th>Evaluation</th><th class="number">Net profit</th><th class="number">Max drawdown</th><th class="number">Trades</th></tr></thead>
<tbody>${accounts.map(
    ({ name, strategy, outcome, netProfit, maxDrawdown, trades }) =>
      html`<tr><td>${name}</td><td>${strategy}</td><td>${outcome}</td><td class="number">${netProfit}</td><td class="number">${maxDrawdown}</td><td class="number">${trades}</td></tr>`,
  )}</tbody></table></div>
</section>`
}

export function dataCard({ sources, notes, rejections, stateHash, madeBy }: ReportData): Html {
  return html`<section class="card" id="data" aria-label="Data and notes">
<div class="head"><h2>Data and notes</h2></div>
<div class="scroll"><table><thead><tr><th>Market</th><th class="number">Rows read</th><th>Skipped</th><th>Missing bars or days</th><th>Largest gap</th></tr></thead>
<tbody>${sources.map(source)}</tbody></table></div>
${notes.length === 0 ? null : html`<h3>Notes</h3><ul class="prose">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${
  rejections.length === 0
    ? null
    : html`<h3>Rejected actions</h3><p class="codes">${rejections.map(([code, times]) => html`<span><code>${code}</code> ×${times}</span>`)}</p>`
}
${madeBy ? originOf(madeBy) : null}
${
  stateHash === ''
    ? null
    : html`<h3>Fingerprint</h3><p class="prose"><code class="hash">${stateHash}</code><br><span class="muted">Equal runs have equal fingerprints.</span></p>`
}
</section>`
}

/** Reports saved by earlier versions have none. */
function originOf({ command, settings, files }: RunOrigin): Html {
  return html`<h3>How this run was made</h3>
${command === null ? null : html`<p class="prose"><code>${command}</code></p>`}
<div class="scroll"><table><tbody>${settings.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>
${
  files.length === 0
    ? null
    : html`<div class="scroll"><table><thead><tr><th>File</th><th>Read for</th><th>SHA-256</th></tr></thead>
<tbody>${files.map(({ path, use, sha256 }) => html`<tr><td>${path}</td><td>${use}</td><td><code class="hash">${sha256}</code></td></tr>`)}</tbody></table></div>`
}`
}

function source({ asset, rows, skipped, missing, largestGap }: SourceFacts): Html {
  return html`<tr><td>${asset}</td><td class="number">${rows}</td><td>${skipped}</td><td>${missing}</td><td>${largestGap}</td></tr>`
}

/** A name whose definition shows on hover and on focus. */
function term(name: string, definition: string): Html {
  return html`<button type="button" class="term">${name}<span class="tip" role="tooltip">${definition}</span></button>`
}
