/** What the history lists say of themselves: their form, how far they are, and what they hold. */
import { HISTORY_FORM } from './historyRecords.ts'
import { HistoryDamaged, sealed, type Tally, unsealed } from './sealedRecord.ts'

export interface About {
  /** The last commit whose changes are written. */
  readonly cursor: number
  /** How often the lists have been opened. */
  readonly opening: number
  readonly tally: Tally
}

/** The first of all keys. */
export const ABOUT_KEY = Buffer.of(0)

const BYTES = 28

export function aboutBytes({ cursor, opening, tally }: About): Buffer {
  const about = Buffer.alloc(BYTES)
  about.writeUInt32LE(HISTORY_FORM, 0)
  about.writeUIntLE(cursor, 4, 6)
  about.writeUIntLE(opening, 10, 6)
  about.writeUIntLE(tally.records, 16, 6)
  about.writeUIntLE(tally.sum, 22, 6)
  return sealed(ABOUT_KEY, about)
}

/** Null when it fails its check, or lists of another form are behind it. */
export function aboutOf(stored: Buffer): About | null {
  try {
    const about = unsealed(ABOUT_KEY, stored)
    if (about.length !== BYTES || about.readUInt32LE(0) !== HISTORY_FORM) return null
    return {
      cursor: about.readUIntLE(4, 6),
      opening: about.readUIntLE(10, 6),
      tally: { records: about.readUIntLE(16, 6), sum: about.readUIntLE(22, 6) },
    }
  } catch (error) {
    if (error instanceof HistoryDamaged) return null
    throw error
  }
}
