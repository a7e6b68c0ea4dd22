/** What went wrong in the learning of a strategy: in which of its functions, and of which model. */

import { thrownText } from '../strategy/thrownText.ts'

/** Thrown out of a bar; the run says whose strategy it was, and when. */
export class LearningFailure extends Error {
  override readonly name = 'LearningFailure'
  /** `label of "direction"` */
  readonly where: string
  /** Whose it is. */
  readonly learned: { readonly name: string }
  /** What was thrown, or a sentence about what was returned. */
  override readonly cause: unknown

  constructor(
    step: 'features' | 'label' | 'fit' | 'predict' | 'scores',
    learned: { readonly name: string },
    cause: unknown,
  ) {
    const where = `${step} of "${learned.name}"`
    super(`${where}: ${thrownText(cause)}`)
    this.where = where
    this.learned = learned
    this.cause = cause
  }
}
