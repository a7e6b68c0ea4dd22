/** Who runs the venue (K10). */
import type { OperatorRole } from './access.ts'

/** Somebody who runs the venue, and how far their token reaches (K10). */
export interface Operator {
  /** Stands in the log behind every command they send. */
  readonly name: string
  readonly role: OperatorRole
}

/** An operator's secret. */
export interface OperatorToken extends Operator {
  readonly token: string
}

/** The single `operatorToken` is an admin of this name. */
export const SINGLE_OPERATOR = 'operator'

/** Everybody who runs a venue: the named tokens, and the single one as an admin. */
export function operatorsOf(single: string | null, named: readonly OperatorToken[]): OperatorToken[] {
  if (single === null) return [...named]
  return [{ name: SINGLE_OPERATOR, token: single, role: 'admin' }, ...named]
}
