/** What the records say of themselves: their form, how far they are, and what there is. */
import type { Part } from './recordTransactions.ts'
import { RecordsDamaged, sealed, type Tally, unsealed } from './sealedRecord.ts'

export interface About {
  /** What their readers call what is in them: of another one they have no use. */
  readonly form: number
  /** The last commit whose changes are written. */
  readonly cursor: number
  /** What is written of the next one; null mostly. */
  readonly part: Part | null
  /** How often they have been opened. */
  readonly opening: number
  /** Of which venue they are, as its directory is known; 0 where an earlier version wrote them. */
  readonly venue: number
  readonly tally: Tally
}

/** The last commit of which anything is written: the log must have it. */
export function newestIn({ cursor, part }: Pick<About, 'cursor' | 'part'>): number {
  return part?.seq ?? cursor
}

/** The first of all keys. */
export const ABOUT_KEY = Buffer.of(0)

const BYTES = 28
/** While a commit is written in parts. */
const BYTES_WITH_PART = 40

export function aboutBytes({ form, cursor, opening, venue, tally, part }: About): Buffer {
  const about = Buffer.alloc(part === null ? BYTES : BYTES_WITH_PART)
  about.writeUInt32LE(form, 0)
  about.writeUIntLE(cursor, 4, 6)
  // Earlier versions had six bytes for a count that never comes near to three, and leave what is above it as it is.
  about.writeUIntLE(opening, 10, 3)
  about.writeUIntLE(venue, 13, 3)
  about.writeUIntLE(tally.records, 16, 6)
  about.writeUIntLE(tally.sum, 22, 6)
  if (part !== null) {
    about.writeUIntLE(part.seq, 28, 6)
    about.writeUIntLE(part.records, 34, 6)
  }
  return sealed(ABOUT_KEY, about)
}

/** Null when it fails its check. */
export function aboutOf(stored: Buffer): About | null {
  try {
    const about = unsealed(ABOUT_KEY, stored)
    const { length } = about
    if (length !== BYTES && length !== BYTES_WITH_PART) return null
    return {
      form: about.readUInt32LE(0),
      cursor: about.readUIntLE(4, 6),
      opening: about.readUIntLE(10, 3),
      venue: about.readUIntLE(13, 3),
      tally: { records: about.readUIntLE(16, 6), sum: about.readUIntLE(22, 6) },
      part: length === BYTES ? null : { seq: about.readUIntLE(28, 6), records: about.readUIntLE(34, 6) },
    }
  } catch (error) {
    if (error instanceof RecordsDamaged) return null
    throw error
  }
}
