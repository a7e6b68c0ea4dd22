// jesse's own regression example (tests/test_real_strategy_regression.py there, one market): a year of minutes that a seed makes, a strategy
// of hours and four hours, and its documented fills. It publishes what every trade comes to; nothing here is taken from its code.

import {
  alligator,
  averageTrueRange,
  type CandleColumns,
  directionalIndex,
  exponentialAverage,
  momentum,
  stochasticStrength,
} from './jesseIndicators.ts'
import { numpyNormal } from './numpyNormal.ts'
import type { Candle } from './otherEngines.ts'

export const TERMS = { cash: 10_000, fee: 0.001, leverage: 2 }
/** 1 January 2021; forty days warm the strategy up, a year is traded. */
export const FIRST_MINUTE = Date.UTC(2021, 0, 1)
const DAY = 1_440
export const WARM_UP = 40 * DAY
const MINUTES = WARM_UP + 365 * DAY
/** `numpy.random.PCG64(7001).state`. */
const SEED_7001 = {
  state: 249398430495247600711729756686975860075n,
  increment: 50795399718315108474434432917570963025n,
}

/** A random walk with a drift that turns within two weeks; every minute opens where the one before it closed. */
export function exampleMinutes(): Candle[] {
  const normal = numpyNormal(SEED_7001)
  let way = 0
  const closes = Array.from({ length: MINUTES }, (_, minute) => {
    way += 0.0008 * normal() + 0.00003 * Math.sin((minute / (DAY * 7)) * 2 * Math.PI)
    return 20_000 * Math.exp(way)
  })
  return closes.map((close, minute) => {
    const open = closes[minute - 1] ?? 20_000
    const wick = Math.abs(0.0004 * normal())
    return { open, close, high: Math.max(open, close) * (1 + wick), low: Math.min(open, close) * (1 - wick) }
  })
}

interface Decision {
  readonly side: 1 | -1
  /** Two average true ranges: as far from the entry lie the stop-loss and the take-profit. */
  readonly away: number
}

/** What the strategy would open at the end of this minute if it were flat. It is asked at the end of an hour only. */
export type Decide = (minute: number) => Decision | null

const HOUR = 60
const FOUR_HOURS = 240
const LOOKED_AT = 240

/** Both timeframes agree, the trend is strong, and the price has come back within it. */
export function exampleStrategy(minutes: readonly Candle[]): Decide {
  const hours = longer(minutes, HOUR)
  const fourHours = longer(minutes, FOUR_HOURS)
  return (minute) => {
    const price = (minutes[minute] as Candle).close
    const hour = lastOf(hours, (minute + 1) / HOUR)
    const side = order(price, alligator(columns(hour)))
    if (side === 0 || !(directionalIndex(columns(hour)) > 30)) return null
    // The four hours that still run count with what there is of them.
    const whole = Math.floor((minute + 1) / FOUR_HOURS)
    const begun = longer(minutes.slice(whole * FOUR_HOURS, minute + 1), FOUR_HOURS)
    const slow = columns(lastOf([...fourHours.slice(0, whole), ...begun], whole + begun.length))
    if (order(price, alligator(slow)) !== side) return null
    if (!(side * (price - exponentialAverage(slow, 100)) > 0)) return null
    if (!(side * momentum(columns(hour)) > 20)) return null
    const place = stochasticStrength(columns(hour))
    if (!(side === 1 ? place < 20 : place > 80)) return null
    return { side, away: 2 * averageTrueRange(columns(hour)) }
  }
}

/** 1 where price, lips, teeth and jaw lie below each other in this order, −1 above each other, else 0. */
function order(price: number, [jaw, teeth, lips]: readonly [number, number, number]): 1 | -1 | 0 {
  if (price > lips && lips > teeth && teeth > jaw) return 1
  return price < lips && lips < teeth && teeth < jaw ? -1 : 0
}

function lastOf(candles: readonly Candle[], end: number): readonly Candle[] {
  return candles.slice(Math.max(0, end - LOOKED_AT), end)
}

function columns(candles: readonly Candle[]): CandleColumns {
  return {
    high: candles.map(({ high }) => high),
    low: candles.map(({ low }) => low),
    close: candles.map(({ close }) => close),
  }
}

function longer(minutes: readonly Candle[], length: number): Candle[] {
  return Array.from({ length: Math.ceil(minutes.length / length) }, (_, index) => {
    const part = minutes.slice(index * length, (index + 1) * length)
    return {
      open: (part[0] as Candle).open,
      close: (part.at(-1) as Candle).close,
      high: part.reduce((most, { high }) => Math.max(most, high), 0),
      low: part.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY),
    }
  })
}

/** Four fifths of what the balance pays for with leverage, less three fees, in thousandths. */
export function exampleUnits(balance: number, price: number): number {
  const { fee, leverage } = TERMS
  return Math.floor(((balance * leverage * 0.8 * (1 - 3 * fee)) / price) * 1_000) / 1_000
}

/** Minutes count from the first that is traded. */
export interface ExampleTrade extends Decision {
  readonly size: number
  readonly opened: number
  readonly entry: number
  readonly closed: number
  /** The level that was reached, at which it is filled there. */
  readonly exit: number
  readonly isStop: boolean
  readonly fees: number
  readonly pnl: number
}

/** Opened at the close of the hour that decides; closed at a level's own price in the minute that reaches it. */
export function exampleRun(
  minutes: readonly Candle[],
  decide: Decide,
): { trades: ExampleTrade[]; balance: number } {
  const { cash, fee } = TERMS
  const trades: ExampleTrade[] = []
  let balance = cash
  let open: (Decision & { readonly size: number; readonly opened: number; readonly entry: number }) | null =
    null
  for (let minute = WARM_UP; minute < minutes.length; minute++) {
    const { high, low, close } = minutes[minute] as Candle
    if (open !== null) {
      const { side, away, entry, size } = open
      const [stop, target] = [entry - side * away, entry + side * away]
      const reached = (level: number) => low <= level && level <= high
      if (reached(stop) || reached(target)) {
        if (reached(stop) && reached(target)) throw new Error('both levels lie in one minute')
        const exit = reached(stop) ? stop : target
        const fees = size * (entry + exit) * fee
        const pnl = side * size * (exit - entry) - fees
        balance += side * size * (exit - entry) - size * exit * fee
        trades.push({ ...open, closed: minute - WARM_UP, exit, isStop: exit === stop, fees, pnl })
        open = null
      }
    }
    if (open !== null || (minute + 1) % HOUR !== 0) continue
    const decision = decide(minute)
    if (decision === null) continue
    const size = exampleUnits(balance, close)
    balance -= size * close * fee
    open = { ...decision, size, opened: minute - WARM_UP, entry: close }
  }
  if (open !== null) throw new Error('a position is open at the end')
  return { trades, balance }
}
