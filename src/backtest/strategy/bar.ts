/** A bar as strategies are told it. */
import type { Price } from '../../quantity/units.ts'

/** A complete candle. Prices are fp9; volume is in the unit of the feed. Times are epoch ms. */
export interface Bar {
  readonly asset: string
  /** Its first millisecond. */
  readonly openTime: number
  /** Its last millisecond. */
  readonly closeTime: number
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
  /** 0 or more; 0 where the feed tells none. */
  readonly volume: number
}
