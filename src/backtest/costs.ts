/** What the rules cost: spread, scalping, fees, funding and the 60-second rule, each apart, from the events alone. */

import type { Event } from '../events/event.ts'
import type { ClosePosition, ForceClose, IncreasePosition, Liquidate } from '../events/positionEvents.ts'
import { ONE } from '../quantity/fp9.ts'
import { notionalDown, notionalUp } from '../quantity/products.ts'
import { divideUp } from '../quantity/rounding.ts'
import type { Quote } from '../quantity/units.ts'

/** Totals over a run. A cost is positive; funding received makes `funding` negative. */
export interface Costs {
  /** Execution prices against the index, at the base spread. */
  readonly spread: Quote
  /** What the scalping coefficient added to the spread of early closes. */
  readonly scalping: Quote
  /** Opening and closing fees, liquidations aside. */
  readonly fees: Quote
  /** What liquidations took of the remaining margin. */
  readonly liquidationPenalties: Quote
  readonly funding: Quote
  /** Profit given up to the 60-second rule. */
  readonly profitCap: Quote
}

export class CostLedger {
  #spread = 0n
  #scalping = 0n
  #fees = 0n
  #liquidationPenalties = 0n
  #funding = 0n
  #profitCap = 0n

  add(event: Event): void {
    switch (event.type) {
      case 'increasePosition':
        this.#fees += event.fee
        this.#spread += entrySpread(event)
        return
      case 'closePosition':
        this.#fees += event.fee
        this.#profitCap += event.rawPnl - event.pnl
        this.#addExitSpread(event)
        return
      case 'forceClose':
        this.#fees += event.fee
        this.#profitCap += event.rawPnl - event.pnl
        this.#spread += exitSpread(event)
        return
      case 'liquidate':
        this.#liquidationPenalties += event.fee
        this.#profitCap += event.rawPnl - event.pnl
        this.#spread += exitSpread(event)
        return
      case 'payFunding':
        this.#funding -= event.amount
        return
      default:
        return
    }
  }

  totals(): Costs {
    return {
      spread: this.#spread,
      scalping: this.#scalping,
      fees: this.#fees,
      liquidationPenalties: this.#liquidationPenalties,
      funding: this.#funding,
      profitCap: this.#profitCap,
    }
  }

  /** Of a spread multiplied by k, one k-th is the base spread: ⌈paid·ONE/k⌉; the rest is scalping. */
  #addExitSpread(event: ClosePosition): void {
    const paid = exitSpread(event)
    const base = event.scalpingCoefficient === ONE ? paid : divideUp(paid * ONE, event.scalpingCoefficient)
    this.#spread += base
    this.#scalping += paid - base
  }
}

function entrySpread(event: IncreasePosition): Quote {
  return event.direction === 'long'
    ? event.notional - notionalDown(event.size, event.indexPrice)
    : notionalUp(event.size, event.indexPrice) - event.notional
}

/** Never below zero: a loss bounded by the margin is settled at a better price than the market's. */
function exitSpread(event: ClosePosition | ForceClose | Liquidate): Quote {
  const paid =
    event.direction === 'long'
      ? notionalUp(event.size, event.indexPrice) - event.exchangedQuote
      : event.exchangedQuote - notionalDown(event.size, event.indexPrice)
  return paid > 0n ? paid : 0n
}
