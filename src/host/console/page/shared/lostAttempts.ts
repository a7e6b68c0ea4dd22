// Sending what the venue knows no key of: where the answer to an attempt was lost, it is looked whether that was done before more is sent.
import { mayBeDone } from './sentences.ts'

/** What to know of it, at a form. */
export const LOOKED_FIRST = 'Sent again, it is looked first whether it was done.'

const DONE_BEFORE = 'What you sent before was done, although no answer came: this has not been sent.'

/** `A`: one attempt, as it is told from any other. */
export interface Sending<A> {
  readonly send: (attempt: A) => Promise<unknown>
  readonly wasDone: (attempt: A) => Promise<boolean>
  readonly isSame: (one: A, other: A) => boolean
}

/** The attempts of one form. */
export class LostAttempts<A> {
  #lost: A | null = null

  /** Sends an attempt, unless it was done by the one before it. @throws what sending and looking throw; an Error where another was done. */
  async attempt(attempt: A, { send, wasDone, isSame }: Sending<A>): Promise<void> {
    const before = this.#lost
    if (before !== null && (await wasDone(before))) {
      this.#lost = null
      if (isSame(before, attempt)) return
      throw new Error(DONE_BEFORE)
    }
    try {
      await send(attempt)
      this.#lost = null
    } catch (error) {
      // A refusal says nothing of the one before: that may be why.
      this.#lost = mayBeDone(error) ? attempt : before
      throw error
    }
  }
}
