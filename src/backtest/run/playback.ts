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
import type { Bar, MaybePromise, Strategy, Tick } from '../strategy/strategy.ts'
import { type AtDataEnd, DataEnds } from './dataEnds.ts'
import { type AccountResult, exposedSide, Participant } from './participant.ts'
import { PriceQueue } from './priceQueue.ts'
import { QuietBars } from './quietBar.ts'
import { type Hook, StrategyFailure } from './strategyFailure.ts'
import { TickBars } from './tickBars.ts'

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
  readonly atDataEnd: AtDataEnd
  /** Length of the bars that strategies are told of ticks. */
  readonly tickBarMs: number
}

/** A market whose data ended before the run did. */
export interface EndedMarket {
  readonly market: number
  /** Positions that were closed for it, over all accounts; null where it was left as it was. */
  readonly closed: number | null
}

/** How long a market of ticks may say nothing, at the end of its data, before it counts as ended. */
const SILENCE_MS = 60_000
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
  /** By market; null where its data is bars, or nobody hears them. */
  readonly #tickBars: readonly (TickBars | null)[]
  readonly #atDataEnd: AtDataEnd
  readonly dataEnds: DataEnds
  /** In the order in which their data ended. */
  readonly endedMarkets: EndedMarket[] = []
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
  /** Which hook is being called, and whose; null while none is. */
  #hook: Hook | null = null
  #hearer: Participant | null = null

  constructor(parts: PlaybackParts) {
    const { engine, markets, traders, path, recorder, profitWindowMs } = parts
    this.#atDataEnd = parts.atDataEnd
    this.dataEnds = new DataEnds(markets.map(({ intervalMs }) => intervalMs ?? SILENCE_MS))
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
    const hearsBars = traders.some(({ strategy }) => strategy.onBar !== undefined)
    this.#tickBars = markets.map(({ asset, intervalMs }) =>
      intervalMs === null && hearsBars ? new TickBars(asset, parts.tickBarMs) : null,
    )
    const alone = markets.length === 1 && !this.#hearsTicks
    this.#quietBars = alone ? new QuietBars(this.#queue, path, this.#participants, this.#prices) : null
  }

  /** Plays a block; with `stopAtVerdict` up to the price that decides the last account. */
  async play(block: MergedBlock, stopAtVerdict: boolean): Promise<void> {
    try {
      await this.#play(block, stopAtVerdict)
    } catch (error) {
      throw this.#blamed(error)
    }
  }

  async #play(block: MergedBlock, stopAtVerdict: boolean): Promise<void> {
    if (this.from === null) await this.#start(block.time[0] as number)
    this.#lookForEnds(block)
    for (let entry = 0; entry < block.length; entry++) {
      const quietEnd = this.#playQuietBars(block, entry)
      if (quietEnd > entry) {
        entry = quietEnd - 1
        if (this.#told !== undefined) await this.#heard(this.#told)
      } else {
        const market = block.market[entry] as number
        const columns = block.columns[market] as BarColumns | TickColumns
        const row = block.row[entry] as number
        const time = block.time[entry] as number
        const step = block.step[entry] as number
        const isBar = 'open' in columns
        const endedBar = this.#tickBars[market]?.endedBy(time) ?? null
        if (endedBar !== null) await this.#tellTickBar(endedBar)
        this.#moveTo(
          market,
          time,
          isBar ? this.#barPrice(market, columns, row, step) : (columns.price[row] as bigint),
        )
        if (this.#commits.length > 0) await this.#settle()
        if (this.#hearsTicks) await this.#tellTick(market, time)
        if (isBar && step < PATH_STEPS - 1) continue
        if (!isBar) {
          this.#tickBars[market]?.add(time, columns.price[row] as bigint)
          this.#recorder?.tick(market, this.#tick(market, time))
        }
        const told = this.#completeRow(market, isBar ? columns : null, row, time)
        if (told !== undefined) await this.#heard(told)
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
    try {
      for (const trader of this.#participants) {
        this.#begin('onEnd', trader)
        await this.#heard(trader.strategy.onEnd?.(trader.context))
      }
      await this.#settle()
    } catch (error) {
      throw this.#blamed(error)
    }
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
    this.time = time
    for (const trader of this.#participants) {
      this.#begin('onStart', trader)
      await this.#heard(trader.strategy.onStart?.(trader.context))
    }
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
    if (this.dataEnds.nextDue < time) this.#endMarkets(time)
    this.dataEnds.priced(market, time)
    this.#queue.add(market, time, price)
    this.time = time
    this.#prices.set(market, price)
    for (let index = 0; index < this.#participants.length; index++)
      (this.#participants[index] as Participant).exposure.priced(market, price)
  }

  /** A market that has nothing in a block has nothing after it. */
  #lookForEnds({ columns }: MergedBlock): void {
    for (const [market, chunk] of columns.entries()) if (chunk === null) this.dataEnds.exhausted(market)
  }

  /** Closes what is open in the markets whose data has ended before a time, at their last prices, and pauses them. */
  #endMarkets(time: number): void {
    for (const market of this.dataEnds.endedBefore(time)) {
      const { id } = this.#markets[market] as PlayedMarket
      const closed = this.#atDataEnd === 'close' ? this.#closeMarket(id) : null
      this.endedMarkets.push({ market, closed })
    }
  }

  /** @returns how many positions were closed. */
  #closeMarket(id: string): number {
    let closed = 0
    this.#queue.catchUp()
    for (const { accountId } of this.#participants) {
      const { read } = this.#engine
      for (const order of read.activeOrders(accountId, id))
        this.#command({ type: 'cancelOrder', orderId: order.id })
      for (const position of read.activePositions(accountId, id)) {
        this.#command({ type: 'forceClosePosition', positionId: position.id })
        closed += 1
      }
    }
    this.#command({ type: 'setMarketStatus', marketId: id, status: 'paused' })
    return closed
  }

  /** A command of the run itself, at the time of the last price. */
  #command(command: Command): void {
    const outcome = this.#engine.dispatch(command)
    if (!outcome.ok) throw new RangeError(`${command.type} refused: ${outcome.error.code}`)
    this.#queue.touched()
    this.#commits.push({ seq: outcome.seq, at: this.#engine.now, command, events: outcome.events })
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
    for (const trader of this.#participants) {
      this.#begin('onTick', trader)
      const told = trader.strategy.onTick?.(tick, trader.context)
      if (told instanceof Promise) await told
      this.#hook = null
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
    return this.#tell(bar)
  }

  /** A bar of ticks is complete at its last millisecond, which no tick has to meet. */
  async #tellTickBar(bar: Bar): Promise<void> {
    if (this.#nextRateAt < bar.closeTime) this.#changeRates(bar.closeTime)
    this.#queue.waitUntil(bar.closeTime)
    this.time = Math.max(this.time, bar.closeTime)
    if (this.#commits.length > 0) await this.#settle()
    const told = this.#tell(bar)
    if (told !== undefined) await this.#heard(told)
    if (this.#commits.length > 0) await this.#settle()
  }

  #tell(bar: Bar): Promise<void> | undefined {
    const only = this.#participants.length === 1 ? (this.#participants[0] as Participant) : null
    if (only === null) return this.#tellAll(bar)
    this.#begin('onBar', only)
    const told = only.strategy.onBar?.(bar, only.context)
    if (told instanceof Promise) return told
    this.#hook = null
    return undefined
  }

  async #tellAll(bar: Bar): Promise<void> {
    for (const trader of this.#participants) {
      this.#begin('onBar', trader)
      const told = trader.strategy.onBar?.(bar, trader.context)
      if (told instanceof Promise) await told
      this.#hook = null
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
          this.#begin('onEvent', participant)
          const told = participant.strategy.onEvent?.(event, participant.context)
          if (told instanceof Promise) await told
          this.#hook = null
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

  #begin(hook: Hook, hearer: Participant): void {
    this.#hook = hook
    this.#hearer = hearer
  }

  async #heard(told: MaybePromise<void> | undefined): Promise<void> {
    await told
    this.#hook = null
  }

  /** What a strategy threw, with where it was; anything else as it is. */
  #blamed(error: unknown): unknown {
    if (this.#hook === null || this.#hearer === null) return error
    return new StrategyFailure(this.#hearer.strategy.name, this.#hook, this.time, error)
  }

  #asset(market: number): string {
    return (this.#markets[market] as PlayedMarket).asset
  }
}
