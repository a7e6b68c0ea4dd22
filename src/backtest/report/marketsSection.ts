/** How a run hung on its markets, and how it fared where they moved most. */
import { type AgainstMarkets, ALL_MARKETS, type StressPeriod } from '../beside/againstMarkets.ts'
import { change, count, moment, NO_VALUE, ratio, rounded, share } from '../output/presentation.ts'
import { ROLLING_DAYS } from '../statistics/rolling.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'

export interface MarketsSection {
  readonly links: readonly LinkRow[]
  /** By market: seconds since 1970, and null where there is none. */
  readonly rolling: readonly {
    readonly market: string
    readonly day: readonly number[]
    readonly beta: readonly (number | null)[]
    readonly correlation: readonly (number | null)[]
  }[]
  readonly periods: readonly PeriodRow[]
}

/** As they are shown. */
interface LinkRow {
  readonly market: string
  readonly days: string
  readonly beta: string
  readonly correlation: string
  readonly alpha: string
}

interface PeriodRow {
  readonly what: string
  readonly market: string
  readonly from: string
  readonly to: string
  readonly marketReturn: string
  readonly totalReturn: string
  readonly netProfit: string
  readonly maxDrawdown: string
  readonly trades: string
}

export function marketsSection({ links, periods }: AgainstMarkets): MarketsSection {
  return {
    links: links.map(({ market, returns, beta, betaError, correlation, alpha, alphaError }) => ({
      market: marketText(market),
      days: count(returns),
      beta: within(beta, betaError, ratio),
      correlation: ratio(correlation),
      alpha: within(alpha, alphaError, (value) => share(value, 1)),
    })),
    rolling: links
      .filter(({ rolling }) => rolling.length > 1)
      .map(({ market, rolling }) => ({
        market: marketText(market),
        day: rolling.map(({ day }) => day),
        beta: rolling.map(({ beta }) => beta),
        correlation: rolling.map(({ correlation }) => correlation),
      })),
    periods: periods.map(periodRow),
  }
}

/** A figure with its standard error. */
export function within(
  value: number | null,
  error: number | null,
  text: (value: number | null) => string,
): string {
  return value === null ? NO_VALUE : `${text(value)} ± ${text(error)}`
}

export function marketText(market: string): string {
  return market === ALL_MARKETS ? 'all of them' : market
}

function periodRow(period: StressPeriod): PeriodRow {
  const { market, from, to, marketReturn, totalReturn, netProfit, maxDrawdown, trades } = period
  return {
    what: period.name ?? period.kind,
    market,
    from: moment(from).slice(0, 16),
    to: moment(to).slice(0, 16),
    marketReturn: share(marketReturn),
    totalReturn: share(totalReturn),
    netProfit: netProfit === null ? NO_VALUE : change(netProfit),
    maxDrawdown: share(maxDrawdown),
    trades: trades === null ? NO_VALUE : count(trades),
  }
}

/** Nothing of a report of an earlier version. */
export function marketCards(section: MarketsSection | null | undefined): Html[] {
  if (section === null || section === undefined) return []
  return [linkCard(section), stressCard(section)]
}

function linkCard({ links, rolling }: MarketsSection): Html {
  return html`<section class="card" id="markets" aria-label="Against the markets">
<div class="head"><h2>Against the markets</h2><span class="hint">its days beside theirs</span></div>
<div class="scroll"><table><thead><tr><th scope="col">Market</th><th scope="col" class="number">Days</th><th scope="col" class="number">Beta</th><th scope="col" class="number">Correlation</th><th scope="col" class="number">Alpha a year</th></tr></thead>
<tbody>${links.map(({ market, days, beta, correlation, alpha }) => html`<tr><th scope="row">${market}</th><td class="number">${days}</td><td class="number">${beta}</td><td class="number">${correlation}</td><td class="number">${alpha}</td></tr>`)}</tbody></table></div>
<p class="prose">Beta is what the account moved by where the market moved by one, alpha what the same line says of a market that stands still; behind ± stands the standard error. An alpha within two of them is not known from none. Fewer than ${String(LEAST_RETURNS)} days tell nothing.</p>
${
  rolling.length === 0
    ? html`<p class="prose">How they changed takes more than ${String(ROLLING_DAYS)} days.</p>`
    : [
        rollingChart('Beta', rolling, ({ beta }) => beta),
        rollingChart('Correlation', rolling, ({ correlation }) => correlation),
      ]
}
</section>`
}

type Rolling = MarketsSection['rolling'][number]

function rollingChart(
  name: string,
  rolling: readonly Rolling[],
  of: (one: Rolling) => readonly (number | null)[],
): Html {
  const lines = rolling.map((one) => ({ name: one.market, x: one.day, y: of(one) }))
  const label = `${name} over the last ${ROLLING_DAYS} days`
  return html`<h3>${label}</h3>${lineChart({ label, lines, xText: dateOf, yText, level: 0 })}`
}

const dateOf = (second: number) => new Date(second * 1_000).toISOString().slice(0, 10)
const yText = (value: number) => rounded(value, 2)

function stressCard({ periods }: MarketsSection): Html {
  return html`<section class="card" id="stress" aria-label="Under stress">
<div class="head"><h2>Under stress</h2><span class="hint">where a market fell and rose most, and periods that were named</span></div>
${
  periods.length === 0
    ? html`<p class="prose">The markets did not move.</p>`
    : html`<div class="scroll long"><table class="sortable"><thead><tr><th scope="col">What</th><th scope="col">Market</th><th scope="col">From (UTC)</th><th scope="col">To</th><th scope="col" class="number">Market</th><th scope="col" class="number">Return</th><th scope="col" class="number">Net profit</th><th scope="col" class="number">Max drawdown</th><th scope="col" class="number">Trades</th></tr></thead>
<tbody>${periods.map(
        (row) =>
          html`<tr><th scope="row">${row.what}</th><td>${row.market}</td><td>${row.from}</td><td>${row.to}</td><td class="number">${row.marketReturn}</td><td class="number">${row.totalReturn}</td><td class="number">${row.netProfit}</td><td class="number">${row.maxDrawdown}</td><td class="number">${row.trades}</td></tr>`,
      )}</tbody></table></div>`
}
<p class="prose">Falls and rises are found from the closes that the run was told: the deepest first, none over another. A trade counts where it was open in the period.</p>
</section>`
}
