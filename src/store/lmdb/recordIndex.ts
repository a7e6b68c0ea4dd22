/**
 * Records in LMDB. Everything here can be built again from the log: losing it costs time only. Every transaction says with
 * what it writes how far it is in the log, so that what is kept is always that of one commit, and perhaps a part of the next.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import type { CommitRecords, RecordStore } from '../recordStore.ts'
import { ABOUT_KEY, type About, aboutBytes, aboutOf } from './about.ts'
import { aboutRecordsIn } from './aboutRecords.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { makeLockFile } from './lockFile.ts'
import { LOOP_TURNS } from './loopTurns.ts'
import { faultOf, recordFile, removeRecords } from './recordCheck.ts'
import { type Part, type RecordTransaction, transactionsOf } from './recordTransactions.ts'
import { EMPTY_TALLY, sealed, sealOf, type Tally, tallied } from './sealedRecord.ts'
import { whyUnwritable } from './unwritable.ts'
import { ANYBODY, type Whose, whyForeign } from './whose.ts'

/** Of a directory without records. */
const NOTHING: Omit<About, 'form' | 'venue'> = { cursor: 0, part: null, opening: 0, tally: EMPTY_TALLY }

/** Records of a transaction. What it takes to write them is done in one go: some milliseconds. */
const AT_A_TIME = 2_048
/** The same while nobody is held up: the fewer transactions, the fewer pages are written again. */
const AT_A_TIME_RECOVERING = 65_536

/** The records of a directory, held open. */
export interface OpenedRecords extends RecordStore {
  close(): Promise<void>
}

export class RecordIndex extends CheckedRecords implements OpenedRecords {
  readonly #root: RootDatabase<Buffer, Uint8Array>
  readonly #directory: string
  readonly #form: number
  cursor: number
  #part: Part | null
  #tally: Tally
  readonly #opening: number
  readonly #venue: number
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  /** Why what was there had to be removed when the index was opened; null mostly. */
  readonly removed: string | null

  private constructor(
    root: RootDatabase<Buffer, Uint8Array>,
    directory: string,
    { form, cursor, part, opening, venue, tally }: About,
    removed: string | null,
  ) {
    super(new LmdbRecords(root))
    this.#root = root
    this.#directory = directory
    this.#form = form
    this.cursor = cursor
    this.#part = part
    this.#tally = tally
    this.#opening = opening + 1
    this.#venue = venue
    this.removed = removed
  }

  /** Opens the records in a directory. What cannot be trusted, or is of another form or venue, is removed first (K8). */
  static async open(directory: string, form: number, whose: Whose = ANYBODY): Promise<RecordIndex> {
    const removed = (await faultOf(directory, form)) ?? whyForeign(aboutRecordsIn(directory), whose)
    if (removed !== null) await removeRecords(directory)
    return RecordIndex.openChecked(directory, form, whose, removed)
  }

  /** Opens what was found sound and of this form, or was emptied because of what is `removed`. */
  static async openChecked(
    directory: string,
    form: number,
    { venue }: Whose,
    removed: string | null = null,
  ): Promise<RecordIndex> {
    await makeLockFile(directory)
    // LMDB would make it for others to read as well.
    await writeFile(recordFile(directory), '', { flag: 'a', mode: 0o600 })
    const root = open<Buffer, Uint8Array>({
      path: directory,
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
      const about = stored === undefined ? { ...NOTHING, form, venue } : aboutOf(stored)
      if (about?.form !== form) throw new Error('the records changed while they were opened')
      const index = new RecordIndex(root, directory, { ...about, venue }, removed)
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
    try {
      for (const transaction of transactionsOf(changes, cursor, written, atATime)) {
        await new Promise(setImmediate)
        await this.#write(transaction)
      }
    } catch (error) {
      const why = whyUnwritable(path.dirname(this.#directory), error)
      throw why === null ? error : new Error(why)
    }
  }

  async #write(transaction: RecordTransaction): Promise<void> {
    const root = this.#root
    const { records, latest, cursor, part } = transaction
    const answers = new Set<Promise<boolean>>()
    let tally = this.#tally
    const put = (key: Uint8Array, stored: Buffer, replaced?: Buffer) => {
      tally = tallied(tally, sealOf(stored), replaced && sealOf(replaced))
      answers.add(root.put(key, stored))
    }
    const batch = root.batch(() => {
      for (const { key, bytes } of records) put(key, sealed(key, bytes))
      for (const { key, bytes } of latest) put(key, sealed(key, bytes), root.get(key))
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
    return aboutBytes({ form: this.#form, cursor, part, opening: this.#opening, venue: this.#venue, tally })
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
  if (written.includes(false)) throw new Error('the records could not be written')
}

function afterThisTurn<T>(value: T): Promise<T> {
  return new Promise((resolve) => setImmediate(resolve, value))
}
