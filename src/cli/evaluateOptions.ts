/** What `margin-core evaluate` is told, for a strategy and for a trader's own trades. */
import type { PathOptions } from './pathOptions.ts'
import type { PlanOptions } from './planOptions.ts'
import type { WorkPlaces } from './workOptions.ts'

export interface EvaluateOptions extends PlanOptions, WorkPlaces, PathOptions {
  readonly vary: readonly string[]
  readonly trades?: string
  readonly tradesZone?: string
  readonly tradedBalance?: string
  readonly risk: readonly number[]
  readonly rules: readonly string[]
  readonly fee?: number
  readonly attempts: number
  readonly payout?: number
  readonly report?: string
  readonly csv?: string
  readonly out?: string
  readonly json?: boolean
}
