/** margin-core/testing: generators, laws and contracts for those who build on the engine. */
export { SimpleTriggers } from './simpleTriggers.ts'
export {
  commitsOf,
  type StoreFeature,
  type StoreMaker,
  sampleCommit,
  sampleCommits,
  storeFeatures,
} from './storeFeatures.ts'
