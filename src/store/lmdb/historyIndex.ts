/**
 * The history lists in LMDB. Everything here can be built again from the log: losing it costs time only. Every transaction
 * says with what it writes how far the lists are, so that what is kept is always the lists as of one commit, and perhaps a
 * part of the next.
 */
import { open, type RootDatabase } from 'lmdb'
import type { CommitRecords, RecordStore } from '../../history/recordStore.ts'
import { bufferOver } from './bufferOver.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { ABOUT_KEY, type About, aboutBytes, aboutOf, newestIn } from './historyAbout.ts'
import { faultOf, removeHistory } from './historyCheck.ts'
import { type HistoryTransaction, type Part, transactionsOf } from './historyTransactions.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { makeLockFile } from './lockFile.ts'
import { EMPTY_TALLY, sealed, sealOf, type Tally, tallied } from './sealedRecord.ts'

/** Of a directory without history lists. */
const NOTHING: About = { cursor: 0, part: null, opening: 0, tally: EMPTY_TALLY }

/** Records of a transaction. What it takes to write them is done in one go: some milliseconds. */
const AT_A_TIME = 2_048
/** The same while nobody is held up: ids are spread evenly, so of few records each writes a page of its own. */
const AT_A_TIME_RECOVERING = 65_536

/** The lists of a directory, held open. */
export interface OpenedHistory extends RecordStore {
  /** How often they have been opened. */
  readonly opening: number
  /** The last commit of which anything was written when they were opened: the log must have it. */
  readonly newest: number
  /**
   * Resolves once the whole file was found sound.
   *
   * @throws HistoryDamaged when it was not: it has been removed, and what it held is no longer served.
   */
  readonly checked: Promise<void>
  close(): Promise<void>
}

export class HistoryIndex extends CheckedRecords implements OpenedHistory {
  readonly #root: RootDatabase<Buffer, Buffer>
  cursor: number
  #part: Part | null
  #tally: Tally
  readonly opening: number
  readonly newest: number
  readonly checked = Promise.resolve()
  /** Why what was there had to be removed when the index was opened; null mostly. */
  readonly removed: string | null

  private constructor(
    root: RootDatabase<Buffer, Buffer>,
    { cursor, part, opening, tally }: About,
    removed: string | null,
  ) {
    super(new LmdbRecords(root))
    this.#root = root
    this.cursor = cursor
    this.#part = part
    this.#tally = tally
    this.opening = opening + 1
    this.newest = newestIn({ cursor, part })
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
    await makeLockFile(path)
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
    try {
      const stored = root.get(ABOUT_KEY)
      const about = stored === undefined ? NOTHING : aboutOf(stored)
      if (about === null) throw new Error('the history lists changed while they were opened')
      const index = new HistoryIndex(root, about, removed)
      await committed([root.put(ABOUT_KEY, index.#about(about, about.tally))])
      await root.flushed
      return index
    } catch (error) {
      await root.close()
      throw error
    }
  }

  /** Resolves once the changes, which are all up to commit `cursor`, are on the medium. */
  async write(changes: readonly CommitRecords[], cursor: number, recovering = false): Promise<void> {
    const written = { cursor: this.cursor, part: this.#part }
    const atATime = recovering ? AT_A_TIME_RECOVERING : AT_A_TIME
    for (const transaction of transactionsOf(changes, cursor, written, atATime)) {
      await new Promise(setImmediate)
      await this.#write(transaction)
    }
  }

  async #write(transaction: HistoryTransaction): Promise<void> {
    const root = this.#root
    const { records, latest, cursor, part } = transaction
    const answers = new Set<Promise<boolean>>()
    let tally = this.#tally
    const put = (key: Uint8Array, stored: Buffer, replaced?: Buffer) => {
      tally = tallied(tally, sealOf(stored), replaced && sealOf(replaced))
      answers.add(root.put(bufferOver(key), stored))
    }
    const batch = root.batch(() => {
      for (const { key, bytes } of records) put(key, sealed(key, bytes))
      for (const { key, bytes } of latest) put(key, sealed(key, bytes), root.get(bufferOver(key)))
      answers.add(root.put(ABOUT_KEY, this.#about(transaction, tally)))
    })
    await committed(answers.add(batch))
    await root.flushed
    // Reads of this turn may still be on a view from before the transaction.
    root.resetReadTxn()
    this.cursor = cursor
    this.#part = part
    this.#tally = tally
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #about({ cursor, part }: Pick<About, 'cursor' | 'part'>, tally: Tally): Buffer {
    return aboutBytes({ cursor, part, opening: this.opening, tally })
  }
}

/**
 * A commit that fails is told through every promise it gave out, which are few and shared; why, through one more within
 * the error, in the same turn. That one would end the process if nobody listened to it.
 */
async function committed(answers: Iterable<Promise<boolean>>): Promise<void> {
  let written: boolean[]
  try {
    written = await Promise.all(answers)
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> }
    if (commitError === undefined) throw error
    throw await Promise.race([commitError.catch((reason: unknown) => reason), afterThisTurn(error)])
  }
  if (written.includes(false)) throw new Error('the history could not be written')
}

function afterThisTurn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value))
}
