/** The lines of indicators as a page draws them: in small whole numbers, a value for each candle of their market. */
import type { Candles } from '../recording/candles.ts'
import type { Recorded } from '../recording/recording.ts'

/** One line. */
export interface IndicatorSeries {
  /** Of the run, from 0. */
  readonly market: number
  readonly name: string
  /** Over the prices, or in a panel of its own below them; lines of one indicator share it. */
  readonly panel: 'price' | 'apart'
  /** Value of one step. */
  readonly step: number
  /** Decimals that show a step. */
  readonly decimals: number
  /** In steps, each as the difference to the one before that is there (the first in full); null where there is none. */
  readonly values: readonly (number | null)[]
}

/** Digits of the largest value: enough for the eye, in few characters. */
const DIGITS = 7

/** The lines of a recording that have a value anywhere. */
export function indicatorSeries({ candles, indicators }: Recorded): IndicatorSeries[] {
  return indicators.flatMap(({ market, line, chart, column }) => {
    const shown = candles[market]
    const values = shown?.columns[column] ?? []
    const known = values.filter((value) => !Number.isNaN(value))
    if (shown === undefined || known.length === 0) return []
    const panel = chart === 'price' || chart === 'apart' ? chart : isNear(known, shown) ? 'price' : 'apart'
    return [{ market, name: line.name, panel, ...packed(values, known) }]
  })
}

/** Whether a line would be seen over the prices, and leave them to be seen. */
function isNear(known: readonly number[], { high, low }: Candles): boolean {
  const lowest = Number(low.reduce((least, price) => (price < least ? price : least))) / 1e9
  const highest = Number(high.reduce((most, price) => (price > most ? price : most))) / 1e9
  const [least, most] = rangeOf(known)
  return least > lowest / 2 && most < highest * 2
}

function rangeOf(values: readonly number[]): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

function packed(values: readonly number[], known: readonly number[]) {
  const [least, most] = rangeOf(known)
  const largest = Math.max(Math.abs(least), Math.abs(most))
  const wholeDigits = largest < 1 ? 0 : Math.floor(Math.log10(largest)) + 1
  const decimals = Math.max(DIGITS - wholeDigits, 0)
  let before = 0
  return {
    step: 10 ** -decimals,
    decimals,
    values: values.map((value) => {
      if (Number.isNaN(value)) return null
      const steps = Math.round(value * 10 ** decimals)
      const change = steps - before
      before = steps
      return change
    }),
  }
}
