/**
 * Market data in columns: one typed array per field, so that a run walks millions of rows without an object per row.
 * Every array has exactly `length` elements. Times are milliseconds since 1970-01-01 UTC, whole numbers; prices are
 * fp9 and above zero; volumes are doubles, because no money is computed from them.
 */

/** Candles in ascending order of `openTime`, without repeats; `low <= open, close <= high`. */
export interface BarColumns {
  /** Number of rows. */
  readonly length: number
  readonly openTime: Float64Array
  readonly open: BigInt64Array
  readonly high: BigInt64Array
  readonly low: BigInt64Array
  readonly close: BigInt64Array
  readonly volume: Float64Array
}

/**
 * Trades or quotes in ascending order of `time`; several may share a millisecond and then keep the file's order.
 * `price` is the index price: a trade's own price, or ⌊(bid + ask) / 2⌋ of a quote. Quotes carry `bid` and `ask` as
 * well; a quote may be crossed (`bid > ask`), as published ones sometimes are.
 */
export interface TickColumns {
  /** Number of rows. */
  readonly length: number
  readonly time: Float64Array
  readonly price: BigInt64Array
  readonly bid?: BigInt64Array
  readonly ask?: BigInt64Array
}

/** Bars of the given length, all zero. */
export function emptyBars(length: number): BarColumns {
  return {
    length,
    openTime: new Float64Array(length),
    open: new BigInt64Array(length),
    high: new BigInt64Array(length),
    low: new BigInt64Array(length),
    close: new BigInt64Array(length),
    volume: new Float64Array(length),
  }
}

/** The bars of several chunks as one. The chunks are copied; an empty list gives bars of length 0. */
export function joinBars(chunks: readonly BarColumns[]): BarColumns {
  const joined = emptyBars(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    joined.openTime.set(chunk.openTime, at)
    joined.open.set(chunk.open, at)
    joined.high.set(chunk.high, at)
    joined.low.set(chunk.low, at)
    joined.close.set(chunk.close, at)
    joined.volume.set(chunk.volume, at)
    at += chunk.length
  }
  return joined
}
