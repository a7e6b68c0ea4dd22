/**
 * A live run as a backtest: the strategy again, told the same prices and bars in the same order, on an engine of its own. What is asked
 * happens at once, at the last price that the run was told; a bar is told when its interval is over.
 */

import { PROFIT_WINDOW_MS } from '../../domain/state/venueRules.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Accepted } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import type { Commit } from '../../events/commit.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'
import { LastPrices } from '../accounting/lastPrices.ts'
import type { JournalBegin, JournalEntry } from '../live/journal.ts'
import { tellPast } from '../live/toldPast.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import { Audience } from '../run/audience.ts'
import { type AccountResult, Participant } from '../run/participant.ts'
import { PriceQueue } from '../run/priceQueue.ts'
import { WarmUp } from '../run/warmUp.ts'
import { HeardBars } from '../strategy/heardBars.ts'
import type { Bar } from '../strategy/strategy.ts'
import { FillLog } from './fillLog.ts'
import type { ReplayedStrategy } from './journalStrategy.ts'
import type { JournalSurvey } from './journalSurvey.ts'
import { replayedVenue } from './replayedVenue.ts'
import { StrategyOfRuns } from './strategyOfRuns.ts'

/** How a run of a journal ended. */
export interface RunEnd {
  /** Epoch ms by the venue's clock; null where it did nothing that tells. */
  readonly at: number | null
  /** Whether everything that was open was then closed. */
  readonly flattens: boolean
}

/** Between two points of the curve, ms. */
const SAMPLING_MS = 60_000

export class Replay {
  readonly #survey: JournalSurvey
  readonly #strategy: StrategyOfRuns
  readonly #engine: Engine
  readonly #prices: LastPrices
  readonly #queue: PriceQueue
  readonly #participant: Participant
  readonly #recorder: RunRecorder
  readonly #assets: readonly string[]
  readonly #rates: { readonly at: number; readonly marketId: string; readonly fundingRate: bigint }[]
  readonly #past: ReplayedStrategy['past']
  readonly #models: ReplayedStrategy['models']
  readonly #warmUp = new WarmUp()
  #bars = new HeardBars()
  #audience: Audience
  #sampledAt = Number.NEGATIVE_INFINITY
  #runs = 0
  #step = 0
  readonly log = new FillLog()

  /** The strategy is made anew for each run of the journal. */
  constructor(survey: JournalSurvey, { create, past, models }: ReplayedStrategy) {
    const { begin, markets } = survey
    const ids = markets.map(({ id }) => id)
    this.#survey = survey
    this.#past = past
    this.#models = models
    this.#strategy = new StrategyOfRuns(create)
    this.#assets = begin.markets.map(({ config }) => config.baseAsset)
    this.#rates = markets
      .flatMap(({ id: marketId, rates }) =>
        rates.map(({ at, rate: fundingRate }) => ({ at, marketId, fundingRate })),
      )
      .sort((one, other) => one.at - other.at)
    this.#engine = replayedVenue(survey)
    this.#prices = new LastPrices(markets.length)
    const accepted = (command: Command, outcome: Accepted<unknown>) =>
      this.#audience.accepted(command, outcome, this.#engine.now)
    this.#queue = new PriceQueue(this.#engine, ids, accepted)
    const bars = () => this.#bars
    this.#participant = new Participant(
      { name: 'backtest', accountId: begin.account.accountId, strategy: this.#strategy },
      {
        engine: this.#engine,
        get bars() {
          return bars()
        },
        warmUp: this.#warmUp,
        marketIds: new Map(ids.map((id, market) => [this.#assets[market] as string, id])),
        catchUp: () => this.#queue.catchUp(),
        accepted: (command, outcome) => {
          this.#queue.touched()
          accepted(command, outcome)
        },
        isCharted: () => false,
        contextOf: (name) => {
          throw new RangeError(`a live run has one account; there is no ${name}`)
        },
      },
      ids,
      this.#prices,
      PROFIT_WINDOW_MS,
    )
    this.#recorder = { start() {}, bar() {}, tick() {}, commit: (commit) => this.#note(commit) }
    this.#audience = this.#newAudience()
  }

  /**
   * The next entry of the journal; `step` is its number.
   *
   * @throws StrategyFailure for whatever the strategy throws.
   */
  async add(entry: JournalEntry, step: number): Promise<void> {
    this.#step = step
    try {
      if (entry.type === 'run') await this.#run(entry)
      else if (entry.type === 'price') await this.#price(entry.asset, entry.at, entry.price)
      else if (entry.type === 'bar') await this.#bar(entry.bar)
      else if (entry.type === 'market') await this.#status(entry.asset, entry.at, entry.status)
    } catch (error) {
      throw this.#audience.blamed(error, this.#engine.now)
    }
  }

  /** The run ends; `step` is that of the last price or bar. @throws StrategyFailure for whatever the strategy throws. */
  async endRun({ at, flattens }: RunEnd, step: number): Promise<void> {
    this.#step = step
    try {
      if (at !== null) this.#waitUntil(at)
      await this.#audience.end()
      if (flattens) this.#participant.context.closeAll()
      await this.#audience.tellNews()
    } catch (error) {
      throw this.#audience.blamed(error, this.#engine.now)
    }
  }

  /** Call once it is over, however it ended. */
  leave(): void {
    this.#audience.leave()
  }

  /** What it came to by a time, epoch ms. */
  result(at: number): AccountResult {
    this.#queue.catchUp()
    this.#participant.sample(at)
    this.log.end()
    return this.#participant.result(at)
  }

  async #run(begin: JournalBegin): Promise<void> {
    const { markets, isContinued } = begin
    if (isContinued && this.#runs > 0) return
    const at = this.#survey.startTimes[this.#runs] ?? this.#engine.now
    this.#runs += 1
    for (const { id, state } of markets) {
      const market = this.#survey.markets.findIndex((known) => known.id === id)
      if (market >= 0 && state.indexPrice > 0n)
        this.#moveTo(market, Math.max(at, this.#engine.now), state.indexPrice)
    }
    await this.#audience.tellNews()
    this.#sample(at)
    if (this.#runs > 1) this.#strategy.begin()
    this.#audience.leave()
    this.#bars = new HeardBars(null, (await this.#models?.(begin)) ?? null)
    this.#audience = this.#newAudience()
    await this.#started(begin)
  }

  /** The bar that had begun by then is the run's, and the journal has it whole. */
  async #started(begin: JournalBegin, past = this.#past): Promise<void> {
    const { intervalMs, warmUp } = begin
    if (warmUp === undefined || past === undefined) return this.#audience.start()
    const markets = this.#survey.markets.map(({ id }, market) => ({
      id,
      asset: this.#assets[market] as string,
    }))
    const parts = { markets, intervalMs, warmUp: this.#warmUp, hearer: this.#audience, to: warmUp.to }
    await tellPast(await past(begin), parts)
  }

  async #price(asset: string, at: number, price: bigint): Promise<void> {
    const market = this.#assets.indexOf(asset)
    if (market < 0) return
    const time = Math.max(at, this.#engine.now)
    this.#moveTo(market, time, price)
    await this.#audience.tellNews()
    await this.#audience.tick({ asset, time, price })
    if (time >= this.#sampledAt + SAMPLING_MS) this.#sample(time)
  }

  async #bar(bar: Bar): Promise<void> {
    this.#waitUntil(bar.closeTime + 1)
    await this.#audience.tellNews()
    await this.#audience.bar(bar)
    await this.#audience.tellNews()
    this.#sample(this.#engine.now)
  }

  /** What it is already, it is not made again. */
  async #status(asset: string, at: number, status: MarketStatus): Promise<void> {
    const market = this.#survey.markets[this.#assets.indexOf(asset)]
    if (market === undefined) return
    this.#waitUntil(Math.max(at, this.#engine.now))
    this.#queue.ask({ type: 'setMarketStatus', marketId: market.id, status })
    await this.#audience.tellNews()
  }

  #moveTo(market: number, time: number, price: bigint): void {
    this.#changeRates(time)
    this.#queue.add(market, time, price)
    this.#queue.catchUp()
    this.#prices.set(market, price)
    this.#participant.exposure.priced(market, price)
  }

  #waitUntil(time: number): void {
    this.#changeRates(time)
    this.#queue.waitUntil(time)
  }

  /** Each rate is set just before its instant. */
  #changeRates(time: number): void {
    for (let next = this.#rates[0]; next !== undefined && next.at <= time; next = this.#rates[0]) {
      this.#rates.shift()
      const { at, marketId, fundingRate } = next
      const command = { type: 'setFundingRate', marketId, fundingRate, fundingRateShort: null } as const
      const refused = this.#queue.ask(
        command,
        this.#engine.now === 0 ? time : Math.max(at - 1, this.#engine.now),
      )
      if (refused !== null) throw new RangeError(`funding rate ${fundingRate} refused: ${refused}`)
    }
  }

  #sample(time: number): void {
    this.#sampledAt = time
    this.#participant.sample(time)
  }

  #newAudience(): Audience {
    return new Audience([this.#participant], this.#recorder, this.#bars)
  }

  #note({ seq, at, events }: Commit): void {
    for (const event of events) {
      if (!('accountId' in event)) continue
      const orderId = 'orderId' in event ? event.orderId : null
      const part = orderId === null ? undefined : this.#strategy.ledger?.nameOf(orderId)
      this.log.add(event, seq, at, this.#step, part)
      this.#strategy.note(event, at)
    }
  }
}
