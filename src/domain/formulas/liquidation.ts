/** Liquidation: the price at which the margin no longer covers the maintenance margin on the current value (E1). */
import { ONE } from '../../quantity/fp9.ts'
import {
  isAtLeastPriceOfShareDown,
  isAtMostPriceOfShareUp,
  priceOfShareDown,
  priceOfShareUp,
} from '../../quantity/products.ts'
import type { Base, Price, Quote, Rate } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'

/** What a liquidation price depends on. */
export interface LiquidationTerms {
  readonly direction: Direction
  readonly size: Base
  readonly notional: Quote
  readonly margin: Quote
}

/**
 * The liquidation price, the single source of truth (E1): M + u ≤ mmr·q·index solved for the index.
 * Long: max(0, ⌈(N − M)·ONE² / (q·(ONE − mmr))⌉), 0 = never. Short: ⌊(N + M)·ONE² / (q·(ONE + mmr))⌋.
 * On raw pnl and without spread; recomputed from the position, never stored. `size > 0`.
 *
 * ```ts
 * const terms = { direction: 'long', size: fp9('0.2'), notional: fp9('10000'), margin: fp9('1000') } as const
 * formatDecimal(liquidationPrice(terms, fp9('0.5%')), 2) // → 45226.13
 * ```
 */
export function liquidationPrice(terms: LiquidationTerms, maintenanceMarginRate: Rate): Price {
  if (terms.direction === 'short')
    return priceOfShareDown(terms.notional + terms.margin, terms.size, ONE + maintenanceMarginRate)
  if (terms.margin >= terms.notional) return 0n
  return priceOfShareUp(terms.notional - terms.margin, terms.size, ONE - maintenanceMarginRate)
}

/**
 * Whether a position is beyond its liquidation price; at the price counts (E1, F2). Compared without the division: this
 * is asked after everything that moves a margin.
 *
 * ```ts
 * const terms = { direction: 'long', size: fp9('0.2'), notional: fp9('10000'), margin: fp9('1000') } as const
 * isLiquidatable(terms, fp9('0.5%'), fp9('45000')) // → true
 * isLiquidatable(terms, fp9('0.5%'), fp9('46000')) // → false
 * ```
 */
export function isLiquidatable(
  { direction, size, notional, margin }: LiquidationTerms,
  maintenanceMarginRate: Rate,
  indexPrice: Price,
): boolean {
  if (direction === 'short')
    return isAtLeastPriceOfShareDown(indexPrice, notional + margin, size, ONE + maintenanceMarginRate)
  if (margin >= notional) return false
  return isAtMostPriceOfShareUp(indexPrice, notional - margin, size, ONE - maintenanceMarginRate)
}
