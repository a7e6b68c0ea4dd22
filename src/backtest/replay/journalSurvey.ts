/** What has to be known of a whole journal before it can be replayed. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Price, Rate } from '../../quantity/units.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import type { JournalBegin, JournalEntry } from '../live/journal.ts'
import { JournalError } from '../live/journalText.ts'

/** A funding rate that holds from an instant on, epoch ms. */
interface ToldRate {
  readonly at: number
  readonly rate: Rate
}

interface SurveyedMarket {
  readonly id: string
  /** As far as the journal says: by instant, ascending. */
  readonly rates: readonly ToldRate[]
  /** Between two funding instants, ms: the longest that agrees with all of them, a venue's own first. */
  readonly fundingIntervalMs: number
  /** The last decimal place that its prices use; null where they use all there are, and have no steps. */
  readonly tick: Price | null
}

export interface JournalSurvey {
  readonly begin: JournalBegin
  /** How each of its runs began, in their order. */
  readonly runs: readonly JournalBegin[]
  /** By run, in their order: the first moment that the venue told, epoch ms. */
  readonly startTimes: readonly number[]
  /** In the order of the journal's begin. */
  readonly markets: readonly SurveyedMarket[]
  /** Whether events were lost for good. */
  readonly isUntold: boolean
}

const MINUTE_MS = 60_000
const ALL_DECIMALS = 9
/** Intervals that venues have, the usual one first and then from the longest. */
const INTERVALS_MS = [
  MARKET_DEFAULTS.fundingIntervalMs,
  ...[1_440, 720, 480, 240, 120, 60, 30, 15, 5, 1].map((minutes) => minutes * MINUTE_MS),
]

interface MarketNotes {
  readonly id: string
  readonly asset: string
  readonly rates: ToldRate[]
  readonly instants: number[]
  /** The longest time to the next instant that was told. */
  atLeastMs: number
  decimals: number
}

/** Takes a journal entry by entry. */
export class JournalSurveyor {
  #begin: JournalBegin | null = null
  readonly #startTimes: number[] = []
  #isStarting = false
  #markets: readonly MarketNotes[] = []
  readonly #runs: JournalBegin[] = []
  #isUntold = false

  add(entry: JournalEntry): void {
    switch (entry.type) {
      case 'run':
        return this.#run(entry)
      case 'price': {
        const market = this.#markets.find(({ asset }) => asset === entry.asset)
        if (market !== undefined) market.decimals = Math.max(market.decimals, decimalsOf(entry.price))
        if (this.#isStarting) this.#startTimes.push(entry.at)
        this.#isStarting = false
        return
      }
      case 'event': {
        const { event } = entry
        if (event.type !== 'payFunding') return
        const market = this.#markets.find(({ id }) => id === event.marketId)
        market?.instants.push(entry.at)
        market?.rates.push({ at: entry.at, rate: event.fundingRate })
        return
      }
      case 'untold':
        this.#isUntold = true
        return
      default:
        return
    }
  }

  /** @throws JournalError for a journal without a price. */
  survey(): JournalSurvey {
    if (this.#begin === null || this.#startTimes.length === 0)
      throw new JournalError('the journal has no price: there is nothing to run a backtest on')
    return {
      begin: this.#begin,
      startTimes: this.#startTimes,
      markets: this.#markets.map((market) => ({
        id: market.id,
        rates: market.rates,
        fundingIntervalMs: intervalOf(market),
        tick: market.decimals < ALL_DECIMALS ? 10n ** BigInt(ALL_DECIMALS - market.decimals) : null,
      })),
      runs: this.#runs,
      isUntold: this.#isUntold,
    }
  }

  #run(entry: JournalBegin): void {
    this.#begin ??= entry
    if (this.#markets.length === 0)
      this.#markets = entry.markets.map(({ id, config }) => ({
        ...{ id, asset: config.baseAsset, rates: [], instants: [], atLeastMs: 0, decimals: 0 },
      }))
    for (const { id, state } of entry.markets) {
      const market = this.#markets.find((known) => known.id === id)
      if (market === undefined) continue
      const at = state.updatedAt ?? entry.at
      market.instants.push(state.nextFundingAt)
      market.atLeastMs = Math.max(market.atLeastMs, state.nextFundingAt - entry.at)
      market.rates.push({ at, rate: state.fundingRate })
    }
    if (entry.isContinued && this.#runs.length > 0) return
    this.#runs.push(entry)
    this.#isStarting = true
  }
}

function decimalsOf(price: Price): number {
  return formatDecimal(price).split('.')[1]?.length ?? 0
}

function intervalOf({ instants, atLeastMs }: MarketNotes): number {
  const fits = (interval: number) =>
    // A client's clock may be a little off.
    interval + MINUTE_MS >= atLeastMs && instants.every((instant) => instant % interval === 0)
  return INTERVALS_MS.find(fits) ?? MARKET_DEFAULTS.fundingIntervalMs
}
