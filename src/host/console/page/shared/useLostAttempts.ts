// The attempts of a form, for as long as it is open.
import { useRef } from 'preact/hooks'
import { LostAttempts, type Sending } from './lostAttempts.ts'

/** Gives what sends an attempt of the form. */
export function useLostAttempts<A>(sending: Sending<A>): (attempt: A) => Promise<void> {
  const attempts = useRef(new LostAttempts<A>())
  return (attempt) => attempts.current.attempt(attempt, sending)
}
