/** A bar as strategies are told it. */
import type { Price } from '../../quantity/units.ts'
import type { BarColumns } from '../feed/columns.ts'

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

/** A row of columns as a bar. */
export function barAt(columns: BarColumns, row: number, asset: string, closeTime: number): Bar {
  return {
    asset,
    openTime: columns.openTime[row] as number,
    closeTime,
    open: columns.open[row] as bigint,
    high: columns.high[row] as bigint,
    low: columns.low[row] as bigint,
    close: columns.close[row] as bigint,
    volume: columns.volume[row] as number,
  }
}
