/** A live run beside a backtest of the same strategy on the prices that the run was told: fill by fill, to the last 10⁻⁹. */
import type { Price, Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type Incident, IncidentLog } from '../live/incidents.ts'
import type { JournalBegin, JournalEntry } from '../live/journal.ts'
import { JournalError } from '../live/journalText.ts'
import { LiveAccount } from '../live/liveAccount.ts'
import { readJournal } from '../live/readJournal.ts'
import { FillLog, type LoggedFill } from '../replay/fillLog.ts'
import { journalStrategy, type ReplayedStrategy } from '../replay/journalStrategy.ts'
import { type JournalSurvey, JournalSurveyor } from '../replay/journalSurvey.ts'
import { Replay, type RunEnd } from '../replay/replay.ts'
import type { AccountResult } from '../run/participant.ts'
import { Befallen, type Reason } from './befallen.ts'
import {
  type ByCause,
  type Cause,
  differenceOf,
  NO_DIFFERENCE,
  resultOf,
  sumOf,
  worthOf,
} from './fillDifference.ts'
import { type FillPair, pairedFills, timeOf } from './pairedFills.ts'
import { ToldPrices } from './toldPrices.ts'

/** A fill of the live run, of its backtest, or of both. Above zero the live run is better off. */
export interface FillRow {
  /** Of the first of both, epoch ms. */
  readonly at: number
  readonly asset: string
  readonly side: Direction
  readonly found: 'matched' | 'only live' | 'only backtest'
  readonly live: LoggedFill | null
  readonly backtest: LoggedFill | null
  /** How much later the live one came, ms; null where there is one alone. */
  readonly delayMs: number | null
  /** The live execution price less the backtest's; null where there is one alone. */
  readonly priceDifference: Price | null
  /** The same in steps of the last decimal place that the market's prices use; null where they have no steps. */
  readonly ticks: number | null
  readonly causes: ByCause
  /** What the live run gained or lost by it, against the backtest: the sum of the causes. */
  readonly difference: Quote
  /** Null where both are the same but for the time that an order takes. */
  readonly reason: Reason | null
}

export interface LiveComparison {
  readonly begin: JournalBegin
  readonly to: number
  readonly incidents: readonly Incident[]
  readonly live: AccountResult
  readonly backtest: AccountResult
  /** What was earned, without what was paid in and out. */
  readonly livePnl: Quote
  readonly backtestPnl: Quote
  readonly rows: readonly FillRow[]
  readonly causes: ByCause
  /** Earned by positions that were open when the journal began, which the backtest has not. */
  readonly carried: Quote
  /** `livePnl` − `backtestPnl` − all of the above: what nothing that was told explains. */
  readonly remainder: Quote
  /** What the reader should know before believing the figures. */
  readonly notes: readonly string[]
}

/**
 * `strategyOf` has the strategy of a journal.
 *
 * @throws JournalError for what is no journal, or one without fills or prices; StrategyFailure for what the strategy throws.
 */
export async function compareLive(
  file: string,
  strategyOf: (runs: readonly JournalBegin[]) => Promise<ReplayedStrategy> = journalStrategy,
): Promise<LiveComparison> {
  const survey = await surveyOf(file)
  if (survey.begin.head === null)
    throw new JournalError(
      `${file}: the venue has no stream, and its journal no fills: there is nothing to compare`,
    )
  const strategy = await strategyOf(survey.runs)
  const comparing = new Comparing(survey, strategy)
  try {
    for await (const entry of readJournal(file, ({ file: part, line }) =>
      comparing.incidents.torn(part, line),
    ))
      await comparing.add(entry)
  } finally {
    comparing.leave()
  }
  return { ...comparing.end(), notes: [...strategy.notes, ...notesOf(survey, strategy)] }
}

async function surveyOf(file: string): Promise<JournalSurvey> {
  const surveyor = new JournalSurveyor()
  for await (const entry of readJournal(file)) surveyor.add(entry)
  return surveyor.survey()
}

function notesOf({ begin, runs, isUntold }: JournalSurvey, { past }: ReplayedStrategy): string[] {
  const [positions, orders] = [begin.positions.length, begin.orders.length]
  return [
    ...(positions > 0
      ? [`${positions} position(s) were open when the journal began: the backtest has them not`]
      : []),
    ...(orders > 0 ? [`${orders} order(s) waited when the journal began: the backtest has them not`] : []),
    ...(past === undefined && runs.some(({ warmUp }) => warmUp !== undefined)
      ? ['the strategy was told of earlier prices before it traded, and that of the backtest is not']
      : []),
    ...(begin.isContinued
      ? ['earlier files of the journal are gone: the backtest begins where the first that is there does']
      : []),
    ...(isUntold
      ? [
          'the venue could not tell all that happened: what of the difference that explains is in the remainder',
        ]
      : []),
  ]
}

class Comparing {
  readonly incidents = new IncidentLog()
  readonly #survey: JournalSurvey
  readonly #replay: Replay
  readonly #log = new FillLog()
  readonly #befallen = new Befallen()
  readonly #told: readonly ToldPrices[]
  readonly #account: LiveAccount
  #entries = 0
  /** Of the price or bar that the run was told last. */
  #step = 0
  /** What has come after it. */
  #since: JournalEntry[] = []

  constructor(survey: JournalSurvey, strategy: ReplayedStrategy) {
    this.#survey = survey
    this.#replay = new Replay(survey, strategy)
    this.#told = survey.begin.markets.map(({ state }) => new ToldPrices(state.indexPrice))
    this.#account = new LiveAccount(survey.begin)
    for (const position of survey.begin.positions)
      if (this.#marketOf(position.marketId) >= 0) this.#log.carry(position)
  }

  async add(entry: JournalEntry): Promise<void> {
    const { begin } = this.#survey
    this.#entries += 1
    if (entry.type === 'run' || entry.type === 'price' || entry.type === 'bar') {
      this.#step = this.#entries
      this.#since = []
    } else this.#since.push(entry)
    this.incidents.add(entry, begin.intervalMs)
    this.#befallen.add(entry, this.#step, begin.intervalMs)
    if (this.#entries > 1) this.#account.add(entry)
    if (entry.type === 'asked' && entry.orderId !== null) this.#log.asked(entry.orderId, this.#step)
    if (entry.type === 'event' && this.#marketOf(entry.event.marketId) >= 0)
      this.#log.add(entry.event, entry.seq, entry.at, this.#step, entry.part)
    if (entry.type === 'price') {
      const market = begin.markets.findIndex(({ config }) => config.baseAsset === entry.asset)
      this.#told[market]?.add(entry.at, entry.price)
    }
    if (entry.type === 'end') await this.#replay.endRun(endOf(this.#since), this.#step)
    else await this.#replay.add(entry, this.#step)
  }

  /** However it ends. */
  leave(): void {
    this.#replay.leave()
  }

  end(): Omit<LiveComparison, 'notes'> {
    this.incidents.end()
    this.#log.end()
    const live = this.#account.result()
    const backtest = this.#replay.result(this.#account.time)
    const logs = { live: this.#log, backtest: this.#replay.log }
    const pairs = pairedFills({
      ...logs,
      intervalMs: this.#survey.begin.intervalMs,
      isRefused: (fill) => this.#befallen.refusal(fill, this.#assetOf(fill.marketId), logs.backtest) !== null,
    })
    const rows = this.#explained(pairs.map((pair) => this.#rowOf(pair)))
    const byFills = rows.reduce((sum, row) => added(sum, row.causes), NO_DIFFERENCE)
    const carried = this.#carried()
    // What the rule holds back of positions that are still open is of no fill.
    const heldBack =
      backtest.costs.profitCap - live.costs.profitCap - adjusted(this.#log) + adjusted(this.#replay.log)
    const causes = { ...byFills, profitCap: byFills.profitCap + heldBack }
    const [livePnl, backtestPnl] = [earned(live), earned(backtest)]
    return {
      ...{ begin: this.#survey.begin, to: this.#account.time, incidents: this.incidents.incidents },
      ...{ live, backtest, livePnl, backtestPnl, rows, causes, carried },
      remainder: livePnl - backtestPnl - sumOf(causes) - carried,
    }
  }

  /** The strategy has had no part in what was open when the journal began. */
  #carried(): Quote {
    let sum = 0n
    for (const { marketId, side, carried, fills, funding } of this.#log.positions) {
      if (carried === null) continue
      const market = this.#marketOf(marketId)
      const { lastPrice, firstPrice } = this.#told[market] as ToldPrices
      sum += worthOf(side, carried, lastPrice) - worthOf(side, carried, firstPrice) + funding
      for (const fill of fills) sum += resultOf(fill, lastPrice)
    }
    return sum
  }

  /** What becomes of a position that the other has not follows from its entry. */
  #explained(rows: readonly FillRow[]): FillRow[] {
    const first = new Map<string, Reason | null>()
    return rows.map((row) => {
      const { positionId } = (row.live ?? row.backtest) as LoggedFill
      if (!first.has(positionId)) first.set(positionId, row.reason)
      const entry = first.get(positionId)
      return row.found !== 'matched' &&
        row.reason?.befell === 'only one asked' &&
        entry != null &&
        entry !== row.reason
        ? { ...row, reason: { befell: 'follows', what: entry.befell } }
        : row
    })
  }

  #rowOf(pair: FillPair): FillRow {
    const { live, backtest } = pair
    const { marketId, side } = (live ?? backtest) as LoggedFill
    const market = this.#marketOf(marketId)
    const asset = this.#assetOf(marketId)
    const told = this.#told[market] as ToldPrices
    const causes = differenceOf(pair, told)
    const difference = sumOf(causes)
    const common = { at: timeOf(pair), asset, side, ...pair, causes, difference }
    const logs = { live: this.#log, backtest: this.#replay.log }
    const reason = () => this.#befallen.reasonOf(pair, asset, logs, told)
    if (live === null || backtest === null) {
      const found = live === null ? 'only backtest' : 'only live'
      return { ...common, found, delayMs: null, priceDifference: null, ticks: null, reason: reason() }
    }
    const delayMs = live.at - backtest.at
    const priceDifference = live.price - backtest.price
    const tick = this.#survey.markets[market]?.tick ?? null
    const isSame = live.size === backtest.size && Object.values(causes).every((amount) => amount === 0n)
    return {
      ...{ ...common, found: 'matched', delayMs, priceDifference },
      ...{
        ticks: tick === null ? null : Number(priceDifference) / Number(tick),
        reason: isSame ? null : reason(),
      },
    }
  }

  #assetOf(marketId: string): string {
    return this.#survey.begin.markets[this.#marketOf(marketId)]?.config.baseAsset ?? ''
  }

  #marketOf(marketId: string): number {
    return this.#survey.markets.findIndex(({ id }) => id === marketId)
  }
}

/** What the last entries say of the end of a run. */
function endOf(since: readonly JournalEntry[]): RunEnd {
  const lastAsked = since.findLastIndex(({ type }) => type === 'asked')
  const told = since.slice(lastAsked + 1).find(({ type }) => type === 'event')
  return {
    at: lastAsked < 0 ? null : (told?.at ?? null),
    flattens: since.some((entry) => entry.type === 'asked' && entry.action === 'closeAll'),
  }
}

function earned({ statistics, costs }: AccountResult): Quote {
  return statistics.netProfit - costs.transfers
}

function adjusted({ positions }: FillLog): Quote {
  return positions.reduce((sum, { fills }) => fills.reduce((own, fill) => own + fill.adjusted, sum), 0n)
}

function added(one: ByCause, other: ByCause): ByCause {
  const names = Object.keys(one) as Cause[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as ByCause
}
