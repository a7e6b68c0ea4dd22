/**
 * Plays the merged prices into the engine and tells the strategies. What a strategy is told, and when:
 * every price first reaches the engine; what that caused is counted and told (`onEvent`); then the price is told
 * (`onTick`), and with the last price of a bar the bar (`onBar`). Nothing waits unless a hook returns a promise.
 */

import type { Engine } from '../../engine/engine.ts'
import type { Accepted } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import { LastPrices } from '../accounting/lastPrices.ts'
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { RateChange } from '../feed/fundingSchedule.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { type BarPath, PATH_STEPS, writeBarPath } from '../feed/path.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import type { ContextRun } from '../strategy/engineContext.ts'
import type { Bar, Strategy, Tick } from '../strategy/strategy.ts'
import { type AccountResult, exposedSide, Participant } from './participant.ts'
import { PriceQueue } from './priceQueue.ts'
import { QuietBars } from './quietBar.ts'

/** A market as a run plays it. */
export interface PlayedMarket {
  readonly id: string
  readonly asset: string
  /** Distance between bars in ms; null for ticks. */
  readonly intervalMs: number | null
  readonly rates: readonly RateChange[]
  /** Least time between two points of the curve. */
  readonly samplingMs: number
}

export interface PlaybackParts {
  readonly engine: Engine
  readonly markets: readonly PlayedMarket[]
  readonly traders: readonly {
    readonly name: string
    readonly accountId: string
    readonly strategy: Strategy
  }[]
  readonly path: BarPath
  readonly recorder: RunRecorder | null
  /** How long the profit cap applies (D1). */
  readonly profitWindowMs: number
}

const NOBODY: readonly Participant[] = []

export class Playback {
  readonly #engine: Engine
  readonly #markets: readonly PlayedMarket[]
  readonly #path: BarPath
  readonly #recorder: RunRecorder | null
  readonly #participants: readonly Participant[]
  readonly #byAccount: ReadonlyMap<string, Participant>
  readonly #prices: LastPrices
  /** The path of the bar each market is in. */
  readonly #barPrices: readonly bigint[][]
  readonly #queue: PriceQueue
  readonly #commits: Commit[] = []
  readonly #nextRate: number[]
  /** Null where every step counts: several markets take turns inside a bar, or a strategy hears them. */
  readonly #quietBars: QuietBars | null
  readonly #hearsTicks: boolean
  readonly #hearsBars: boolean
  #nextRateAt = Number.NEGATIVE_INFINITY
  #sampledAt = Number.NEGATIVE_INFINITY
  /** First time of the data; null before it. */
  from: number | null = null
  time = 0
  rows = 0
  /** Whether every account has passed or failed, where the run was to end then. */
  decided = false
  /** What the strategy is still doing about the last of the quiet bars. */
  #told: Promise<void> | undefined

  constructor({ engine, markets, traders, path, recorder, profitWindowMs }: PlaybackParts) {
    this.#engine = engine
    this.#markets = markets
    this.#path = path
    this.#recorder = recorder
    this.#prices = new LastPrices(markets.length)
    this.#barPrices = markets.map(() => [0n, 0n, 0n, 0n])
    this.#nextRate = markets.map(() => 0)
    const ids = markets.map(({ id }) => id)
    const accepted = (command: Command, { events, seq }: Accepted<unknown>) => {
      if (events.length > 0) this.#commits.push({ seq, at: engine.now, command, events })
    }
    this.#queue = new PriceQueue(engine, ids, accepted)
    const run: ContextRun = {
      engine,
      marketIds: new Map(markets.map(({ asset, id }) => [asset, id])),
      catchUp: () => this.#queue.catchUp(),
      accepted: (command, outcome) => {
        this.#queue.touched()
        accepted(command, outcome)
      },
      contextOf: (name) => this.#named(name).context,
    }
    this.#participants = traders.map(
      (trader) => new Participant(trader, run, ids, this.#prices, profitWindowMs),
    )
    this.#byAccount = new Map(this.#participants.map((participant) => [participant.accountId, participant]))
    this.#hearsTicks = traders.some(({ strategy }) => strategy.onTick !== undefined)
    this.#hearsBars = recorder !== null || traders.some(({ strategy }) => strategy.onBar !== undefined)
    const alone = markets.length === 1 && !this.#hearsTicks
    this.#quietBars = alone ? new QuietBars(this.#queue, path, this.#participants, this.#prices) : null
  }

  /** Plays a block; with `stopAtVerdict` up to the price that decides the last account. */
  async play(block: MergedBlock, stopAtVerdict: boolean): Promise<void> {
    if (this.from === null) await this.#start(block.time[0] as number)
    for (let entry = 0; entry < block.length; entry++) {
      const quietEnd = this.#playQuietBars(block, entry)
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
        this.#moveTo(
          market,
          time,
          isBar ? this.#barPrice(market, columns, row, step) : (columns.price[row] as bigint),
        )
        if (this.#commits.length > 0) await this.#settle()
        if (this.#hearsTicks) await this.#tellTick(market, time)
        if (isBar && step < PATH_STEPS - 1) continue
        if (!isBar) this.#recorder?.tick(market, this.#tick(market, time))
        const told = this.#completeRow(market, isBar ? columns : null, row, time)
        if (told !== undefined) await told
      }
      if (this.#commits.length > 0) await this.#settle()
      if (stopAtVerdict && this.#allDecided()) {
        this.decided = true
        return
      }
    }
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
      if (this.#told !== undefined || this.#commits.length > 0) break
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
    return bars !== null && this.#hearsBars ? this.#tellBar(market, bars, row, time) : undefined
  }

  /** Ends the run; the results are in the order of the traders. */
  async finish(): Promise<AccountResult[]> {
    for (const { strategy, context } of this.#participants) await strategy.onEnd?.(context)
    await this.#settle()
    this.#queue.catchUp()
    if (this.from !== null) this.#sample(this.time)
    return this.#participants.map((participant) => participant.result(this.time))
  }

  async #start(time: number): Promise<void> {
    this.from = time
    this.#recorder?.start({
      read: this.#engine.read,
      accountId: (this.#participants[0] as Participant).accountId,
      markets: this.#markets.map(({ id, asset, intervalMs }) => ({ id, asset, intervalMs })),
    })
    for (const { strategy, context } of this.#participants) await strategy.onStart?.(context)
    await this.#settle()
  }

  /** The prices of a bar are laid out when it opens, by the side that is exposed then. */
  #barPrice(market: number, columns: BarColumns, row: number, step: number): bigint {
    const prices = this.#barPrices[market] as bigint[]
    if (step === 0)
      writeBarPath(
        this.#path,
        exposedSide(this.#participants, market),
        columns.open[row] as bigint,
        columns.high[row] as bigint,
        columns.low[row] as bigint,
        columns.close[row] as bigint,
        prices,
      )
    return prices[step] as bigint
  }

  /** Plays the four steps from `entry` on at once where that comes to the same. */
  #playQuietBar({ time, row, length }: MergedBlock, entry: number, columns: BarColumns): boolean {
    const last = entry + PATH_STEPS - 1
    if (this.#quietBars === null || last >= length || this.#nextRateAt < (time[last] as number)) return false
    if (!this.#quietBars.play(columns, row[entry] as number, time, entry)) return false
    this.time = time[last] as number
    return true
  }

  #moveTo(market: number, time: number, price: bigint): void {
    if (this.#nextRateAt < time) this.#changeRates(time)
    this.#queue.add(market, time, price)
    this.time = time
    this.#prices.set(market, price)
    for (let index = 0; index < this.#participants.length; index++)
      (this.#participants[index] as Participant).exposure.priced(market, price)
  }

  /** Makes the funding rate changes that come before a time. */
  #changeRates(time: number): void {
    this.#nextRateAt = Number.POSITIVE_INFINITY
    for (const [market, { id, rates }] of this.#markets.entries()) {
      let next = this.#nextRate[market] as number
      for (; next < rates.length && (rates[next] as RateChange).at < time; next++) {
        const { at, rate } = rates[next] as RateChange
        if (at < this.time || this.time === 0) continue
        this.#setRate(id, rate, at)
      }
      this.#nextRate[market] = next
      this.#nextRateAt = Math.min(this.#nextRateAt, rates[next]?.at ?? Number.POSITIVE_INFINITY)
    }
  }

  #setRate(marketId: string, fundingRate: bigint, at: number): void {
    this.#queue.catchUp()
    this.#queue.advanceTo(at)
    const command = { type: 'setFundingRate', marketId, fundingRate, fundingRateShort: null } as const
    const outcome = this.#engine.dispatch(command, { at })
    if (!outcome.ok) throw new RangeError(`funding rate ${fundingRate} refused: ${outcome.error.code}`)
    this.#queue.touched()
    this.#commits.push({ seq: outcome.seq, at, command, events: outcome.events })
  }

  #tick(market: number, time: number): Tick {
    return { asset: this.#asset(market), time, price: this.#prices.of(market) }
  }

  async #tellTick(market: number, time: number): Promise<void> {
    const tick = this.#tick(market, time)
    for (const { strategy, context } of this.#participants) {
      const told = strategy.onTick?.(tick, context)
      if (told instanceof Promise) await told
      if (this.#commits.length > 0) await this.#settle()
    }
  }

  #tellBar(market: number, columns: BarColumns, row: number, closeTime: number): Promise<void> | undefined {
    const bar = {
      asset: this.#asset(market),
      openTime: columns.openTime[row] as number,
      closeTime,
      open: columns.open[row] as bigint,
      high: columns.high[row] as bigint,
      low: columns.low[row] as bigint,
      close: columns.close[row] as bigint,
      volume: columns.volume[row] as number,
    }
    this.#recorder?.bar(market, bar)
    const only = this.#participants.length === 1 ? (this.#participants[0] as Participant) : null
    if (only === null) return this.#tellAll(bar)
    const told = only.strategy.onBar?.(bar, only.context)
    return told instanceof Promise ? told : undefined
  }

  async #tellAll(bar: Bar): Promise<void> {
    for (const { strategy, context } of this.#participants) {
      const told = strategy.onBar?.(bar, context)
      if (told instanceof Promise) await told
    }
  }

  #sample(time: number): void {
    this.#sampledAt = time
    for (const participant of this.#participants) participant.sample(time)
  }

  /** Tells everyone what happened to their account, including what their reactions cause. */
  async #settle(): Promise<void> {
    for (let index = 0; index < this.#commits.length; index++) {
      const commit = this.#commits[index] as Commit
      const { at, events } = commit
      this.#recorder?.commit(commit)
      for (const event of events)
        for (const participant of this.#toldOf(event)) {
          participant.add(event, at)
          const told = participant.strategy.onEvent?.(event, participant.context)
          if (told instanceof Promise) await told
        }
    }
    this.#commits.length = 0
  }

  /** What happens to an account concerns its trader; a new day, everybody. */
  #toldOf(event: Event): readonly Participant[] {
    if (event.type === 'dayBegan') return this.#participants
    const participant = 'accountId' in event ? this.#byAccount.get(event.accountId) : undefined
    return participant === undefined ? NOBODY : [participant]
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
