// What closing a position at the price there is comes to.

import { executionPrice, scalpingCoefficient } from '../../../../domain/formulas/executionPrice.ts'
import type { LiquidationTerms } from '../../../../domain/formulas/liquidation.ts'
import { settle } from '../../../../domain/formulas/settlement.ts'
import type { Settlement } from '../../../../events/positionEvents.ts'
import type { Base, Leverage, Price, Quote } from '../../../../quantity/units.ts'
import { closeSide } from '../../../../terms/direction.ts'
import type { MarketTerms } from './formulaTerms.ts'
import type { ProfitWindow } from './profitWindow.ts'

export interface ClosingNow {
  readonly price: Price
  /** What the spread is multiplied by, ONE for not at all. */
  readonly spreadTimes: Leverage
  readonly settlement: Settlement
}

/** An increase that was long ago. */
const NO_WINDOW: ProfitWindow = { lastIncreaseAt: 0, profitReference: 0n }

/** `window`: of the position; null where its last increase was long ago. `now`: the venue's time, epoch ms. */
export function closingNow(
  held: LiquidationTerms,
  size: Base,
  {
    market,
    window,
    now,
  }: { readonly market: MarketTerms; readonly window: ProfitWindow | null; readonly now: number },
): ClosingNow {
  const since = window ?? NO_WINDOW
  const spreadTimes = scalpingCoefficient(market, now - since.lastIncreaseAt)
  const price = executionPrice(market, closeSide(held.direction), spreadTimes)
  const { feeRate } = market.parameters
  return { price, spreadTimes, settlement: settle({ ...held, ...since }, size, price, feeRate, now) }
}

/** What the rule of the first minute keeps of a settlement. */
export function takenByMinute({ rawPnl, pnl }: Settlement): Quote {
  return rawPnl > pnl ? rawPnl - pnl : 0n
}
