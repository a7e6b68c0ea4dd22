// Sending what the venue knows no key of: where the answer to an attempt was lost, it is looked whether that was done before more is sent.
import { useRef } from 'preact/hooks'
import { mayBeDone } from './sentences.ts'

/** What to know of it, at a form. */
export const LOOKED_FIRST = 'Sent again, it is looked first whether it was done.'

const DONE_BEFORE = 'What you sent before was done, although no answer came: this has not been sent.'

/** `A`: one attempt, as it is told from any other. */
interface Sending<A> {
  readonly send: (attempt: A) => Promise<unknown>
  readonly wasDone: (attempt: A) => Promise<boolean>
  readonly isSame: (one: A, other: A) => boolean
}

/** Gives what sends an attempt, unless it was done by one before it. */
export function useLostAttempts<A>({ send, wasDone, isSame }: Sending<A>): (attempt: A) => Promise<void> {
  const lost = useRef<A | null>(null)
  return async (attempt) => {
    const before = lost.current
    if (before !== null && (await wasDone(before))) {
      lost.current = null
      if (isSame(before, attempt)) return
      throw new Error(DONE_BEFORE)
    }
    try {
      await send(attempt)
    } catch (error) {
      lost.current = mayBeDone(error) ? attempt : null
      throw error
    }
  }
}
