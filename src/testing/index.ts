/** margin-core/testing: generators, laws and contracts for those who build on the engine. */
export { MALFORMED, malformedEdits, malformedOrder } from './aim/malformed.ts'
export type { Input } from './aim/scene.ts'
export { Dice } from './dice.ts'
export { type DriveOptions, drive } from './drive.ts'
export { anIntent, aProgram, type Intent, type IntentKind, type Program } from './intent.ts'
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
