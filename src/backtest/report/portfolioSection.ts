/** What each strategy of a portfolio came to, and all of them together. */
import { change, count, money, share } from '../output/presentation.ts'
import type { PartResult } from '../portfolio/partLedger.ts'
import type { AccountResult } from '../run/participant.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'

export interface PortfolioSection {
  /** One of each strategy, then what is nobody's where there is any, then the whole. */
  readonly rows: readonly PartRow[]
  /** What each had earned, without what was open: seconds since 1970 and quote currency. */
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly (readonly [number, number])[]
  }[]
}

interface PartRow {
  readonly name: string
  readonly strategy: string
  readonly trades: string
  readonly winRate: string
  readonly realizedPnl: string
  readonly fees: string
  readonly funding: string
  readonly openPnl: string
  readonly netProfit: string
}

/** Points of a line: more than a screen has columns to tell apart. */
const MOST_POINTS = 600

/** Null where the account is one strategy's. */
export function portfolioSection(result: AccountResult): PortfolioSection | null {
  const { portfolio } = result
  if (portfolio === undefined) return null
  const { parts, unattributed } = portfolio
  const nobodys =
    unattributed === 0n ? [] : [{ ...NO_AMOUNTS, name: 'none of them', netProfit: unattributed }]
  const { transfers } = result.costs
  const moved = transfers === 0n ? [] : [{ ...NO_AMOUNTS, name: 'transfers', netProfit: transfers }]
  return {
    rows: [...parts, ...nobodys, ...moved, wholeOf(parts, result.statistics.netProfit)].map(rowOf),
    lines: parts.map(({ name, earned }) => ({ name, points: thinned(earned) })),
  }
}

type Amounts = Omit<PartResult, 'earned'>

const NO_AMOUNTS: Amounts = {
  ...{ name: '', strategy: '', trades: 0, wins: 0, fills: 0 },
  ...{ realizedPnl: 0n, fees: 0n, funding: 0n, openPnl: 0n, netProfit: 0n },
}

function wholeOf(parts: readonly Amounts[], netProfit: bigint): Amounts {
  const of = (amount: (part: Amounts) => bigint) => parts.reduce((sum, part) => sum + amount(part), 0n)
  const countOf = (number: (part: Amounts) => number) => parts.reduce((sum, part) => sum + number(part), 0)
  return {
    ...NO_AMOUNTS,
    name: 'the account',
    trades: countOf(({ trades }) => trades),
    wins: countOf(({ wins }) => wins),
    realizedPnl: of(({ realizedPnl }) => realizedPnl),
    fees: of(({ fees }) => fees),
    funding: of(({ funding }) => funding),
    openPnl: of(({ openPnl }) => openPnl),
    netProfit,
  }
}

function rowOf(part: Amounts): PartRow {
  return {
    name: part.name,
    strategy: part.strategy,
    trades: count(part.trades),
    winRate: share(part.trades === 0 ? null : part.wins / part.trades, 1),
    realizedPnl: change(part.realizedPnl),
    fees: money(part.fees),
    funding: change(part.funding),
    openPnl: change(part.openPnl),
    netProfit: change(part.netProfit),
  }
}

function thinned(earned: PartResult['earned']): [number, number][] {
  const stride = Math.max(1, Math.ceil(earned.length / MOST_POINTS))
  return earned
    .filter((_, index) => index % stride === 0 || index === earned.length - 1)
    .map(([at, amount]) => [Math.round(at / 1_000), Number(amount) / 1e9])
}

/** Nothing where the account is one strategy's. */
export function portfolioCard(section: PortfolioSection | null | undefined): Html | null {
  if (section === null || section === undefined) return null
  return html`<section class="card" id="portfolio" aria-label="Strategies of the portfolio">
<div class="head"><h2>Strategies of the portfolio</h2><span class="hint">one account: its balance, limits and verdict are common</span></div>
<div class="scroll"><table><thead><tr><th>Strategy</th><th class="number">Net profit</th><th class="number">Trades</th><th class="number">Win rate</th><th class="number">Closed</th><th class="number">Fees</th><th class="number">Funding</th><th class="number">Open</th></tr></thead>
<tbody>${section.rows.map(
    ({ name, strategy, trades, winRate, realizedPnl, fees, funding, openPnl, netProfit }) =>
      html`<tr><th scope="row" title="${strategy}">${name}</th><td class="number">${netProfit}</td><td class="number">${trades}</td><td class="number">${winRate}</td><td class="number">${realizedPnl}</td><td class="number">${fees}</td><td class="number">${funding}</td><td class="number">${openPnl}</td></tr>`,
  )}</tbody></table></div>
<h3>Earned by each</h3>
${lineChart({
  label: 'What each strategy had earned, without what was open',
  lines: section.lines.map(({ name, points }) => ({
    name,
    x: points.map(([at]) => at),
    y: points.map(([, amount]) => amount),
  })),
  xText: (x) => new Date(x * 1_000).toISOString().slice(0, 10),
  yText: (y) => y.toLocaleString('en-US', { maximumFractionDigits: 2 }),
  level: 0,
  stepped: true,
})}
<p class="prose">Closed is gross of fees and funding, after the 60-second rule; net profit is closed − fees + funding + open. Strategies on the same side of a market share the venue's one position there: each is reckoned with what its own entries paid, and what the platform closes or charges is divided by their shares.</p>
</section>`
}
