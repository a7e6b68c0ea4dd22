/** Why a venue has ended the stream of a run for good, in a sentence. */
import type { StreamEnded } from '../../client/index.ts'

const MEANING: Readonly<Record<string, string>> = {
  session_expired: 'the key was revoked or refreshed, or has expired',
  api_trading_not_enabled: 'the account may no longer be used with keys',
  too_many_streams: 'as many are open for this user as may be',
}

/** A venue may have reasons that are not in the table. */
export function streamEndedInWords({ reason }: StreamEnded): string {
  const known = MEANING[reason]
  return `the venue has ended the stream (${reason})${known === undefined ? '' : `: ${known}`}`
}
