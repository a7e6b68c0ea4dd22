/** A strategy that threw: which, in what it was told, when, and where in its file. */

import { LearningFailure } from '../learned/learningFailure.ts'
import { moment } from '../output/presentation.ts'
import type { Strategy } from '../strategy/strategy.ts'
import { thrownText } from '../strategy/thrownText.ts'

/** The hooks of a strategy. */
export type Hook = Exclude<keyof Strategy, 'name'>

/** Thrown by a run whose strategy threw; `cause` is what it threw. */
export class StrategyFailure extends Error {
  override readonly name = 'StrategyFailure'
  /** Epoch ms of the price, or of the end of the bar. */
  readonly at: number

  constructor(strategy: string, hook: Hook, at: number, thrown: unknown) {
    const { where, cause } = thrown instanceof LearningFailure ? thrown : { where: hook, cause: thrown }
    super(`the strategy "${strategy}" failed in ${where} at ${moment(at)} UTC: ${thrownText(cause)}`, {
      cause,
    })
    this.at = at
  }
}
