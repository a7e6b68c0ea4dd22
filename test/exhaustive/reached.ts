// What the search as a whole has to reach, so that it cannot pass by never getting anywhere.

import type { Reach } from '../../src/testing/index.ts'

const ELSEWHERE = [
  'order_validation_invariant', // no command can leave out the size that it guards
  'idempotency_key_in_flight', // is about calls that overlap in time
  'engine_stopped', // the laws stop the search before
  'too_many_api_keys', // takes twenty keys
]

/** Codes that the engine raises, transitions of the two tables and sides of edges that never came up. */
export function notReached(reach: Reach): string[] {
  const codes = reach.missingCodes().filter((code) => !ELSEWHERE.includes(code))
  return [...codes, ...reach.missingTransitions(), ...reach.missingEdges()]
}
