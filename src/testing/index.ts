/** margin-core/testing: generators, laws and contracts for those who build on the engine. */
export { MALFORMED, malformedEdits, malformedOrder } from './aim/malformed.ts'
export type { Input } from './aim/scene.ts'
export {
  type Answer,
  type Asker,
  CASES,
  type Case,
  type ConformanceOptions,
  type ConformanceProgress,
  type ConformanceReport,
  conformance,
  conformanceText,
  type Difference,
  type Exchange,
  type Failure,
  type HostAddress,
  NOT_ASKED,
  NoAnswer,
  NotAskable,
  RULES,
  type RuleId,
  type RuleReport,
  type Script,
  type Stage,
  type Step,
} from './conformance/index.ts'
export { Dice } from './dice.ts'
export { type DriveOptions, drive } from './drive.ts'
export { anIntent, aProgram } from './intent.ts'
export type { Intent, IntentKind, Program } from './kinds.ts'
export {
  type Bus,
  type CommandObservation,
  type EventObservation,
  type Law,
  LawBroken,
  type RunObservation,
  type Watch,
} from './law.ts'
export { type LawfulBus, type LawfulOptions, lawful, type Witness } from './lawful.ts'
export { LAWS } from './laws/index.ts'
export { Model } from './model.ts'
export type { ModelAccount, ModelMarket, ModelOrder, ModelPosition } from './modelState.ts'
export { EDGES, Reach, type ReachCounts } from './reach.ts'
export { type RecordFeature, type RecordStoreMaker, recordFeatures } from './recordFeatures.ts'
export { SimpleTriggers } from './simpleTriggers.ts'
export {
  commitsOf,
  type StoreFeature,
  type StoreMaker,
  sampleCommit,
  sampleCommits,
  storeFeatures,
} from './storeFeatures.ts'
export {
  ORDER_TRANSITIONS,
  type OrderState,
  POSITION_TRANSITIONS,
  type PositionState,
} from './transitions.ts'
export { VENUE_ACCOUNTS, VENUE_MARKETS, VENUE_OPENS_AT, VENUE_PLANS, venue } from './venue.ts'
