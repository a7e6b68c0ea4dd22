/** Statistics over the last days, drawn. */
import { rounded, share } from '../output/presentation.ts'
import type { DailyReturns } from '../statistics/dailyReturns.ts'
import { ROLLING_DAYS, type RollingFigures, rollingFigures } from '../statistics/rolling.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'

export function rollingCard(daily: DailyReturns): Html {
  const rows = rollingFigures(daily)
  return html`<section class="card" id="rolling" aria-label="Rolling statistics">
<div class="head"><h2>Rolling statistics</h2><span class="hint">over the last ${String(ROLLING_DAYS)} days, at the end of each day</span></div>
${
  rows.length < 2
    ? html`<p class="prose">They need more than ${String(ROLLING_DAYS)} days; this run has ${String(daily.days.length)}.</p>`
    : [
        chart('Return', rows, ({ totalReturn }) => totalReturn, percent),
        chart('Sharpe ratio', rows, (row) => row.sharpeRatio, decimal),
        chart('Volatility a year', rows, (row) => row.annualVolatility, percent),
        chart('Max drawdown', rows, ({ maxDrawdown }) => maxDrawdown, percent),
      ]
}
</section>`
}

function chart(
  name: string,
  rows: readonly RollingFigures[],
  of: (row: RollingFigures) => number | null,
  yText: (value: number) => string,
): Html {
  const lines = [{ name, x: rows.map(({ day }) => day), y: rows.map(of) }]
  const label = `${name} over the last ${ROLLING_DAYS} days`
  return html`<h3>${name}</h3>${lineChart({ label, lines, xText: dateOf, yText, level: 0 })}`
}

const percent = (value: number) => share(value, 1)
const decimal = (value: number) => rounded(value, 1)
const dateOf = (second: number) => new Date(second * 1_000).toISOString().slice(0, 10)
