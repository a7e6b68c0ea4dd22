/**
 * margin-core: quantities, rules, events, read models, engine and memory store. No Node built-ins. What is exported here is
 * promised by the version number; docs/api says all of it, and `margin-core/internal` is what is not promised.
 */

export {
  type Decided,
  type DecisionTerms,
  decide,
  evolve,
  evolveCommit,
} from './domain/decider/decider.ts'
export {
  type AccountState,
  type EndedState,
  initialState,
  type VenueState,
} from './domain/decider/venueState.ts'
export { type Posting, postingOf } from './domain/evolve/ledger.ts'
export {
  type FrozenPosition,
  immutably,
  inPlace,
  type PositionRecipe,
  positionRecipe,
  reducePosition,
  unopenedPosition,
} from './domain/evolve/positionReducers.ts'
export { entryPrice } from './domain/formulas/entryPrice.ts'
export { isLiquidatable, type LiquidationTerms, liquidationPrice } from './domain/formulas/liquidation.ts'
export {
  type EvidencedClose,
  recheckSettlement,
  type SettlementMismatch,
} from './domain/formulas/settlementCheck.ts'
export type { ApiKey } from './domain/state/apiKey.ts'
export type { MarketState } from './domain/state/market.ts'
export type { OrderRecord, OrderState } from './domain/state/order.ts'
export type {
  Position,
  PositionEventRecord,
  PositionRecord,
} from './domain/state/position.ts'
export { PROFIT_WINDOW_MS, type Rules } from './domain/state/venueRules.ts'
export type { CommandOptions } from './engine/commandOptions.ts'
export {
  checkDerived,
  type Derived,
  type DerivedCheck,
  type DerivedOptions,
} from './engine/derived.ts'
export type { Engine } from './engine/engine.ts'
export { EngineStopped } from './engine/engineStopped.ts'
export type { FollowOptions, LeaveSignal } from './engine/following.ts'
export {
  type AccountDifference,
  type AccountEnd,
  type FirstDifference,
  type Fork,
  forkLog,
  type RuleChange,
} from './engine/fork.ts'
export type { Genesis } from './engine/genesis.ts'
export { asOf, type Cause, type LifeEvent, lifeOf, type Moment, whyOf } from './engine/inspect.ts'
export {
  createEngine,
  type EngineOptions,
  type MemoryEngineOptions,
  openEngine,
  type StoredEngineOptions,
} from './engine/open.ts'
export type {
  Accepted,
  CloseAllValue,
  FeedOutcome,
  FeedRejection,
  Outcome,
  Rejected,
  ValueOf,
} from './engine/outcome.ts'
export type { PastState } from './engine/pastState.ts'
export type { BlockedProjection } from './engine/projections.ts'
export type {
  AccountsQuery,
  ActiveOrdersQuery,
  ActivePositionsQuery,
  AnswerOf,
  MarketsQuery,
  OrderHistoryQuery,
  PortfolioQuery,
  PositionEventRunsQuery,
  PositionEventsQuery,
  PositionHistoryQuery,
  Query,
  QueryOutcome,
  RiskStatusQuery,
} from './engine/queries.ts'
export type { Recovery, RecoveryProgress } from './engine/recovery.ts'
export type { Listener, Subscription } from './engine/subscriptions.ts'
export { type Divergence, type Verification, type VerifyOptions, verifyLog } from './engine/verify.ts'
export type * from './events/accountEvents.ts'
export type { Breach } from './events/accountEvents.ts'
export type * from './events/apiKeyEvents.ts'
export type * from './events/command.ts'
export type { CausedBy, Commit } from './events/commit.ts'
export type * from './events/engineEvents.ts'
export type { Event, EventType } from './events/event.ts'
export type * from './events/marketEvents.ts'
export type * from './events/orderEvents.ts'
export { PLACEMENT_USES, type Placement, type PlaceOrder, uncheckedOrder } from './events/placeOrder.ts'
export type * from './events/positionEvents.ts'
export type { TickColumns } from './events/tickColumns.ts'
export { HISTORY_FORM } from './history/historyRecords.ts'
export type { AccountRecord, RiskStatus } from './projections/accountRecord.ts'
export { accountRecords, type FoldedAccountRecord } from './projections/accountRecords.ts'
export type { Page, Paging } from './projections/history.ts'
export { type LedgerBalance, ledgerBalances } from './projections/ledgerBalances.ts'
export { type LedgerEntry, ledgerEntries } from './projections/ledgerEntries.ts'
export type { MarketRecord } from './projections/marketRecord.ts'
export {
  type EventOf,
  type Handlers,
  type KeyedTerms,
  type Projection,
  projection,
  type Rows,
  type SingleTerms,
} from './projections/projection.ts'
export type { AccountStanding, LedgerTotals, OpenLevels, Reader } from './projections/reader.ts'
export {
  formatInstant,
  type WireOrder,
  type WirePosition,
  type WirePositionEvent,
  wireOrder,
  wirePosition,
  wirePositionEvent,
} from './projections/wire.ts'
export { formatDecimal, formatPercent, toDecimal } from './quantity/decimal.ts'
export { FP9_MAX_LENGTH, FP9_PATTERN, formatFp9, ONE, parseFp9 } from './quantity/fp9.ts'
export { type Json, toJson } from './quantity/json.ts'
// For whoever sizes an order: what it is worth, costs and needs, rounded as the engine rounds. The other products belong to
// rules of their own, and are theirs.
export { exposureDown, fractionUp, marginUp, notionalDown, sizeDown } from './quantity/products.ts'
export { fp9 } from './quantity/readDecimal.ts'
export type { Base, Leverage, Price, Quote, Rate } from './quantity/units.ts'
export { MemoryStore } from './store/memoryStore.ts'
export type {
  CommitRecords,
  ComparedRecords,
  KeyedRecord,
  RecordReading,
  RecordStore,
} from './store/recordStore.ts'
export {
  CommitsArchived,
  type Snapshot,
  type SnapshotInPieces,
  type SnapshotShelf,
  type Store,
  StoreConflict,
  StoreDamaged,
  type StoreSession,
} from './store/store.ts'
export type { Pace, Turns } from './store/turns.ts'
export type { AccountParameters, AccountType } from './terms/accountParameters.ts'
export type { AccountPhase, AccountStatus, StopReason } from './terms/accountStatus.ts'
export type { CancelReason, CloseReason } from './terms/closeReason.ts'
export type { Direction } from './terms/direction.ts'
export {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  EXECUTION_ERRORS,
  type ExecutionErrorCode,
  type Rejection,
} from './terms/errors.ts'
export type { MarketCategory, MarketParameters } from './terms/marketParameters.ts'
export type { MarketStatus } from './terms/marketStatus.ts'
export type { OrderStatus, SizeMode } from './terms/orderStatus.ts'
export type {
  CloseOrderType,
  IncreaseOrderType,
  OrderType,
  PlaceableOrderType,
} from './terms/orderTypes.ts'
export { ACCOUNT_DEFAULTS, MARKET_DEFAULTS } from './terms/parameterFields.ts'
export type { PositionEventName, PositionStatus } from './terms/positionStatus.ts'
export { VERSION } from './version.ts'
