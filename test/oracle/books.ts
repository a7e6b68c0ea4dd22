// A second set of books: from the facts of each commit (what was asked, at which price, at what time) it works out what
// every position event must have done, with the oracle's formulas alone.

import type {
  AccountParameters,
  Commit,
  Event,
  MarketParameters,
  OrderPlaced,
  PositionEvent,
  PositionRecord,
} from '../../src/index.ts'
import { type Exact, fp9Of, most, units, up, WHOLE, ZERO } from './exact.ts'
import * as formulas from './formulas.ts'
import { PositionBook } from './positionBook.ts'

interface MarketBook {
  parameters: MarketParameters
  index: Exact
}

interface AccountBook {
  readonly parameters: AccountParameters
  free: Exact
  initial: Exact
  dayStart: Exact
  highWater: Exact
}

interface OrderBook {
  readonly facts: OrderPlaced
  reserve: Exact
}

export class Books {
  readonly markets = new Map<string, MarketBook>()
  readonly accounts = new Map<string, AccountBook>()
  readonly orders = new Map<string, OrderBook>()
  readonly positions = new Map<string, PositionBook>()
  /** What was found wrong with a commit that no record shows. */
  readonly faults: string[] = []

  /** Enters a commit; answers what each of its position events must have led to. */
  enter(commit: Commit): PositionRecord[] {
    return commit.events.flatMap((event) => this.#enterEvent(event, commit))
  }

  #enterEvent(event: Event, commit: Commit): PositionRecord[] {
    switch (event.type) {
      case 'marketListed':
        this.markets.set(event.marketId, { parameters: event.parameters, index: units(event.indexPrice) })
        return []
      case 'marketConfigured':
        this.#market(event.marketId).parameters = event.parameters
        return []
      case 'fundingRateChanged': {
        const market = this.#market(event.marketId)
        const { fundingRate, fundingRateShort } = event
        market.parameters = { ...market.parameters, fundingRate, fundingRateShort }
        return []
      }
      case 'priceUpdated':
        this.#market(event.marketId).index = units(event.indexPrice)
        return []
      case 'accountOpened': {
        const { parameters } = event
        const balance = units(parameters.balance)
        const book = { parameters, free: balance, initial: balance, dayStart: balance, highWater: balance }
        this.accounts.set(event.accountId, book)
        return []
      }
      case 'balanceAdjusted': {
        const account = this.#account(event.accountId)
        for (const field of ['free', 'initial', 'dayStart', 'highWater'] as const)
          account[field] = account[field].plus(units(event.amount))
        return []
      }
      case 'accountPromoted': {
        const account = this.#account(event.accountId)
        const balance = units(account.parameters.balance)
        for (const field of ['free', 'initial', 'dayStart', 'highWater'] as const) account[field] = balance
        return []
      }
      case 'dayStarted': {
        const account = this.#account(event.accountId)
        account.dayStart = this.equity(event.accountId, commit.at)
        account.highWater = most(account.highWater, this.balance(event.accountId))
        return []
      }
      case 'orderPlaced':
        return this.#place(event)
      case 'orderCanceled':
      case 'orderReplaced':
        return this.#release(event.orderId)
      case 'orderFailed':
        this.#judgeFailure(event.orderId, event.errorCode)
        return this.#release(event.orderId)
      case 'increasePosition':
      case 'closePosition':
      case 'addMargin':
      case 'removeMargin':
      case 'payFunding':
      case 'liquidate':
      case 'forceClose':
        return this.#move(event, commit)
      default:
        return []
    }
  }

  /** C11: free, reserves and margins. */
  balance(accountId: string): Exact {
    let balance = this.#account(accountId).free
    for (const { facts, reserve } of this.orders.values())
      if (facts.accountId === accountId) balance = balance.plus(reserve)
    for (const { trader, margin } of this.positions.values())
      if (trader === accountId) balance = balance.plus(margin)
    return balance
  }

  /** C11, D7. */
  equity(accountId: string, at: number): Exact {
    let equity = this.balance(accountId)
    for (const position of this.positions.values())
      if (position.trader === accountId)
        equity = equity.plus(formulas.unrealized(position.holding(at), this.#market(position.market).index))
    return equity
  }

  hasPositions(accountId: string): boolean {
    return [...this.positions.values()].some(({ trader }) => trader === accountId)
  }

  /** Where a position would be liquidated. */
  liquidationPrice(position: PositionBook): Exact {
    const { maintenanceMarginRate } = this.#market(position.market).parameters
    return formulas.liquidationPrice(position, units(maintenanceMarginRate))
  }

  isLiquidatable(position: PositionBook): boolean {
    const { parameters, index } = this.#market(position.market)
    return formulas.liquidatable(position, units(parameters.maintenanceMarginRate), index)
  }

  /** What every position would settle at a funding instant, where that is not nothing (E4). */
  fundingDue(marketId: string, at: number): Map<string, bigint> {
    const { parameters, index } = this.#market(marketId)
    const due = new Map<string, bigint>()
    for (const position of this.positions.values()) {
      if (position.market !== marketId || position.openedAt >= at) continue
      const amount = fp9Of(formulas.funding(position, index, rateOf(parameters, position.side)))
      if (amount !== 0n) due.set(position.idx, amount)
    }
    return due
  }

  #market(id: string): MarketBook {
    return known(this.markets.get(id), id)
  }

  #account(id: string): AccountBook {
    return known(this.accounts.get(id), id)
  }

  #place(facts: OrderPlaced): PositionRecord[] {
    const increases = ['market', 'limit', 'stop_market', 'stop_limit'].includes(facts.orderType)
    const account = this.#account(facts.accountId)
    let reserve = increases ? units(facts.amount) : ZERO
    if (facts.reserveInherited) {
      // F4: exactly the parent's reserve, and free untouched.
      const parent = known(this.orders.get(facts.parentOrderId ?? ''), 'parent')
      if (!parent.reserve.equals(reserve)) this.faults.push(`${facts.orderId} inherits another reserve`)
      reserve = parent.reserve
      parent.reserve = ZERO
    } else account.free = account.free.minus(reserve)
    this.orders.set(facts.orderId, { facts, reserve })
    return []
  }

  #release(orderId: string): PositionRecord[] {
    const order = known(this.orders.get(orderId), orderId)
    const account = this.#account(order.facts.accountId)
    account.free = account.free.plus(order.reserve)
    order.reserve = ZERO
    return []
  }

  /** The fill of an increase at the market's price (C1, C2); null where nothing is left. */
  #fillOf({ facts, reserve }: OrderBook): formulas.Fill | null {
    const { parameters, index } = this.#market(facts.marketId)
    const { direction, baseSize } = facts
    const price = formulas.executionPrice(direction, 'open', index, units(parameters.spread))
    if (price.isZero()) return null
    const [leverage, feeRate] = [units(facts.leverage ?? 0n), units(parameters.feeRate)]
    const fill =
      facts.sizeMode === 'quote'
        ? formulas.quoteFill(direction, reserve, leverage, price, feeRate)
        : formulas.baseFill(direction, units(baseSize ?? 0n), leverage, price, feeRate)
    return fill.margin.lte(0) || fill.size.lte(0) ? null : fill
  }

  /** C4: the first check an execution fails; null where it should have succeeded. */
  #failureOf(order: OrderBook): string | null {
    const { parameters } = this.#market(order.facts.marketId)
    const { direction, expectedAmount } = order.facts
    const fill = this.#fillOf(order)
    if (fill === null) return 'order_zero_size_at_execution'
    if (fill.spent.greaterThan(order.reserve)) return 'insufficient_reserve_at_execution'
    if (fill.notional.lessThan(units(parameters.minNotional))) return 'order_below_min_notional'
    const { maxOrderNotional, maxOpenNotionalLong, maxOpenNotionalShort } = parameters
    if (maxOrderNotional !== null && fill.notional.greaterThan(units(maxOrderNotional)))
      return 'order_exceeds_market_depth'
    const maximum = direction === 'long' ? maxOpenNotionalLong : maxOpenNotionalShort
    const open = this.#openNotional(order.facts.marketId, direction).plus(fill.notional)
    if (maximum !== null && open.greaterThan(units(maximum))) return 'order_exceeds_max_open_notional'
    const expected = units(expectedAmount)
    if (expected.isZero()) return null
    const outside = direction === 'long' ? fill.size.lessThan(expected) : fill.size.greaterThan(expected)
    return outside ? 'slippage_tolerance' : null
  }

  #openNotional(marketId: string, side: formulas.Side): Exact {
    let total = ZERO
    for (const position of this.positions.values())
      if (position.market === marketId && position.side === side) total = total.plus(position.notional)
    return total
  }

  #judgeFailure(orderId: string, errorCode: string): void {
    const expected = this.#failureOf(known(this.orders.get(orderId), orderId))
    if (expected !== errorCode) this.faults.push(`${orderId} failed with ${errorCode} instead of ${expected}`)
  }

  #move(event: PositionEvent, commit: Commit): PositionRecord[] {
    switch (event.type) {
      case 'increasePosition':
        return [this.#increase(event.positionId, event.orderId, commit.at)]
      case 'closePosition':
        return [this.#close(event.positionId, event.orderId, commit.at)]
      case 'liquidate':
        return [this.#liquidate(event.positionId, commit.at)]
      case 'forceClose':
        return [this.#forceClose(event.positionId, event.closeReason, commit.at)]
      case 'payFunding':
        return [this.#payFunding(event.positionId, commit.at)]
      case 'addMargin':
      case 'removeMargin': {
        const { command } = commit
        if (command.type !== 'changeMargin') throw new TypeError('margin moved by another command')
        return [this.#changeMargin(event.positionId, units(command.marginChange), commit.at)]
      }
    }
  }

  #increase(positionId: string, orderId: string, at: number): PositionRecord {
    const order = known(this.orders.get(orderId), orderId)
    const { facts } = order
    const failure = this.#failureOf(order)
    const fill = this.#fillOf(order)
    if (failure !== null || fill === null) throw new RangeError(`${orderId} filled in spite of ${failure}`)
    const account = this.#account(facts.accountId)
    account.free = account.free.plus(order.reserve).minus(fill.spent)
    order.reserve = ZERO
    const { parameters, index } = this.#market(facts.marketId)
    const position = this.positions.get(positionId) ?? new PositionBook(positionId, facts, at)
    this.positions.set(positionId, position)
    return position.increase(fill, parameters.feeRate, index, at)
  }

  #close(positionId: string, orderId: string, at: number): PositionRecord {
    const position = known(this.positions.get(positionId), positionId)
    const { parameters, index } = this.#market(position.market)
    const held = position.holding(at)
    const asked = units(known(this.orders.get(orderId), orderId).facts.amount)
    const size = asked.lessThan(position.size) ? asked : position.size
    const scalped = held.heldMs < parameters.scalpingWindowMs
    const coefficient = scalped ? units(parameters.scalpingCoefficient) : WHOLE
    const price = formulas.executionPrice(
      position.side,
      'close',
      index,
      units(parameters.spread),
      coefficient,
    )
    const closed = formulas.close(held, size, price, units(parameters.feeRate))
    position.feeRate = parameters.feeRate
    return this.#settle(position, closed, at, {
      eventName: 'closePosition',
      scalpingCoefficient: fp9Of(coefficient),
    })
  }

  #liquidate(positionId: string, at: number): PositionRecord {
    const position = known(this.positions.get(positionId), positionId)
    const { parameters, index } = this.#market(position.market)
    if (!this.isLiquidatable(position)) this.faults.push(`${positionId} liquidated before its price`)
    const price = formulas.executionPrice(position.side, 'close', index, units(parameters.spread))
    return this.#settle(position, formulas.liquidation(position.holding(at), price), at, {
      eventName: 'liquidate',
      status: 'liquidated',
    })
  }

  #forceClose(positionId: string, closeReason: PositionRecord['closeReason'], at: number): PositionRecord {
    const position = known(this.positions.get(positionId), positionId)
    const { parameters, index } = this.#market(position.market)
    const price = formulas.executionPrice(position.side, 'close', index, units(parameters.spread))
    const closed = formulas.close(position.holding(at), position.size, price, units(parameters.feeRate))
    position.feeRate = parameters.feeRate
    return this.#settle(position, closed, at, { eventName: 'forceClose', closeReason })
  }

  #settle(
    position: PositionBook,
    closed: formulas.Closed,
    at: number,
    rest: Partial<PositionRecord>,
  ): PositionRecord {
    const account = this.#account(position.trader)
    account.free = account.free.plus(closed.credit)
    const record = position.settle(closed, at, rest)
    if (position.size.isZero()) this.positions.delete(position.idx)
    return record
  }

  #payFunding(positionId: string, at: number): PositionRecord {
    const position = known(this.positions.get(positionId), positionId)
    const { parameters, index } = this.#market(position.market)
    const amount = formulas.funding(position, index, rateOf(parameters, position.side))
    return position.payFunding(amount, at)
  }

  #changeMargin(positionId: string, change: Exact, at: number): PositionRecord {
    const position = known(this.positions.get(positionId), positionId)
    const account = this.#account(position.trader)
    account.free = account.free.minus(change)
    return position.changeMargin(change, at)
  }
}

function rateOf({ fundingRate, fundingRateShort }: MarketParameters, side: formulas.Side): Exact {
  const short = fundingRateShort === null ? null : units(fundingRateShort)
  return formulas.fundingRateOf(side, units(fundingRate), short)
}

function known<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new ReferenceError(`the books know no ${what}`)
  return found
}

/** The price a trigger or a liquidation stands at, in units, never below one. */
export function atLeastOneUnit(price: Exact): bigint {
  return fp9Of(most(up(price), units(1n)))
}
