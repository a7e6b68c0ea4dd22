/** A run for people at a terminal: the figures in the order a trader asks for them, in 80 columns. */
import type { AgainstMarkets, StressPeriod } from '../beside/againstMarkets.ts'
import type { Beside } from '../beside/beside.ts'
import { headlineIntervals } from '../report/besideSection.ts'
import { scoreRows } from '../report/learnedSection.ts'
import { marketText, within } from '../report/marketsSection.ts'
import type { PathComparison } from '../run/bothPaths.ts'
import type { OrderBounds } from '../run/orderBounds.ts'
import type { BacktestResult } from '../run/run.ts'
import type { Verdict } from '../run/verdict.ts'
import { change, count, moment, money, NO_VALUE, plural, ratio, share, span } from './presentation.ts'

type Paint = (text: string) => string

/** How words are coloured; each may leave the text as it is. */
export interface SummaryColours {
  readonly bold: Paint
  readonly dim: Paint
  readonly green: Paint
  readonly red: Paint
  readonly yellow: Paint
}

/** How a summary looks, and what it shows besides the run. */
export interface SummaryOptions {
  /** The same run on both paths, where it was made. */
  readonly comparison?: PathComparison | null
  /** What stands beside the run, where it was found. */
  readonly beside?: Beside | null
  /** The run against its markets, where it was found. */
  readonly against?: AgainstMarkets | null
  /** Lines of a chart to show. */
  readonly chart?: readonly string[]
  readonly colours?: SummaryColours
}

const COLUMNS = 80
const LABEL = 23

/**
 * The lines of the summary, ready to print.
 *
 * ```ts
 * const result = await runBacktest({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }],
 *   strategy: emaCross({ asset: 'BTC' }),
 * })
 * console.log(summary(result).join('\n'))
 * ```
 */
export function summary(result: BacktestResult, options: SummaryOptions = {}): string[] {
  const { comparison = null, beside = null, against = null, chart = [], colours = PLAIN } = options
  return [
    ...heading(result, colours),
    ...(chart.length === 0 ? [] : ['', ...chart.map((line) => colours.dim(line))]),
    ...section('Return', returnRows(result, colours), colours),
    ...(beside === null ? [] : besideLines(beside, colours)),
    ...(against === null ? [] : againstLines(against, colours)),
    ...section('Trades', tradeRows(result), colours),
    ...section('From prices to profit', costRows(result, colours), colours),
    ...section('Evaluation', evaluationRows(result), colours),
    ...portfolioParts(result, colours),
    ...learnedLines(result, colours),
    ...otherAccounts(result, colours),
    ...(comparison === null ? [] : bothPaths(comparison, colours)),
    ...remarks(result, colours),
  ]
}

/**
 * The same without colours and chart.
 *
 * ```ts
 * const result = await runBacktest({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }],
 *   strategy: emaCross({ asset: 'BTC' }),
 * })
 * console.log(summaryLines(result).join('\n'))
 * ```
 */
export function summaryLines(result: BacktestResult): string[] {
  return summary(result)
}

/**
 * The verdict in a sentence.
 *
 * ```ts
 * const { verdict } = await runBacktest({
 *   markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }],
 *   strategy: emaCross({ asset: 'BTC' }),
 * })
 * verdictText(verdict) // → UNDECIDED: neither passed nor failed when the data ended
 * ```
 */
export function verdictText(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'passed':
      return `PASSED at ${moment(verdict.at)} UTC`
    case 'failed': {
      const { rule, floor, equity } = verdict.breach
      const name = rule === 'total_loss' ? 'total loss' : 'daily loss'
      return `FAILED at ${moment(verdict.at)} UTC: ${name}, equity ${money(equity)} below the floor ${money(floor)}`
    }
    case 'undecided':
      return 'UNDECIDED: neither passed nor failed when the data ended'
  }
}

type Row = readonly [label: string, value: string]

const PLAIN: SummaryColours = { bold: same, dim: same, green: same, red: same, yellow: same }

function same(text: string): string {
  return text
}

function heading({ strategy, from, to, rows, path, verdict }: BacktestResult, colours: SummaryColours) {
  const paint = { passed: colours.green, failed: colours.red, undecided: colours.yellow }[verdict.outcome]
  return [
    ...wrapped(strategy).map(colours.bold),
    colours.dim(`${moment(from).slice(0, 16)} to ${moment(to + 1).slice(0, 16)} UTC, ${span(to - from)}`),
    colours.dim(`${count(rows)} ${plural(rows, 'row')}, ${path} path inside bars`),
    '',
    ...wrapped(verdictText(verdict)).map((line) => paint(colours.bold(line))),
  ]
}

function returnRows({ statistics, account, initialBalance }: BacktestResult, colours: SummaryColours): Row[] {
  const { maxDrawdown, netProfit } = statistics
  const paint = netProfit < 0n ? colours.red : colours.green
  return [
    ['total return', paint(share(statistics.totalReturn))],
    ['equity', `${money(account.riskStatus.currentEquity)} from ${money(initialBalance)}`],
    [
      'max drawdown',
      maxDrawdown === null ? 'none' : `${share(maxDrawdown.depth)} (${money(maxDrawdown.amount)})`,
    ],
    ['longest drawdown', maxDrawdown === null ? 'none' : span(statistics.longestDrawdownDurationMs)],
    [
      'Sharpe, Sortino',
      `${ratio(statistics.sharpeRatio)}, ${ratio(statistics.sortinoRatio)} (daily, annualised)`,
    ],
  ]
}

function besideLines({ benchmarks, confidence }: Beside, colours: SummaryColours): string[] {
  const rows = benchmarks.map(({ name, totalReturn, maxDrawdown, outcome }): Row => {
    return [name, `${share(totalReturn)}, drawdown ${share(maxDrawdown)}, ${outcome}`]
  })
  const intervals = Object.entries(headlineIntervals(confidence)).filter(([, text]) => text !== NO_VALUE)
  return [
    ...section('Beside it, under the same rules', rows, colours),
    ...(intervals.length === 0
      ? []
      : section('Where 95% of redraws of its days and trades lie', lowerCase(intervals), colours)),
  ]
}

/** The days beside those of each market, and the deepest fall and the largest rise of all; the periods that were named. */
function againstLines({ links, periods }: AgainstMarkets, colours: SummaryColours): string[] {
  const known = links.filter(({ beta }) => beta !== null)
  const linked = known.map(({ market, beta, betaError, correlation }): Row => {
    return [
      `beta to ${marketText(market)}`,
      `${within(beta, betaError, ratio)}, correlation ${ratio(correlation)}`,
    ]
  })
  const sizeOf = ({ marketReturn }: StressPeriod) => Math.abs(marketReturn ?? 0)
  const worst = (['fall', 'rise'] as const).flatMap((kind) =>
    periods
      .filter((period) => period.kind === kind)
      .sort((one, other) => sizeOf(other) - sizeOf(one))
      .slice(0, 1),
  )
  const named = periods.filter(({ kind }) => kind === 'named')
  const told = [...(known.length === 0 ? [] : worst), ...named].map(
    ({ kind, name, market, marketReturn, ...own }): Row => {
      const { totalReturn, maxDrawdown } = own
      return [
        name ?? `largest ${kind}`,
        `${market} ${share(marketReturn)}; ${share(totalReturn)}, drawdown ${share(maxDrawdown)}`,
      ]
    },
  )
  return linked.length + told.length === 0
    ? []
    : section('Against the markets', [...linked, ...told], colours)
}

function lowerCase(rows: readonly Row[]): Row[] {
  return rows.map(([name, value]) => [name.startsWith('Sharpe') ? name : name.toLowerCase(), value])
}

function tradeRows(result: BacktestResult): Row[] {
  const { trades } = result.statistics
  return [
    ['closed', `${count(trades.trades)} (${count(trades.wins)} won, ${count(trades.losses)} lost)`],
    ['fills, open at end', `${count(result.fills)}, ${count(result.openPositions)}`],
    ['win rate', share(trades.winRate, 1)],
    ['profit factor', ratio(trades.profitFactor)],
    ['liquidations', count(result.liquidations)],
    [
      'nearest liquidation',
      result.closestToLiquidation === null ? NO_VALUE : `${share(result.closestToLiquidation)} away`,
    ],
  ]
}

function costRows({ costs, statistics }: BacktestResult, colours: SummaryColours): Row[] {
  const amount = (value: bigint) => change(value).padStart(12)
  return [
    ['prices alone', amount(costs.pricePnl)],
    ['fees', amount(-costs.fees)],
    ['spread', amount(-costs.spread)],
    ['scalping surcharge', amount(-costs.scalping)],
    ['funding', amount(-costs.funding)],
    ['liquidation penalties', amount(-costs.liquidationPenalties)],
    ['60-second rule', amount(-costs.profitCap)],
    ...(costs.lossesAbsorbed === 0n ? [] : [['borne by the house', amount(costs.lossesAbsorbed)] as const]),
    ...(costs.transfers === 0n ? [] : [['transfers', amount(costs.transfers)] as const]),
    ['change of equity', colours.bold(amount(statistics.netProfit))],
  ]
}

function evaluationRows(result: BacktestResult): Row[] {
  const { account, verdict, leastDailyHeadroom, leastTotalHeadroom } = result
  const amount = (value: bigint | null) => (value === null ? NO_VALUE : money(value))
  return [
    ...(verdict.outcome === 'undecided' ? [] : [['equity at the verdict', money(verdict.equity)] as const]),
    ['profit target', `${share(Number(account.profitTarget) / 1e9)}`],
    ['profitable days', `${account.profitableDays} of ${account.minTradingDays}`],
    ['least daily headroom', amount(leastDailyHeadroom)],
    ['least total headroom', amount(leastTotalHeadroom)],
  ]
}

function portfolioParts({ portfolio }: BacktestResult, colours: SummaryColours): string[] {
  const rows = (portfolio?.parts ?? []).map(({ name, netProfit, trades, wins }): Row => {
    return [
      name,
      `${change(netProfit).padStart(12)}, ${count(trades)} ${plural(trades, 'trade')}, ${count(wins)} won`,
    ]
  })
  return rows.length === 0 ? [] : section('Strategies of the portfolio', rows, colours)
}

/** Of each model its fits, and below it how well it foretold. */
function learnedLines({ learned = [] }: BacktestResult, colours: SummaryColours): string[] {
  return learned.flatMap((model) => {
    const { name, fits, skipped } = model
    const due = skipped === 0 ? '' : `, ${count(skipped)} more had too few rows`
    const scores = scoreRows(model).map(({ name: score, outOfSample, error, inSample }): Row => {
      return [score, `${outOfSample} ± ${error} out of sample, ${inSample} in it`]
    })
    return section(`Learned: ${name}`, [['fits', `${count(fits.length)}${due}`], ...scores], colours)
  })
}

function otherAccounts({ others }: BacktestResult, colours: SummaryColours): string[] {
  const rows = others.map(({ name, statistics, verdict }): Row => {
    return [name, `${share(statistics.totalReturn)}, ${verdict.outcome}`]
  })
  return rows.length === 0 ? [] : section('Other accounts', rows, colours)
}

function bothPaths(comparison: PathComparison, colours: SummaryColours): string[] {
  const { adverse, optimistic, divergences, bounds } = comparison
  const [first] = divergences
  const [worst, best] = bounds.complete ? ['worst', 'best'] : ['worst reached', 'best reached']
  return section(
    'Both paths inside bars',
    [
      ['adverse', `${change(adverse.statistics.netProfit)}, ${adverse.verdict.outcome}`],
      ['optimistic', `${change(optimistic.statistics.netProfit)}, ${optimistic.verdict.outcome}`],
      [worst, `${change(bounds.worst.netProfit)}, ${bounds.worst.outcome}`],
      [best, `${change(bounds.best.netProfit)}, ${bounds.best.outcome}`],
      ['orders played', `${count(bounds.runs)} ${plural(bounds.runs, 'run')}, ${boundedBy(bounds)}`],
      ['bars that decided', `${count(divergences.length)} trade(s)`],
      ...(first === undefined ? [] : [['the first', `${moment(first.openTime)} UTC`] as const]),
    ],
    colours,
  )
}

function boundedBy({ complete, bars, tried }: OrderBounds): string {
  return complete
    ? `all orders of ${count(bars)} bar(s)`
    : `${count(tried)} of ${count(bars)} bars turned alone`
}

function remarks({ rejections, notes, stateHash }: BacktestResult, colours: SummaryColours): string[] {
  const refused = Object.entries(rejections).map(([code, times]) => `${code} ×${times}`)
  return [
    '',
    ...(refused.length === 0 ? [] : wrapped(`refused actions: ${refused.join(', ')}`)),
    ...notes.flatMap((note) => wrapped(`note: ${note}`)),
    // A live run has none.
    ...(stateHash === '' ? [] : [colours.dim(`state ${stateHash}`)]),
  ]
}

function section(title: string, rows: readonly Row[], colours: SummaryColours): string[] {
  return [
    '',
    colours.bold(title),
    ...rows.map(([label, value]) => `  ${colours.dim(label.padEnd(LABEL))} ${value}`),
  ]
}

/** Breaks at spaces where it can. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > COLUMNS) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}`, 'gu')) ?? [])
}
