// What the venue tells of markets and positions, as the formulas of the engine take it.

import type { ApiMarket, ApiPosition } from '../../../../client/client.ts'
import type { LiquidationTerms } from '../../../../domain/formulas/liquidation.ts'
import type { Price } from '../../../../quantity/units.ts'
import type { MarketParameters } from '../../../../terms/marketParameters.ts'
import { quantity } from '../shared/amounts.ts'

type Told =
  | 'spread'
  | 'feeRate'
  | 'minStopDistance'
  | 'maintenanceMarginRate'
  | 'scalpingWindowMs'
  | 'scalpingCoefficient'

export interface MarketTerms {
  readonly indexPrice: Price
  readonly parameters: Pick<MarketParameters, Told>
}

/** A market as it stands. */
export function marketTerms({ config, state }: ApiMarket): MarketTerms {
  return {
    indexPrice: quantity(state.indexPrice),
    parameters: {
      spread: quantity(config.spread),
      feeRate: quantity(config.feeRate),
      minStopDistance: quantity(config.minStopDistance),
      maintenanceMarginRate: quantity(config.maintenanceMarginRate),
      scalpingWindowMs: config.scalpingWindowMs,
      scalpingCoefficient: quantity(config.scalpingCoefficient),
    },
  }
}

export function positionTerms({ direction, size, notional, margin }: ApiPosition): LiquidationTerms {
  return { direction, size: quantity(size), notional: quantity(notional), margin: quantity(margin) }
}
