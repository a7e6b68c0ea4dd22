/** How far a journal has told its venue's log. */
import type { JournalEntry, JournalHead } from './journal.ts'

/** The head after a further entry. */
export function headAfter(head: JournalHead | null, entry: JournalEntry): JournalHead | null {
  switch (entry.type) {
    case 'run':
    case 'bar':
      return entry.head ?? head
    case 'event': {
      const { seq } = entry
      return { seq, events: seq === head?.seq ? head.events + 1 : 1 }
    }
    default:
      return head
  }
}
