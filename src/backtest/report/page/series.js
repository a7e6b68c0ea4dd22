// The series of the page, unpacked from the small numbers they are stored in, and looked up by time.

/**
 * @typedef {{ interval: number, time: number[], open: number[], high: number[], low: number[], close: number[] }} Candles
 * Times and the interval in seconds.
 */

/**
 * @param {import('../candleSeries.ts').CandleSeries} packed
 * @returns {Candles}
 */
export function unpackCandles(packed) {
  const { intervalMs, start, gaps, step } = packed
  const time = []
  const [open, high, low, close] = [[], [], [], []].map(() => /** @type {number[]} */ ([]))
  let at = start
  let before = 0
  let gap = 0
  for (let row = 0; row < packed.open.length; row++) {
    if (row > 0) at += intervalMs
    if (gaps[gap] === row) {
      at += /** @type {number} */ (gaps[gap + 1]) * intervalMs
      gap += 2
    }
    const o = before + /** @type {number} */ (packed.open[row])
    const c = o + /** @type {number} */ (packed.close[row])
    time.push(at / 1000)
    open.push(o * step)
    close.push(c * step)
    high.push((Math.max(o, c) + /** @type {number} */ (packed.high[row])) * step)
    low.push((Math.min(o, c) - /** @type {number} */ (packed.low[row])) * step)
    before = c
  }
  return { interval: intervalMs / 1000, time, open, high, low, close }
}

/**
 * The same candles in longer ones.
 *
 * @param {Candles} candles
 * @param {number} interval seconds, a multiple of the candles' own
 * @returns {Candles}
 */
export function longerCandles(candles, interval) {
  if (interval === candles.interval) return candles
  /** @type {Candles} */
  const longer = { interval, time: [], open: [], high: [], low: [], close: [] }
  let last = -1
  for (let row = 0; row < candles.time.length; row++) {
    const at = candles.time[row] - (candles.time[row] % interval)
    if (last >= 0 && longer.time[last] === at) {
      longer.high[last] = Math.max(longer.high[last], candles.high[row])
      longer.low[last] = Math.min(longer.low[last], candles.low[row])
      longer.close[last] = candles.close[row]
      continue
    }
    last = longer.time.push(at) - 1
    longer.open.push(candles.open[row])
    longer.high.push(candles.high[row])
    longer.low.push(candles.low[row])
    longer.close.push(candles.close[row])
  }
  return longer
}

/**
 * @param {import('../curveSeries.ts').CurveSeries} packed
 * @returns {{ time: number[], equity: number[], balance: number[], exposure: number[], drawdown: number[] }}
 */
export function unpackCurve(packed) {
  let at = 0
  return {
    time: packed.time.map((step) => (at += step)),
    equity: packed.equity.map((cents) => cents / 100),
    balance: packed.balance.map((cents) => cents / 100),
    exposure: [...packed.exposure],
    drawdown: packed.drawdown.map((millionths) => millionths / 1e6),
  }
}

/**
 * The last index whose value is not above `value`; −1 before the first.
 *
 * @param {readonly number[]} ascending
 * @param {number} value
 */
export function indexAt(ascending, value) {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle] <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
