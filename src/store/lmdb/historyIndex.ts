/**
 * The history lists in LMDB. Everything here can be built again from the log: losing it costs time only. A batch is one
 * transaction together with the cursor, so that what is kept is always the lists as of one commit.
 */
import { open, type RootDatabase } from 'lmdb'
import { ABOUT_KEY, type About, aboutBytes, aboutOf } from './historyAbout.ts'
import { type HistoryChanges, newestHoles, recordsOf } from './historyChanges.ts'
import { faultOf, removeHistory } from './historyCheck.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { Pace } from './pace.ts'
import { EMPTY_TALLY, sealed, sealOf, type Tally, tallied } from './sealedRecord.ts'
import { type HistoryReading, StoredRecords } from './storedRecords.ts'

/** Of a directory without history lists. */
const NOTHING: About = { cursor: 0, opening: 0, tally: EMPTY_TALLY }

/** What history lists are told to and read from. */
export interface HistoryTarget extends HistoryReading {
  readonly cursor: number
  readonly removed: string | null
  write(changes: readonly HistoryChanges[], cursor: number): Promise<void>
}

/** The lists of a directory, held open. */
export interface OpenedHistory extends HistoryTarget {
  /** How often they have been opened. */
  readonly opening: number
  /**
   * Resolves once the whole file was found sound.
   *
   * @throws HistoryDamaged when it was not: it has been removed, and what it held is no longer served.
   */
  readonly checked: Promise<void>
  close(): Promise<void>
}

export class HistoryIndex extends StoredRecords implements OpenedHistory {
  readonly #root: RootDatabase<Buffer, Buffer>
  cursor: number
  #tally: Tally
  readonly opening: number
  readonly checked = Promise.resolve()
  /** Why what was there had to be removed when the index was opened; null mostly. */
  readonly removed: string | null

  private constructor(
    root: RootDatabase<Buffer, Buffer>,
    { cursor, opening, tally }: About,
    removed: string | null,
  ) {
    super(new LmdbRecords(root))
    this.#root = root
    this.cursor = cursor
    this.#tally = tally
    this.opening = opening + 1
    this.removed = removed
  }

  /** Opens the index in a directory. One that cannot be trusted, or is of another form, is removed first (K8). */
  static async open(path: string): Promise<HistoryIndex> {
    const removed = await faultOf(path)
    if (removed !== null) await removeHistory(path)
    return HistoryIndex.openChecked(path, removed)
  }

  /** Opens the index in a directory that was found sound, or was emptied because of what is `removed`. */
  static async openChecked(path: string, removed: string | null = null): Promise<HistoryIndex> {
    const root = open<Buffer, Buffer>({
      path,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      // Either would make a promise of its own, given to nobody: when a commit fails, that of a batch by turns of the
      // event loop ends the process, and closing waits for that of an overlapping flush for ever.
      eventTurnBatching: false,
      overlappingSync: false,
    })
    const stored = root.get(ABOUT_KEY)
    const about = stored === undefined ? NOTHING : aboutOf(stored)
    if (about === null) throw new Error('the history lists changed while they were opened')
    const index = new HistoryIndex(root, about, removed)
    await committed([root.put(ABOUT_KEY, index.#about(index.cursor, index.#tally))])
    await root.flushed
    return index
  }

  /**
   * Resolves once the changes, which are all up to commit `cursor`, are on the medium.
   */
  async write(changes: readonly HistoryChanges[], cursor: number): Promise<void> {
    const root = this.#root
    const records = await sealedRecords(changes)
    const answers = new Set<Promise<boolean>>()
    let tally = this.#tally
    const put = (key: Buffer, stored: Buffer, replaced?: Buffer) => {
      tally = tallied(tally, sealOf(stored), replaced && sealOf(replaced))
      answers.add(root.put(key, stored))
    }
    const batch = root.batch(() => {
      for (const { key, stored } of records) put(key, stored)
      for (const { key, bytes } of newestHoles(changes)) put(key, sealed(key, bytes), root.get(key))
      answers.add(root.put(ABOUT_KEY, this.#about(cursor, tally)))
    })
    await committed(answers.add(batch))
    await root.flushed
    // Reads of this turn may still be on a view from before the transaction.
    root.resetReadTxn()
    this.cursor = cursor
    this.#tally = tally
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #about(cursor: number, tally: Tally): Buffer {
    return aboutBytes({ cursor, opening: this.opening, tally })
  }
}

/** Most of the work of a write, with turns for others in between; what is left has to be done at once. */
async function sealedRecords(changes: readonly HistoryChanges[]): Promise<{ key: Buffer; stored: Buffer }[]> {
  const pace = new Pace()
  const records: { key: Buffer; stored: Buffer }[] = []
  for (const told of changes) {
    for (const { key, bytes } of recordsOf(told)) records.push({ key, stored: sealed(key, bytes) })
    if (pace.over) await pace.step()
  }
  return records
}

/**
 * A commit that fails is told through every promise it gave out, which are few and shared, and through one more within
 * the error; one that nobody listened to would end the process.
 */
async function committed(answers: Iterable<Promise<boolean>>): Promise<void> {
  try {
    const written = await Promise.all(answers)
    if (written.includes(false)) throw new Error('the history could not be written')
  } catch (error) {
    ;(error as { commitError?: Promise<never> }).commitError?.catch(() => {})
    throw error
  }
}
