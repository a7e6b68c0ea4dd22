/** A run without a fill: why, as far as it is known, because zeros in every figure do not say it. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Rejection } from '../../terms/errors.ts'
import { count } from '../output/presentation.ts'
import type { AccountResult } from './participant.ts'

export interface Asked {
  /** Bars that the strategy was told; null where it hears none. */
  readonly bars: number | null
  /** Rows of the data. */
  readonly rows: number
  readonly firstRefused: Rejection | null
}

/** Null where something was traded. */
export function untradedNote({ fills, rejections }: AccountResult, asked: Asked): string | null {
  if (fills > 0) return null
  const { bars, rows, firstRefused } = asked
  const refused = Object.values(rejections).reduce((sum, times) => sum + times, 0)
  if (firstRefused !== null)
    return `nothing was traded: ${count(refused)} action(s) were refused, the first with ${refusalText(firstRefused)}`
  const told = bars === null ? `${count(rows)} price(s)` : `${count(bars)} bar(s)`
  return `nothing was traded: the strategy was told ${told} and placed no order that was filled`
}

function refusalText({ code, details, leverage, minLeverage, maxLeverage }: Rejection): string {
  const times = (value: bigint | undefined) => `${formatDecimal(value ?? 0n)}x`
  if (leverage !== undefined && (maxLeverage ?? minLeverage) !== undefined)
    return `${code} (${times(leverage)}, ${maxLeverage === undefined ? `at least ${times(minLeverage)}` : `at most ${times(maxLeverage)}`})`
  return details === undefined ? code : `${code} (${details.join(', ')})`
}
