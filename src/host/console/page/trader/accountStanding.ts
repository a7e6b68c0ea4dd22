// Whether an account trades, in a sentence for whoever looks at it.
import type { ApiStreamedAccount } from '../../../../client/venueStream.ts'
import { words } from '../shared/names.ts'

export type AccountStanding = Pick<ApiStreamedAccount, 'status' | 'currentPhase' | 'locked' | 'loaded'>

/** Null where it trades like any other. */
export function obstacleTo({ status, currentPhase, locked, loaded }: AccountStanding): string | null {
  if (!loaded) return 'The account is not loaded by the trading engine now: nothing can be done on it.'
  if (status === 'frozen') return 'The account is frozen: it trades again when the next day begins.'
  if (status !== 'active')
    return `The account has ${status === 'failed' ? 'failed' : 'been closed'}: it trades no more.`
  if (currentPhase === null) return 'The account is in no phase that trades.'
  return locked
    ? 'The account is locked: positions can be closed, not opened, increased or given margin.'
    : null
}

/** Its phase, or why it is in none that trades. */
export function standingName({ status, currentPhase }: AccountStanding): string {
  return words(status === 'active' ? (currentPhase ?? status) : status)
}
