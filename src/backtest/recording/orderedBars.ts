/**
 * Bars in which the order of the two extremes may decide something. The open comes first and the close last in either order, so where
 * nothing happens at the extremes of a bar, nothing would in the other order: the account is as it was at the open when either is reached.
 * Only a trailing stop is not, which remembers the best price: its bars count where it could have fired.
 *
 * Where all that happened inside a bar is that one level closed the only position, the order moves the moment and nothing else, unless
 * a window of time, a funding instant or a day ends between the two moments.
 */
import { PROFIT_WINDOW_MS } from '../../domain/state/venueRules.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { OrderPlaced } from '../../events/orderEvents.ts'
import { loweredPriceDown, raisedPriceUp } from '../../quantity/products.ts'
import type { Price } from '../../quantity/units.ts'
import { barStepTime } from '../feed/path.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { Bar } from '../strategy/strategy.ts'
import type { RecordedRun } from './recorder.ts'

/** A bar whose order may decide something. */
export interface OrderedBar {
  readonly market: number
  readonly marketId: string
  /** Epoch ms. */
  readonly openTime: number
  /** The order moves only the moment at which the one position is closed: who does nothing at that moment comes to the same. */
  readonly momentOnly: boolean
}

interface RestingLevel {
  readonly marketId: string
  readonly price: Price
  readonly from: number
  to: number | null
}

interface Trailing {
  readonly order: OrderPlaced
  /** The best price that it can have seen by now. */
  best: Price | null
}

interface Held {
  readonly marketId: string
  readonly from: number
  lastIncreaseAt: number
  to: number | null
}

export class OrderedBarRecorder {
  readonly bars: OrderedBar[] = []
  #run: RecordedRun | null = null
  /** Since the oldest bar that is still to come. */
  #commits: Commit[] = []
  #levels: RestingLevel[] = []
  readonly #levelOf = new Map<string, RestingLevel>()
  readonly #trailing = new Map<string, Trailing>()
  #held: Held[] = []
  readonly #heldAs = new Map<string, Held>()
  /** Another account has acted: what it does at a moment is not known. */
  #hasOthers = false
  #heldTogether = false
  readonly #toldUntil: number[] = []
  /** The next funding instant of a market as of the last bar or entry, where something is held. */
  readonly #fundingDue = new Map<string, number>()

  start(run: RecordedRun): void {
    this.#run = run
  }

  /** Whether positions in several markets were open at once, so that equity at an extreme of one depends on where the others are. */
  get heldTogether(): boolean {
    return this.#heldTogether
  }

  commit(commit: Commit): void {
    if (commit.events.every(({ type }) => CALENDAR.has(type))) return
    this.#commits.push(commit)
    for (const event of commit.events) this.#follow(event, commit.at)
  }

  /** A bar of a market is complete, and all that happened inside it has been told. */
  bar(market: number, bar: Pick<Bar, 'openTime' | 'closeTime' | 'high' | 'low'>): void {
    const { id: marketId } = (this.#run as RecordedRun).markets[market] ?? { id: '' }
    const { openTime, closeTime } = bar
    const inside = this.#commits.filter(
      ({ at, events }) =>
        at > openTime && at < closeTime && events.some((event) => concerns(event, marketId)),
    )
    const trails = this.#couldTrail(marketId, bar)
    if (inside.length > 0 || trails) {
      const momentOnly =
        !trails && inside.length === 1 && this.#movesMoment(inside[0] as Commit, marketId, bar)
      this.bars.push({ market, marketId, openTime, momentOnly })
    }
    this.#toldUntil[market] = closeTime
    this.#noteFunding(marketId)
    this.#forget()
  }

  #follow(event: Event, at: number): void {
    if ('accountId' in event && event.accountId !== this.#run?.accountId) this.#hasOthers = true
    switch (event.type) {
      case 'orderPlaced':
        if (event.orderType === 'trailing_stop')
          this.#trailing.set(event.orderId, { order: event, best: null })
        else if (event.triggerPrice > 0n) this.#begin(event.orderId, event.marketId, event.triggerPrice, at)
        return
      case 'orderExecuted':
      case 'orderCanceled':
      case 'orderFailed':
      case 'orderReplaced':
        this.#trailing.delete(event.orderId)
        return this.#end(event.orderId, at)
      case 'increasePosition':
        this.#hold(event.positionId, event.marketId, at)
        return this.#moveLiquidation(event.positionId, event.marketId, at)
      case 'closePosition':
        if (event.closes) this.#release(event.positionId, at)
        return this.#moveLiquidation(event.positionId, event.marketId, at)
      case 'liquidate':
      case 'forceClose':
        this.#release(event.positionId, at)
        return this.#moveLiquidation(event.positionId, event.marketId, at)
      case 'addMargin':
      case 'removeMargin':
      case 'payFunding':
        return this.#moveLiquidation(event.positionId, event.marketId, at)
      default:
        return
    }
  }

  #hold(positionId: string, marketId: string, at: number): void {
    const known = this.#heldAs.get(positionId)
    if (known !== undefined) {
      known.lastIncreaseAt = at
      return
    }
    for (const other of this.#heldAs.values()) if (other.marketId !== marketId) this.#heldTogether = true
    const held = { marketId, from: at, lastIncreaseAt: at, to: null }
    this.#held.push(held)
    this.#heldAs.set(positionId, held)
    this.#noteFunding(marketId)
  }

  #release(positionId: string, at: number): void {
    const held = this.#heldAs.get(positionId)
    if (held !== undefined) held.to = at
    this.#heldAs.delete(positionId)
  }

  #moveLiquidation(positionId: string, marketId: string, at: number): void {
    const price = this.#run?.read.liquidationPrice(positionId) ?? 0n
    if (this.#levelOf.get(positionId)?.price === price) return
    this.#end(positionId, at)
    if (price > 0n) this.#begin(positionId, marketId, price, at)
  }

  #begin(id: string, marketId: string, price: Price, from: number): void {
    const level = { marketId, price, from, to: null }
    this.#levels.push(level)
    this.#levelOf.set(id, level)
  }

  #end(id: string, at: number): void {
    const level = this.#levelOf.get(id)
    if (level !== undefined) level.to = at
    this.#levelOf.delete(id)
  }

  /** Whether a trailing stop can have fired in either order; its best price is taken as good as it can be. */
  #couldTrail(marketId: string, { high, low }: Pick<Bar, 'high' | 'low'>): boolean {
    let could = false
    for (const trailing of this.#trailing.values()) {
      const { order } = trailing
      if (order.marketId !== marketId) continue
      const isLong = order.direction === 'long'
      const extreme = isLong ? high : low
      const { best } = trailing
      trailing.best = best === null || (isLong ? extreme > best : extreme < best) ? extreme : best
      const level = furthestLevel(order, trailing.best)
      if (isLong ? low <= level : high >= level) could = true
    }
    return could
  }

  #movesMoment(
    { events }: Commit,
    marketId: string,
    bar: Pick<Bar, 'openTime' | 'closeTime' | 'high' | 'low'>,
  ): boolean {
    const { openTime, closeTime, high, low } = bar
    const closes = events.filter(({ type }) => CLOSES.has(type))
    if (
      this.#hasOthers ||
      closes.length !== 1 ||
      !events.every(({ type }) => CLOSES.has(type) || ENDS.has(type))
    )
      return false
    const stood = ({ from, to }: { readonly from: number; readonly to: number | null }) =>
      from <= openTime && (to === null || to > openTime)
    const held = this.#held.filter(stood)
    const [only] = held
    const reached = this.#levels.filter(
      (level) => stood(level) && level.marketId === marketId && level.price >= low && level.price <= high,
    )
    if (held.length !== 1 || only === undefined || only.to === null || reached.length !== 1) return false
    const isFunded = (this.#fundingDue.get(marketId) ?? openTime) <= closeTime
    return !isFunded && this.#sameAt(only, marketId, openTime, closeTime)
  }

  /** Whether the two moments at which an extreme is reached lie on the same side of every window, and on one day. */
  #sameAt({ lastIncreaseAt }: Held, marketId: string, openTime: number, closeTime: number): boolean {
    const config = this.#run?.read.market(marketId)?.config
    if (config === undefined) return false
    const interval = closeTime + 1 - openTime
    const [first, second] = [1, 2].map((step) => barStepTime(openTime, interval, step)) as [number, number]
    const sameSide = (window: number) => first - lastIncreaseAt < window === second - lastIncreaseAt < window
    return (
      sameSide(PROFIT_WINDOW_MS) &&
      sameSide(config.scalpingWindowMs) &&
      Math.floor(first / DAY_MS) === Math.floor(second / DAY_MS)
    )
  }

  #noteFunding(marketId: string): void {
    this.#fundingDue.delete(marketId)
    if (this.#heldAs.size === 0) return
    const due = this.#run?.read.market(marketId)?.state.nextFundingAt
    if (due !== undefined) this.#fundingDue.set(marketId, due)
  }

  #forget(): void {
    const markets = this.#run?.markets.length ?? 0
    const until = Math.min(...Array.from({ length: markets }, (_, market) => this.#toldUntil[market] ?? 0))
    const stays = ({ to }: { readonly to: number | null }) => to === null || to > until
    this.#commits = this.#commits.filter(({ at }) => at > until)
    if (this.#levels.some((level) => !stays(level))) this.#levels = this.#levels.filter(stays)
    if (this.#held.some((held) => !stays(held))) this.#held = this.#held.filter(stays)
  }
}

/** Nothing that a price does. */
const CALENDAR: ReadonlySet<Event['type']> = new Set(['dayBegan', 'dayStarted', 'fundingRateChanged'])
const CLOSES: ReadonlySet<Event['type']> = new Set(['closePosition', 'liquidate'])
/** The price, and what ends with a position. */
const ENDS: ReadonlySet<Event['type']> = new Set(['priceUpdated', 'orderExecuted', 'orderCanceled'])

/** Of another market only what the account as a whole can have caused. */
function concerns(event: Event, marketId: string): boolean {
  return event.type === 'forceClose' || !('marketId' in event) || event.marketId === marketId
}

/** How near to the price it can have come. */
function furthestLevel(order: OrderPlaced, best: Price): Price {
  const { trailingStopOffset: offset, trailingStopOffsetPercent: share } = order
  if (order.direction === 'long') return offset > 0n ? best - offset : loweredPriceDown(best, share)
  return offset > 0n ? best + offset : raisedPriceUp(best, share)
}
