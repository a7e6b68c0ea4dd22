/** The account of a live run as its journal tells it, reckoned with what reckons a backtest's. */
import { positionRecipe, unopenedPosition } from '../../domain/evolve/positionReducers.ts'
import { liquidationPrice } from '../../domain/formulas/liquidation.ts'
import type { Position, PositionRecord } from '../../domain/state/position.ts'
import { PROFIT_WINDOW_MS } from '../../domain/state/venueRules.ts'
import type { ForceClose, PositionEvent } from '../../events/positionEvents.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import { notionalDown, notionalUp } from '../../quantity/products.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import { CostLedger } from '../accounting/costs.ts'
import { CurveRecorder } from '../accounting/curve.ts'
import { Exposure } from '../accounting/exposure.ts'
import { LastPrices } from '../accounting/lastPrices.ts'
import { TradeLog } from '../accounting/tradeLog.ts'
import { PartLedger } from '../portfolio/partLedger.ts'
import { CandleRecorder } from '../recording/candles.ts'
import { FillRecorder } from '../recording/fills.ts'
import { FloorRecorder } from '../recording/floors.ts'
import { LevelRecorder } from '../recording/levels.ts'
import { MarketPriceRecorder } from '../recording/marketPrices.ts'
import type { RecordedMarket } from '../recording/recorder.ts'
import type { Recorded } from '../recording/recording.ts'
import type { AccountResult } from '../run/participant.ts'
import type { Verdict } from '../run/verdict.ts'
import { runStatistics } from '../statistics/statistics.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'
import type { JournalBegin, JournalEntry, JournalEvent } from './journal.ts'
import { takenOver } from './livePositions.ts'

const NOT_NUMBERED = { sequence: 0, phaseOrdinal: 0 }
/** Between two points of the curve where bars are longer. */
const SAMPLING_MS = 60_000

export class LiveAccount {
  readonly #begin: JournalBegin
  readonly #markets: readonly RecordedMarket[]
  readonly #lastPrices: LastPrices
  readonly #exposure: Exposure
  readonly #costs = new CostLedger()
  readonly #trades = new TradeLog()
  readonly #curve = new CurveRecorder()
  readonly #fills = new FillRecorder()
  readonly #levels = new LevelRecorder((positionId) => this.#liquidationPriceOf(positionId))
  readonly #floors = new FloorRecorder()
  readonly #candles: readonly CandleRecorder[]
  readonly #prices: MarketPriceRecorder
  readonly #open = new Map<string, Position>()
  readonly #rejections: Record<string, number> = {}
  readonly #parts: PartLedger | null
  readonly #pricesOf: number[]
  readonly #equityAtBegin: Quote
  #account: AccountRecord
  /** How the last run began. */
  #stand: JournalBegin
  #balance: Quote
  #verdict: Verdict = { outcome: 'undecided' }
  #freezes = 0
  #leastDaily: Quote | null = null
  #leastTotal: Quote | null = null
  #sampledAt = Number.NEGATIVE_INFINITY
  /** When the last entry was written, epoch ms. */
  time: number
  /** Position and order events. */
  events = 0

  constructor(begin: JournalBegin) {
    this.#begin = begin
    this.#stand = begin
    this.#markets = begin.markets.map(({ id, config }) => ({ id, asset: config.baseAsset, intervalMs: null }))
    this.#lastPrices = new LastPrices(begin.markets.length)
    this.#candles = begin.markets.map(() => new CandleRecorder(null))
    this.#prices = new MarketPriceRecorder(this.#markets.map(({ asset }) => asset))
    this.#pricesOf = begin.markets.map(() => 0)
    for (const [market, { state }] of begin.markets.entries()) this.#lastPrices.set(market, state.indexPrice)
    const ids = this.#markets.map(({ id }) => id)
    this.#exposure = new Exposure(
      ids,
      this.#lastPrices,
      (id) => this.#liquidationPriceOf(id),
      PROFIT_WINDOW_MS,
    )
    const parts = begin.plan?.portfolio ?? []
    this.#parts = parts.length === 0 ? null : new PartLedger(parts)
    this.#account = begin.account
    this.#balance = begin.account.accountBalance
    this.time = begin.at
    for (const record of begin.positions) this.#takeOver(record)
    this.#floors.add(begin.at, begin.account.riskStatus)
    this.#equityAtBegin = this.#balance + this.#exposure.unrealized(begin.at)
    this.#sample(begin.at)
  }

  /** Call with every entry after the first, in their order. */
  add(entry: JournalEntry): void {
    this.time = Math.max(this.time, entry.at)
    switch (entry.type) {
      case 'price':
        return this.#price(entry.asset, entry.at, entry.price)
      case 'bar':
        return this.#sample(entry.at)
      case 'event':
        return this.#event(entry)
      case 'account':
        return this.#told(entry.account, entry.at)
      case 'end':
        return this.#told(entry.account, entry.at)
      case 'run':
        this.#stand = entry
        return
      case 'untold':
        return this.#rebase(this.#stand, entry.at)
      case 'asked':
        if (entry.answer !== 'accepted' && entry.answer !== 'unknown')
          this.#rejections[entry.answer] = (this.#rejections[entry.answer] ?? 0) + 1
        return
      default:
        return
    }
  }

  /** Prices that were told, of all markets. */
  get prices(): number {
    return this.#pricesOf.reduce((sum, prices) => sum + prices, 0)
  }

  /** Prices that were told of a market. */
  pricesOf(market: number): number {
    return this.#pricesOf[market] ?? 0
  }

  /** By market, in the order of the run: the last price told. */
  priceOf(marketId: string): Price {
    const market = this.#marketOf(marketId)
    return market === null ? 0n : this.#lastPrices.of(market)
  }

  get recording(): Recorded {
    return {
      markets: this.#markets,
      marketPrices: this.#prices.prices(),
      candles: this.#candles.map((recorder) => recorder.candles()),
      indicators: [],
      fills: this.#fills.fills,
      levels: this.#levels.levels,
      floors: this.#floors.floors,
      ambiguousBars: [],
    }
  }

  result(): AccountResult {
    this.#sample(this.time)
    const curve = this.#curve.curve()
    const equity = this.#equity(this.time)
    curve.equity[0] = this.#equityAtBegin
    const costs = this.#costs.totals({
      value: this.#exposure.value,
      heldBack: this.#exposure.heldBack(this.time),
    })
    const statistics = runStatistics(curve, this.#trades.trades)
    return {
      name: 'live',
      strategy: this.#begin.strategy,
      initialBalance: this.#equityAtBegin,
      account: { ...this.#account, riskStatus: { ...this.#account.riskStatus, currentEquity: equity } },
      verdict: this.#verdict,
      freezes: this.#freezes,
      statistics,
      costs,
      trades: this.#trades.trades,
      fills: this.#trades.fills,
      liquidations: this.#trades.liquidations,
      closestToLiquidation: this.#exposure.closest,
      leastDailyHeadroom: this.#leastDaily,
      leastTotalHeadroom: this.#leastTotal,
      openPositions: this.#exposure.open,
      rejections: this.#rejections,
      curve,
      ...(this.#parts === null
        ? {}
        : {
            portfolio: this.#parts.result(statistics.netProfit - costs.transfers, (id) => this.priceOf(id)),
          }),
    }
  }

  /** A position from before what the journal tells. */
  #takeOver(record: PositionRecord): void {
    const market = this.#marketOf(record.marketId)
    if (market === null) return
    const opened = takenOver(record)
    const price = this.#lastPrices.of(market)
    const worth =
      record.direction === 'long' ? notionalDown(record.size, price) : notionalUp(record.size, price)
    // What the price had done before is none of the run's profit.
    this.#costs.add({ ...opened, notional: worth, indexPrice: price })
    this.#trades.add(opened, record.openedAt)
    this.#follow(opened, record.openedAt)
  }

  /** What happened is not told: from here on positions are those of a reading. What it did to the balance is told with the account. */
  #rebase({ positions }: JournalBegin, at: number): void {
    const there = new Set(positions.map(({ id }) => id))
    for (const position of [...this.#open.values()])
      if (!there.has(position.id)) this.#follow(gone(position), at)
    for (const record of positions) if (!this.#open.has(record.id)) this.#takeOver(record)
  }

  #price(asset: string, at: number, price: Price): void {
    const market = this.#markets.findIndex((followed) => followed.asset === asset)
    if (market < 0) return
    this.#pricesOf[market] = (this.#pricesOf[market] ?? 0) + 1
    this.#lastPrices.set(market, price)
    this.#exposure.priced(market, price)
    this.#candles[market]?.add(at, price, price, price, price, 0)
    this.#prices.told(market)
    if (at >= this.#sampledAt + SAMPLING_MS) this.#sample(at)
  }

  #event({ event, at, seq, part }: JournalEvent): void {
    if (this.#marketOf(event.marketId) === null) return
    this.events += 1
    if (part !== undefined && 'orderId' in event) this.#parts?.restored(part, event.orderId)
    this.#fills.add(event, { seq, at }, (orderId) => part ?? this.#parts?.nameOf(orderId))
    if (isOrderEvent(event)) this.#levels.add(event, at)
    else this.#position(event, at)
    this.#parts?.add(event, at)
  }

  #position(event: PositionEvent, at: number): void {
    // Of a position from before the run whose opening was not told.
    if (!this.#open.has(event.positionId) && !(event.type === 'increasePosition' && event.opens)) return
    this.#costs.add(event)
    this.#trades.add(event, at)
    this.#follow(event, at)
    this.#levels.add(event, at)
    this.#balance += balanceChange(event)
  }

  #follow(event: PositionEvent, at: number): void {
    const known = this.#open.get(event.positionId)
    const position =
      known ?? (event.type === 'increasePosition' ? unopenedPosition(event, at, NOT_NUMBERED) : null)
    if (position === null) return
    positionRecipe(position, event, at)
    if (position.status === 'opened') this.#open.set(position.id, position)
    else this.#open.delete(position.id)
    this.#exposure.add(event, at)
  }

  /** What the venue says of the account: what its balance has more or less than the events made of it came or went otherwise. */
  #told(account: AccountRecord, at: number): void {
    const before = this.#account
    this.#account = account
    this.#floors.add(at, account.riskStatus)
    const moved = account.accountBalance - this.#balance
    if (account.status === 'frozen' && before.status !== 'frozen') this.#freezes += 1
    this.#decide(before, account, at)
    if (moved === 0n) return
    this.#balance = account.accountBalance
    this.#costs.add({ type: 'balanceAdjusted', accountId: account.accountId, amount: moved })
  }

  #decide(before: AccountRecord, account: AccountRecord, at: number): void {
    if (this.#verdict.outcome !== 'undecided') return
    const equity = account.riskStatus.currentEquity
    if (account.currentPhase !== before.currentPhase) {
      this.#verdict = { outcome: 'passed', at, equity: this.#balance }
      return
    }
    if (account.status !== 'failed' || before.status === 'failed') return
    const { dailyLossFloor, totalLossFloor } = before.riskStatus
    const isTotal = totalLossFloor !== null && equity < totalLossFloor
    const floor = (isTotal ? totalLossFloor : dailyLossFloor) ?? 0n
    const rule = isTotal ? 'total_loss' : 'daily_loss'
    this.#verdict = { outcome: 'failed', at, equity, breach: { rule, floor, equity } }
  }

  #sample(at: number): void {
    if (at < this.#sampledAt) return
    this.#sampledAt = at
    const equity = this.#equity(at)
    this.#curve.add(at, equity, this.#balance, this.#exposure.notional)
    this.#prices.sampled(at, (market) => this.#lastPrices.of(market))
    if (this.#exposure.open === 0) return
    const { dailyLossFloor, totalLossFloor } = this.#account.riskStatus
    this.#leastDaily = lesser(this.#leastDaily, equity, dailyLossFloor)
    this.#leastTotal = lesser(this.#leastTotal, equity, totalLossFloor)
  }

  /** Without a stream nothing is told of positions, and the account's own figure is all there is. */
  #equity(at: number): Quote {
    if (this.#begin.head === null) return this.#account.riskStatus.currentEquity
    return this.#balance + this.#exposure.unrealized(at)
  }

  #liquidationPriceOf(positionId: string): Price {
    const position = this.#open.get(positionId)
    const market = position === undefined ? null : this.#marketOf(position.marketId)
    if (position === undefined || market === null) return 0n
    const { maintenanceMarginRate } = this.#begin.markets[market]?.config ?? { maintenanceMarginRate: 0n }
    return liquidationPrice(position, maintenanceMarginRate)
  }

  /** Its index; null for one that the run does not follow. */
  #marketOf(marketId: string): number | null {
    const market = this.#markets.findIndex(({ id }) => id === marketId)
    return market < 0 ? null : market
  }
}

function isOrderEvent(event: PositionEvent | ToldOrderEvent): event is ToldOrderEvent {
  return event.type.startsWith('order')
}

/** The end of a position that nobody told of. */
function gone(position: Position): ForceClose {
  const { id: positionId, accountId, marketId, direction, size, notional, margin } = position
  return {
    ...{ type: 'forceClose', positionId, accountId, marketId, direction, size, margin },
    ...{ exchangedQuote: notional, cost: notional, rawPnl: 0n, pnl: 0n, fee: 0n, credit: margin },
    ...{ marginReleased: margin, profitReferenceUsed: position.profitReference, holdingTimeMs: 0 },
    ...{ indexPrice: 0n, closeReason: 'force_close', feeRate: 0n, spread: 0n, formula: 1 },
  }
}

/** What an event makes of the balance, with margins and without what is open. */
function balanceChange(event: PositionEvent): Quote {
  switch (event.type) {
    case 'increasePosition':
      return -event.fee
    case 'closePosition':
    case 'liquidate':
    case 'forceClose':
      return event.pnl - event.fee
    case 'payFunding':
      return event.amount
    default:
      return 0n
  }
}

/** Never below zero; null where the rule is off. */
function lesser(least: Quote | null, equity: Quote, floor: Quote | null): Quote | null {
  if (floor === null) return least
  const left = equity > floor ? equity - floor : 0n
  return least === null || left < least ? left : least
}
