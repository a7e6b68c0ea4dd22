/** A run for programs: plain JSON, quantities as fp9 strings, times as ISO 8601. */
import { formatInstant } from '../../projections/wire.ts'
import type { Provenance } from '../plan/provenance.ts'
import type { AccountResult } from '../run/participant.ts'
import type { BacktestResult } from '../run/run.ts'

/** Everything but the curve and the single trades, which have exports of their own; with how the run was made, where told. */
export function resultJson(
  result: BacktestResult,
  madeBy: Provenance | null = null,
): Record<string, unknown> {
  const { from, to, others, ...rest } = result
  return plain({
    ...(madeBy === null ? {} : { madeBy }),
    ...accountJson(rest),
    from: formatInstant(from),
    to: formatInstant(to),
    others: others.map(accountJson),
  }) as Record<string, unknown>
}

function accountJson<R extends AccountResult>({ curve: _curve, trades, ...rest }: R) {
  return { ...rest, trades: trades.length }
}

/** A value with every bigint as its fp9 string. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]))
}
