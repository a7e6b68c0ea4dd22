/**
 * margin-core/internal: what the host, the backtest and the tests of this package need of the engine beyond its public
 * face. Without promise: anything here may change or go in any release, with no word in the changelog.
 */
export type { Account } from './domain/state/account.ts'
export type { BeforeChange } from './domain/state/beforeChange.ts'
export type { Market } from './domain/state/market.ts'
export type { Order } from './domain/state/order.ts'
export type { Firing, QuietMove, QuietRange, Triggers } from './domain/state/triggers.ts'
export type { Archive, World } from './domain/state/world.ts'
export type { Folded, TriggersFactory } from './engine/fold.ts'
export { earlierOutcome, openOf, quietRangeOf, seeCommits } from './engine/internals.ts'
export type { DecidedFold } from './projections/decidedProjection.ts'
export type { History } from './projections/history.ts'
export type { Keeping } from './projections/keeping.ts'
