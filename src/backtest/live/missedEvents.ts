/** What happened to an account between two runs, from the venue's log: who is killed with an order out is to hear of its fill. */
import type { StreamMessage, VenueStream } from '../../client/index.ts'
import type { JournalHead } from './journal.ts'

/** The messages of orders and positions that a head lacks, up to a commit; null where the venue can no longer tell. */
export async function missedEvents(
  streamFrom: (from: number) => VenueStream,
  head: JournalHead,
  until: number,
): Promise<StreamMessage[] | null> {
  const missed: StreamMessage[] = []
  let known = head.events
  for await (const message of streamFrom(head.seq - 1)) {
    if (message.type === 'snapshot') return null
    // How the accounts are comes after all that happened.
    if (message.type === 'account') break
    if ((message.type !== 'order' && message.type !== 'position') || message.seq > until) continue
    if (message.seq === head.seq && known-- > 0) continue
    missed.push(message)
  }
  return missed
}
