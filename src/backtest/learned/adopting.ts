/** A context that tells of models which are learned of other bars than its own: those of a strategy that hears late. */
import type { StrategyContext } from '../strategy/strategy.ts'
import type { Learned } from './learned.ts'

export interface AdoptingContext extends StrategyContext {
  /** The model is the strategy's as if it were learned here. */
  adopt(learned: Learned): void
}

export function isAdopting(context: StrategyContext): context is AdoptingContext {
  return 'adopt' in context
}
