/**
 * Plays the merged prices into the engine and tells the strategies. What a strategy is told, and when:
 * every price first reaches the engine; what that caused is counted and told (`onEvent`); then the price is told
 * (`onTick`), and with the last price of a bar the bar (`onBar`). Nothing waits unless a hook returns a promise.
 */

import type { Engine } from '../../engine/engine.ts'
import type { Accepted } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import { LastPrices } from '../accounting/lastPrices.ts'
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import { EmptyDays } from '../feed/emptyDays.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { PATH_STEPS } from '../feed/path.ts'
import { safeToNumber } from '../numbers/toNumber.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import { barAt } from '../strategy/bar.ts'
import type { ContextRun } from '../strategy/engineContext.ts'
import { HeardBars } from '../strategy/heardBars.ts'
import type { Charted } from '../strategy/indicator.ts'
import type { Bar, Tick } from '../strategy/strategy.ts'
import { Audience } from './audience.ts'
import { BarPrices } from './barPrices.ts'
import { MarketEnds } from './marketEnds.ts'
import { type AccountResult, Participant } from './participant.ts'
import { PastTold } from './pastTold.ts'
import type { PlaybackParts, PlayedMarket } from './playbackParts.ts'
import { PriceQueue } from './priceQueue.ts'
import { QuietBars } from './quietBar.ts'
import { QuietTicks } from './quietTicks.ts'
import { RateSchedules } from './rateSchedules.ts'
import { MarketTickBars } from './tickBars.ts'
import type { Asked } from './untradedNote.ts'
import { WarmUp } from './warmUp.ts'

export class Playback {
  readonly #engine: Engine
  readonly #markets: readonly PlayedMarket[]
  readonly #recorder: RunRecorder | null
  readonly #participants: readonly Participant[]
  readonly #audience: Audience
  readonly #prices: LastPrices
  readonly #barPrices: BarPrices
  readonly #queue: PriceQueue
  readonly #rates: RateSchedules
  /** Null where every step counts: several markets take turns inside a bar, or a strategy hears them. */
  readonly #quietBars: QuietBars | null
  /** Null where bars are made of ticks. */
  readonly #quietTicks: QuietTicks | null
  /** By market; null where its data is bars, or nobody hears them. */
  readonly #tickBars: MarketTickBars
  readonly #warmUp = new WarmUp()
  readonly #past: PastTold
  readonly ends: MarketEnds
  /** Of the markets whose data is ticks. */
  readonly emptyDays: EmptyDays
  #sampledAt = Number.NEGATIVE_INFINITY
  /** Of the markets whose data is ticks, the least. */
  readonly #tickSamplingMs: number
  /** First time of the data; null before it. */
  from: number | null = null
  time = 0
  rows = 0
  /** Whether every account has passed or failed, where the run was to end then. */
  decided = false
  /** What the strategy is still doing about the last of the quiet bars. */
  #told: Promise<void> | undefined

  constructor(parts: PlaybackParts) {
    const { engine, markets, traders, path, turnedBars, recorder, profitWindowMs } = parts
    this.#engine = engine
    this.#markets = markets
    this.#recorder = recorder
    this.#prices = new LastPrices(markets.length)
    this.emptyDays = new EmptyDays(markets.length)
    this.#rates = new RateSchedules(markets.map(({ rates }) => rates))
    const ids = markets.map(({ id }) => id)
    const accepted = (command: Command, outcome: Accepted<unknown>) =>
      this.#audience.accepted(command, outcome, engine.now)
    this.#queue = new PriceQueue(engine, ids, accepted)
    const accountIds = traders.map(({ accountId }) => accountId)
    this.ends = new MarketEnds(parts, this.#queue, accountIds)
    const isDrawn = recorder?.indicator === undefined ? null : this.#drawIndicator
    const bars = new HeardBars(isDrawn, parts.models)
    const run: ContextRun = {
      engine,
      bars,
      warmUp: this.#warmUp,
      marketIds: new Map(markets.map(({ asset, id }) => [asset, id])),
      catchUp: () => this.#queue.catchUp(),
      accepted: (command, outcome) => {
        this.#queue.touched()
        accepted(command, outcome)
      },
      isCharted: (accountId) => accountId === traders[0]?.accountId,
      contextOf: (name) => this.#named(name).context,
    }
    this.#participants = traders.map(
      (trader) => new Participant(trader, run, ids, this.#prices, profitWindowMs),
    )
    this.#barPrices = new BarPrices(path, turnedBars, this.#participants, markets.length)
    this.#audience = new Audience(this.#participants, recorder, bars)
    const { hearsTicks, hearsBars } = this.#audience
    this.#tickBars = new MarketTickBars(
      markets.map(({ asset, intervalMs }) => (intervalMs === null && hearsBars ? asset : null)),
      parts.tickBarMs,
    )
    this.#past = new PastTold({
      ...{ warmUp: this.#warmUp, markets, barPrices: this.#barPrices },
      ...{ tickBars: this.#tickBars, hearer: this.#audience },
    })
    const alone = markets.length === 1 && !hearsTicks
    this.#quietBars = alone
      ? new QuietBars(this.#queue, path, turnedBars[0], this.#participants, this.#prices)
      : null
    const ofTicks = markets.flatMap(({ intervalMs, samplingMs }) => (intervalMs === null ? [samplingMs] : []))
    this.#tickSamplingMs = Math.min(...ofTicks)
    const listening = traders.flatMap(({ strategy }) => (strategy.onTick === undefined ? [] : [strategy]))
    this.#quietTicks = this.#tickBars.areMade
      ? null
      : new QuietTicks({
          ...{ queue: this.#queue, participants: this.#participants, prices: this.#prices },
          ...{ ends: this.ends.data, emptyDays: this.emptyDays, markets: markets.length },
          listeners: recorder === null ? listening : [...listening, recorder],
        })
  }

  /** Rows that strategies were told before the run began. */
  get warmedUpOn(): number {
    return this.#warmUp.rows
  }

  /** What the first strategy was told, and what it was refused first. */
  get asked(): Asked {
    const { firstRefused } = this.#participants[0] as Participant
    return { bars: this.#audience.hearsBars ? this.#audience.barsTold : null, rows: this.rows, firstRefused }
  }

  /** Tells strategies a block of prices from before the run; nothing of it reaches the engine, or counts. */
  async warmUp(block: MergedBlock): Promise<void> {
    try {
      await this.#past.tell(block)
    } catch (error) {
      throw this.#audience.blamed(error, this.#warmUp.now)
    }
  }

  /** The run begins at a time, epoch ms. */
  async endWarmUp(from: number): Promise<void> {
    try {
      await this.#past.end(from)
    } catch (error) {
      throw this.#audience.blamed(error, this.#warmUp.now)
    }
  }

  /** Plays a block; with `stopAtVerdict` up to the price that decides the last account. */
  async play(block: MergedBlock, stopAtVerdict: boolean): Promise<void> {
    try {
      await this.#play(block, stopAtVerdict)
    } catch (error) {
      throw this.#audience.blamed(error, this.time)
    }
  }

  async #play(block: MergedBlock, stopAtVerdict: boolean): Promise<void> {
    if (this.from === null) await this.#start(block.time[0] as number)
    this.ends.lookIn(block)
    for (let entry = 0; entry < block.length; entry++) {
      const quietEnd = this.#playQuiet(block, entry)
      if (quietEnd > entry) {
        entry = quietEnd - 1
        if (this.#told !== undefined) await this.#told
      } else {
        const market = block.market[entry] as number
        const columns = block.columns[market] as BarColumns | TickColumns
        const row = block.row[entry] as number
        const time = block.time[entry] as number
        const step = block.step[entry] as number
        const isBar = 'open' in columns
        if (this.#tickBars.haveEndedBy(time)) await this.#tellTickBars(time)
        this.#moveTo(
          market,
          time,
          isBar ? this.#barPrices.at(market, columns, row, step) : (columns.price[row] as bigint),
        )
        if (this.#audience.hasNews) await this.#audience.tellNews()
        if (this.#audience.hearsTicks) await this.#audience.tick(this.#tick(market, time))
        if (isBar && step < PATH_STEPS - 1) continue
        if (!isBar) {
          this.emptyDays.add(market, time)
          this.#tickBars.add(market, time, columns.price[row] as bigint)
          this.#recorder?.tick(market, this.#tick(market, time))
        }
        const told = this.#completeRow(market, isBar ? columns : null, row, time)
        if (told !== undefined) await told
      }
      if (this.#audience.hasNews) await this.#audience.tellNews()
      if (stopAtVerdict && this.#allDecided()) {
        this.decided = true
        return
      }
    }
  }

  /** @returns the first entry that is not played. */
  #playQuiet(block: MergedBlock, from: number): number {
    const bars = this.#playQuietBars(block, from)
    return bars > from ? bars : this.#playQuietTicks(block, from)
  }

  /** Plays ticks from an entry on that are quiet and that nobody hears. */
  #playQuietTicks(block: MergedBlock, from: number): number {
    if (this.#quietTicks === null) return from
    const sampling = this.#sampledAt + this.#tickSamplingMs
    const before = Math.min(this.#rates.nextAt, this.ends.data.nextDue)
    // Not a number where nothing was sampled and nothing is to be.
    const end = this.#quietTicks.play(block, from, sampling < before ? sampling : before)
    if (end === from) return from
    this.#told = undefined
    this.rows += end - from
    this.time = block.time[end - 1] as number
    return end
  }

  /**
   * Plays whole bars from an entry on, until one is not quiet or the strategy has done something.
   *
   * @returns the first entry that is not played.
   */
  #playQuietBars(block: MergedBlock, from: number): number {
    const columns = block.columns[0]
    if (this.#quietBars === null || block.step[from] !== 0 || !columns || !('open' in columns)) return from
    this.#told = undefined
    let entry = from
    while (entry < block.length && this.#playQuietBar(block, entry, columns)) {
      const row = block.row[entry] as number
      entry += PATH_STEPS
      this.#told = this.#completeRow(0, columns, row, this.time)
      if (this.#told !== undefined || this.#audience.hasNews) break
    }
    return entry
  }

  /** What comes after the last price of a bar, or after a tick. */
  #completeRow(
    market: number,
    bars: BarColumns | null,
    row: number,
    time: number,
  ): Promise<void> | undefined {
    this.rows += 1
    if (time >= this.#sampledAt + (this.#markets[market] as PlayedMarket).samplingMs) this.#sample(time)
    return bars !== null && (this.#recorder !== null || this.#audience.hearsBars)
      ? this.#tellBar(market, bars, row, time)
      : undefined
  }

  /**
   * Ends the run; the results are in the order of the traders.
   *
   * @param until the end of its period, epoch ms: bars of ticks that have ended by then are whole, which otherwise only a later price says.
   */
  async finish(until?: number): Promise<AccountResult[]> {
    try {
      if (until !== undefined && this.from !== null && !this.decided) await this.#tellTickBars(until)
      await this.#audience.end()
    } catch (error) {
      throw this.#audience.blamed(error, this.time)
    }
    this.#queue.catchUp()
    if (this.from !== null) this.#sample(this.time)
    return this.#participants.map((participant) => participant.result(this.time))
  }

  /** Call once the run is over, however it ended. */
  leave(): void {
    this.#audience.leave()
  }

  async #start(time: number): Promise<void> {
    this.from = time
    const { accountId, strategy } = this.#participants[0] as Participant
    const { parts } = strategy
    this.#recorder?.start({
      read: this.#engine.read,
      accountId,
      ...(parts === undefined ? {} : { partOf: (orderId: string) => parts.nameOf(orderId) }),
      markets: this.#markets.map(({ id, asset, intervalMs }) => ({ id, asset, intervalMs })),
    })
    this.time = time
    if (!this.#warmUp.isOn) return this.#audience.start()
    this.#warmUp.isOn = false
  }

  readonly #priceOf = (market: number): bigint => this.#prices.of(market)

  readonly #drawIndicator = (indicator: Charted, { asset }: Bar): void => {
    if (this.#warmUp.isOn || indicator.chart === 'none') return
    const market = this.#markets.findIndex((played) => played.asset === asset)
    this.#recorder?.indicator?.(market, indicator)
  }

  /** Plays the four steps from `entry` on at once where that comes to the same. */
  #playQuietBar({ time, row, length }: MergedBlock, entry: number, columns: BarColumns): boolean {
    const last = entry + PATH_STEPS - 1
    if (this.#quietBars === null || last >= length || this.#rates.nextAt < (time[last] as number))
      return false
    if (!this.#quietBars.play(columns, row[entry] as number, time, entry)) return false
    this.time = time[last] as number
    return true
  }

  #moveTo(market: number, time: number, price: bigint): void {
    if (this.#rates.nextAt < time) this.#changeRates(time)
    if (this.ends.data.nextDue < time) this.ends.endBefore(time)
    this.ends.data.priced(market, time)
    this.#queue.add(market, time, price)
    this.time = time
    this.#prices.set(market, price)
    for (let index = 0; index < this.#participants.length; index++)
      (this.#participants[index] as Participant).exposure.priced(market, price)
  }

  /** Makes the funding rate changes that come before a time. */
  #changeRates(time: number): void {
    for (const { market, at, rate: fundingRate } of this.#rates.passedBy(time)) {
      if (at < this.time || this.time === 0) continue
      const marketId = (this.#markets[market] as PlayedMarket).id
      const command = { type: 'setFundingRate', marketId, fundingRate, fundingRateShort: null } as const
      const refused = this.#queue.ask(command, at)
      if (refused !== null) throw new RangeError(`funding rate ${fundingRate} refused: ${refused}`)
    }
  }

  #tick(market: number, time: number): Tick {
    return { asset: this.#asset(market), time, price: this.#prices.of(market) }
  }

  #tellBar(market: number, columns: BarColumns, row: number, closeTime: number): Promise<void> | undefined {
    const bar = barAt(columns, row, this.#asset(market), closeTime)
    this.#recorder?.bar(market, bar)
    // The last price of the market is the close of its bar.
    const close = this.#prices.safeOf(market)
    return this.#audience.bar(bar, Number.isNaN(close) ? undefined : safeToNumber(close))
  }

  /** A bar of ticks is complete at its last millisecond, which no tick has to meet. */
  async #tellTickBars(time: number): Promise<void> {
    for (let bar = this.#tickBars.endedBy(time); bar !== null; bar = this.#tickBars.endedBy(time))
      await this.#tellTickBar(bar)
  }

  async #tellTickBar(bar: Bar): Promise<void> {
    if (this.#rates.nextAt < bar.closeTime) this.#changeRates(bar.closeTime)
    this.#queue.waitUntil(bar.closeTime)
    this.time = Math.max(this.time, bar.closeTime)
    if (this.#audience.hasNews) await this.#audience.tellNews()
    const told = this.#audience.bar(bar)
    if (told !== undefined) await told
    if (this.#audience.hasNews) await this.#audience.tellNews()
  }

  #sample(time: number): void {
    this.#sampledAt = time
    for (const participant of this.#participants) participant.sample(time)
    this.#recorder?.sampled?.(time, this.#priceOf)
  }

  #allDecided(): boolean {
    for (const { verdict } of this.#participants) if (verdict.outcome === 'undecided') return false
    return true
  }

  #named(name: string): Participant {
    const found = this.#participants.find((participant) => participant.name === name)
    if (found === undefined) throw new RangeError(`this run has no account ${name}`)
    return found
  }

  #asset(market: number): string {
    return (this.#markets[market] as PlayedMarket).asset
  }
}
