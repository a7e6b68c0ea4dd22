/**
 * What the rules cost: spread, scalping, fees, funding and the 60-second rule, each apart, from the events alone. The
 * lines explain the whole change of equity, to the last 10⁻⁹:
 *
 *   change of equity = pricePnl − spread − scalping − fees − liquidationPenalties − funding − profitCap
 *                      + lossesAbsorbed + transfers
 *
 * Each fill's value at the index is rounded once, entries of longs down and exits up, shorts the other way round, which
 * puts up to 10⁻⁹ per fill into `spread` instead of `pricePnl`; the sum is exact all the same.
 */

import type { Event } from '../../events/event.ts'
import type { ClosePosition, ForceClose, IncreasePosition, Liquidate } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import { notionalDown, notionalUp } from '../../quantity/products.ts'
import { divideUp } from '../../quantity/rounding.ts'
import type { Quote } from '../../quantity/units.ts'

/** Totals over a run. A cost is positive; funding received makes `funding` negative. */
export interface Costs {
  /** What the index prices alone earned, from entries to exits or to the last price of what is still open. */
  readonly pricePnl: Quote
  /** Execution prices against the index, at the base spread. */
  readonly spread: Quote
  /** What the scalping coefficient added to the spread of early closes. */
  readonly scalping: Quote
  /** Opening and closing fees, liquidations aside. */
  readonly fees: Quote
  /** What liquidations took of the remaining margin. */
  readonly liquidationPenalties: Quote
  readonly funding: Quote
  /** Profit given up to the 60-second rule, with what it holds back of positions still open. */
  readonly profitCap: Quote
  /** Losses beyond the margin of a position, which the house bears (C10); not a cost but a relief. */
  readonly lossesAbsorbed: Quote
  /** Deposits, withdrawals and the fresh balances of new phases. */
  readonly transfers: Quote
}

/** What is still open when the totals are taken. */
export interface OpenValue {
  /** Value of the open sizes at the index, shorts negative. */
  readonly value: Quote
  /** Unrealized profit that the 60-second rule holds back. */
  readonly heldBack: Quote
}

/**
 * Adds up what trading has cost, event by event.
 *
 * ```ts
 * const ledger = new CostLedger()
 * for await (const commits of log()) for (const { events } of commits) for (const event of events) ledger.add(event)
 * formatDecimal(ledger.totals({ value: 0n, heldBack: 0n }).fees) // → 8
 * ```
 */
export class CostLedger {
  /** Index value received for what was sold less index value of what was bought. */
  #exchanged = 0n
  #spread = 0n
  #scalping = 0n
  #fees = 0n
  #liquidationPenalties = 0n
  #funding = 0n
  #profitCap = 0n
  #lossesAbsorbed = 0n
  #transfers = 0n

  /** Takes any event of one account. */
  add(event: Event): void {
    switch (event.type) {
      case 'increasePosition':
        this.#fees += event.fee
        return this.#enter(event)
      case 'closePosition':
        this.#fees += event.fee
        return this.#exit(event, event.scalpingCoefficient)
      case 'forceClose':
        this.#fees += event.fee
        return this.#exit(event, ONE)
      case 'liquidate':
        this.#liquidationPenalties += event.fee
        return this.#exit(event, ONE)
      case 'payFunding':
        this.#funding -= event.amount
        return
      case 'balanceAdjusted':
        this.#transfers += event.amount
        return
      case 'accountPromoted':
        this.#transfers += event.adjustment
        return
      default:
        return
    }
  }

  totals({ value, heldBack }: OpenValue): Costs {
    return {
      pricePnl: this.#exchanged + value,
      spread: this.#spread,
      scalping: this.#scalping,
      fees: this.#fees,
      liquidationPenalties: this.#liquidationPenalties,
      funding: this.#funding,
      profitCap: this.#profitCap + heldBack,
      lossesAbsorbed: this.#lossesAbsorbed,
      transfers: this.#transfers,
    }
  }

  #enter({ direction, size, indexPrice, notional }: IncreasePosition): void {
    const long = direction === 'long'
    const atIndex = long ? notionalDown(size, indexPrice) : notionalUp(size, indexPrice)
    this.#exchanged += long ? -atIndex : atIndex
    this.#spread += long ? notional - atIndex : atIndex - notional
  }

  /** Of a spread multiplied by k, one k-th is the base spread: ⌈paid·ONE/k⌉; the rest is scalping. */
  #exit(event: ClosePosition | ForceClose | Liquidate, coefficient: bigint): void {
    const { direction, size, indexPrice, exchangedQuote } = event
    const long = direction === 'long'
    const atIndex = long ? notionalUp(size, indexPrice) : notionalDown(size, indexPrice)
    this.#exchanged += long ? atIndex : -atIndex
    this.#profitCap += event.rawPnl - event.pnl
    const paid = long ? atIndex - exchangedQuote : exchangedQuote - atIndex
    if (paid < 0n) {
      // Only a loss bounded by the margin is settled at a better price than the index (C10).
      this.#lossesAbsorbed -= paid
      return
    }
    const base = coefficient === ONE ? paid : divideUp(paid * ONE, coefficient)
    this.#spread += base
    this.#scalping += paid - base
  }
}
