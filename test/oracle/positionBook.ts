// One position in the second set of books: what it holds, and what its record must read after each event.

import type { OrderPlaced, PositionRecord } from '../../src/index.ts'
import { type Exact, fp9Of, WHOLE, ZERO } from './exact.ts'
import * as formulas from './formulas.ts'

export class PositionBook {
  readonly idx: string
  readonly market: string
  readonly trader: string
  readonly side: formulas.Side
  readonly openedAt: number
  version = 0
  size = ZERO
  notional = ZERO
  margin = ZERO
  pnl = ZERO
  funding = ZERO
  fee = ZERO
  feeRate = 0n
  /** Σ margin from increases and additions (C12). */
  putUp = ZERO
  /** Reference of the 60-second cap (D2, D3). */
  reference = ZERO
  lastIncreaseAt: number

  constructor(idx: string, order: OrderPlaced, at: number) {
    this.idx = idx
    this.market = order.marketId
    this.trader = order.accountId
    this.side = order.direction
    this.openedAt = at
    this.lastIncreaseAt = at
  }

  holding(at: number): formulas.Holding {
    const { side, size, notional, margin, reference, lastIncreaseAt } = this
    return { side, size, notional, margin, reference, heldMs: at - lastIncreaseAt }
  }

  increase(fill: formulas.Fill, feeRate: bigint, index: Exact, at: number): PositionRecord {
    this.reference = this.version === 0 ? ZERO : formulas.unrealized(this.holding(at), index)
    this.lastIncreaseAt = at
    this.size = this.size.plus(fill.size)
    this.notional = this.notional.plus(fill.notional)
    this.margin = this.margin.plus(fill.margin)
    this.putUp = this.putUp.plus(fill.margin)
    this.fee = this.fee.plus(fill.fee)
    this.feeRate = feeRate
    return this.#read(at, {
      eventName: 'increasePosition',
      exchangedQuote: fp9Of(fill.notional),
      exchangedBase: fp9Of(fill.size),
      feeInEvent: fp9Of(fill.fee),
    })
  }

  settle(closed: formulas.Closed, at: number, rest: Partial<PositionRecord>): PositionRecord {
    this.size = this.size.minus(closed.size)
    this.notional = this.notional.minus(closed.cost)
    this.margin = this.margin.minus(closed.released)
    this.pnl = this.pnl.plus(closed.pnl)
    this.fee = this.fee.plus(closed.fee)
    this.reference = this.reference.minus(closed.referenceUsed)
    const ends = this.size.isZero()
    return this.#read(at, {
      exchangedQuote: fp9Of(closed.exchanged),
      exchangedBase: fp9Of(closed.size),
      pnlInEvent: fp9Of(closed.pnl),
      rawPnlInEvent: fp9Of(closed.raw),
      profitAdjustmentApplied: !closed.pnl.equals(closed.raw),
      feeInEvent: fp9Of(closed.fee),
      holdingTimeMs: at - this.lastIncreaseAt,
      status: ends ? 'closed' : 'opened',
      closedAt: ends ? at : null,
      ...rest,
    })
  }

  payFunding(amount: Exact, at: number): PositionRecord {
    this.margin = this.margin.plus(amount)
    this.funding = this.funding.plus(amount)
    return this.#read(at, { eventName: 'payFunding', fundingInEvent: fp9Of(amount) })
  }

  changeMargin(change: Exact, at: number): PositionRecord {
    const adds = change.greaterThan(0)
    this.margin = this.margin.plus(change)
    if (adds) this.putUp = this.putUp.plus(change)
    return this.#read(at, { eventName: adds ? 'addMargin' : 'removeMargin' })
  }

  /** All 28 fields after an event: what every event leaves neutral (C13), and what this one does not. */
  #read(at: number, event: Partial<PositionRecord>): PositionRecord {
    this.version += 1
    return {
      id: this.idx,
      version: this.version,
      openedAt: this.openedAt,
      lastUpdatedAt: at,
      closedAt: null,
      status: 'opened',
      marketId: this.market,
      accountId: this.trader,
      size: fp9Of(this.size),
      notional: fp9Of(this.notional),
      margin: fp9Of(this.margin),
      pnl: fp9Of(this.pnl),
      funding: fp9Of(this.funding),
      fee: fp9Of(this.fee),
      feeRate: this.feeRate,
      exchangedQuote: 0n,
      exchangedBase: 0n,
      direction: this.side,
      eventName: 'increasePosition',
      pnlInEvent: 0n,
      rawPnlInEvent: 0n,
      profitAdjustmentApplied: false,
      holdingTimeMs: null,
      feeInEvent: 0n,
      fundingInEvent: 0n,
      roe: fp9Of(formulas.roe(this.pnl, this.putUp)),
      scalpingCoefficient: fp9Of(WHOLE),
      closeReason: null,
      ...event,
    }
  }
}
