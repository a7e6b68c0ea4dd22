/** A report as one HTML file: styles, scripts and data inside, nothing fetched. */
import type { DailyReturns } from '../statistics/dailyReturns.ts'
import { type Assets, readAssets } from './assets.ts'
import { Html, html, jsonElement } from './html.ts'
import { type InlineScript, inlineScript } from './inlineScript.ts'
import { learnedCard } from './learnedSection.ts'
import { liveCard } from './liveSection.ts'
import { marketCards } from './marketsSection.ts'
import { type DayReturn, monthlyCards } from './monthlyReturns.ts'
import { portfolioCard } from './portfolioSection.ts'
import { REPORT_FORMAT, type ReportData } from './reportData.ts'
import { rollingCard } from './rollingCard.ts'
import {
  ambiguityCard,
  ambiguousBarsCard,
  besideCard,
  costCard,
  dataCard,
  evaluationCard,
  headlineCard,
  otherAccounts,
  statisticCard,
} from './sections.ts'

/**
 * The page of a report.
 *
 * ```ts
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * const recording = new Recording()
 * const result = await runBacktest({ ...options, recorder: recording })
 * const page = renderReport(reportData(result, recording)) // one file, to be opened in a browser
 * page.includes('</html>') // → true
 * ```
 *
 * @throws RangeError for data of another format, and where the charting packages are not installed.
 */
export function renderReport(data: ReportData): string {
  if (data.format !== REPORT_FORMAT)
    throw new RangeError(`report data of format ${String(data.format)}; this version draws ${REPORT_FORMAT}`)
  const assets = readAssets()
  const scripts = [
    ...assets.libraries.map((library) => inlineScript(library)),
    inlineScript(assets.page, 'module'),
  ]
  return `<!doctype html>\n${page(data, assets, scripts).text}`
}

function page(data: ReportData, assets: Assets, scripts: readonly InlineScript[]): Html {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${scripts.map(({ hash }) => hash).join(' ')}`
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${data.strategy} – ${kindOf(data).toLowerCase()}</title>
<style>${new Html(assets.styles)}</style>
</head>
<body>
${topBar(data)}
<main>
${header(data)}
${evaluationCard(data.evaluation)}
${headlineCard(data.headline)}
${besideCard(data.beside)}
${chartCards()}
${monthlyCards(daysOf(data.charts.daily))}
${rollingCard(data.charts.daily)}
${marketCards(data.markets)}
${tradeCard()}
${statisticCard(data.statistics)}
<div class="columns">
${costCard(data.costs, data.totals)}
${data.live ? null : ambiguityCard(data.ambiguity)}
</div>
${data.live ? null : ambiguousBarsCard(data.ambiguity)}
${liveCard(data.live)}
${portfolioCard(data.portfolio)}
${learnedCard(data.learned)}
${otherAccounts(data.others)}
${dataCard(data)}
</main>
${footer(data, assets)}
${jsonElement('report-data', data.charts)}
${scripts.map(({ element }) => element)}
</body>
</html>
`
}

function daysOf({ days, returns }: DailyReturns): DayReturn[] {
  return days.map((second, index) => ({ day: second * 1_000, return: returns[index] ?? 0 }))
}

function topBar(data: ReportData): Html {
  return html`<header class="bar">
<span class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 19V9m5 10V5m5 14v-7m5 7V8" /></svg>margin-core</span>
<nav aria-label="Sections">
<a href="#price">Price</a><a href="#equity">Equity</a><a href="#distributions">Distributions</a><a href="#months">Months</a><a href="#rolling">Rolling</a>${data.markets ? html`<a href="#markets">Markets</a><a href="#stress">Stress</a>` : null}<a href="#trades">Trades</a><a href="#statistics">Statistics</a><a href="#costs">Costs</a><a href="#data">Data</a>
</nav>
<button type="button" id="theme" class="quiet" aria-label="Switch between light and dark" title="Light or dark">◐</button>
</header>`
}

function kindOf({ live }: ReportData): string {
  return live ? 'Live report' : 'Backtest report'
}

function header(data: ReportData): Html {
  return html`<section class="title">
<p class="kicker">${kindOf(data)}</p>
<h1>${data.strategy}</h1>
<dl class="facts">${data.facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>`
}

function chartCards(): Html {
  return html`<section class="card" id="price" aria-label="Price and fills">
<div class="head"><h2>Price and fills</h2><div class="tools" id="price-tools"></div></div>
<div class="plot tall" id="price-plot"></div>
<div class="legend" id="price-legend"></div>
</section>
<section class="card" id="equity" aria-label="Equity, drawdown and exposure">
<div class="head"><h2>Equity</h2><div class="tools"><span class="hint">drag to zoom, double-click to reset</span></div></div>
<div class="plot" id="equity-plot"></div>
<h3>Drawdown</h3>
<div class="plot low" id="drawdown-plot"></div>
<h3>Exposure</h3>
<div class="plot low" id="exposure-plot"></div>
</section>
<div class="columns three" id="distributions">
<section class="card" aria-label="Daily returns"><div class="head"><h2>Daily returns</h2></div><div class="plot low" id="daily-plot"></div></section>
<section class="card" aria-label="Distribution of daily returns"><div class="head"><h2>Distribution of daily returns</h2></div><div class="plot low" id="daily-distribution"></div></section>
<section class="card" aria-label="Distribution of trade pnl"><div class="head"><h2>Distribution of trade pnl</h2></div><div class="plot low" id="trade-distribution"></div></section>
</div>`
}

function tradeCard(): Html {
  return html`<section class="card" id="trades" aria-label="Trades">
<div class="head"><h2>Trades</h2><div class="tools" id="trade-filters"></div></div>
<div class="scroll"><table class="trades" id="trade-table"></table></div>
<div class="pager" id="trade-pager"></div>
</section>`
}

function footer(data: ReportData, assets: Assets): Html {
  return html`<footer>
<p>${data.software}. ${data.live ? 'Results of a live run, as its journal has them' : 'Simulated results'}: past prices say nothing certain about future ones.</p>
<p>Price chart: TradingView Lightweight Charts™, Copyright (c) 2025 TradingView, Inc. <a href="https://www.tradingview.com/">https://www.tradingview.com/</a>. Other charts: uPlot, Copyright (c) 2022 Leon Sorokin.</p>
<details><summary>Licences</summary><pre>${assets.notices}</pre></details>
</footer>`
}
