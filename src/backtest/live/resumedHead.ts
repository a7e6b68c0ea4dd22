/** What of an earlier run goes on. */
import type { PartLedger } from '../portfolio/partLedger.ts'
import type { JournalHead } from './journal.ts'
import { headAfter } from './journalHead.ts'
import { readJournal } from './readJournal.ts'

/**
 * Reads what an earlier run has left, and tells the ledger of a portfolio whose orders and shares are whose.
 *
 * @throws JournalError for a file that is no journal.
 */
export async function resumedHead(file: string, parts: PartLedger | undefined): Promise<JournalHead | null> {
  let head: JournalHead | null = null
  for await (const entry of readJournal(file)) {
    head = headAfter(head, entry)
    if (parts === undefined) continue
    if (entry.type === 'asked' && entry.orderId !== null && entry.part !== undefined)
      parts.restored(entry.part, entry.orderId)
    if (entry.type !== 'event') continue
    if (entry.part !== undefined && 'orderId' in entry.event) parts.restored(entry.part, entry.event.orderId)
    parts.add(entry.event, entry.at)
  }
  return head
}
