/** The records in a directory, compared with what a fold of the log tells: nothing is written. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import type { CommitRecords, ComparedRecords, KeyedRecord } from '../recordStore.ts'
import { ABOUT_KEY, aboutOf, newestIn } from './about.ts'
import { bufferOver, hexOf } from './bufferOver.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { makeLockFileToRead } from './lockFile.ts'
import { LOOP_TURNS } from './loopTurns.ts'
import { PageFile } from './pageFile.ts'
import { faultOf, recordFile } from './recordCheck.ts'
import { RecordsDamaged, sealed } from './sealedRecord.ts'

/** A venue beside us writes now and then, and what is read meanwhile may be half of one and half of another state. */
const ATTEMPTS = 5

/**
 * Opens the records of a data directory to be compared; null when there are none. `form` is the version that they have to be of:
 * that of the history lists is {@link HISTORY_FORM}.
 *
 * ```ts
 * await (await openLmdbStore(directory)).close()
 * await recordsToCompare(directory, 1) // → null
 * ```
 *
 * @throws RecordsDamaged when they cannot be trusted, are of another `form`, or a venue writes them faster than they can be
 * read.
 */
export async function recordsToCompare(directory: string, form: number): Promise<ComparedRecords | null> {
  const records = path.join(directory, 'history')
  const file = recordFile(records)
  if ((await stat(file).catch(() => null)) === null) return null
  await makeLockFileToRead(records)
  for (let attempt = 1; ; attempt++) {
    const before = transactionOf(file)
    const fault = await faultOf(records, form)
    if (fault === null) return new Comparison(records)
    if (transactionOf(file) === before)
      throw new RecordsDamaged(`the records beside the log cannot be used: ${fault}`)
    if (attempt === ATTEMPTS)
      throw new RecordsDamaged('the records beside the log are written while they are checked')
  }
}

function transactionOf(file: string): number | null {
  let opened: PageFile | null = null
  try {
    opened = new PageFile(file)
    return opened.meta.transaction
  } catch {
    return null
  } finally {
    opened?.close()
  }
}

class Comparison extends CheckedRecords implements ComparedRecords {
  readonly #root: RootDatabase<Buffer, Buffer>
  /** A venue may go on writing: everything is read as it is now. */
  readonly #view: Transaction
  readonly removed = null
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  readonly upTo: number
  readonly newest: number
  readonly #records: number
  /** Under every key as told last: until the end of the log they change. */
  readonly #latest = new Map<string, KeyedRecord>()
  #compared = 0
  #difference: string | null = null
  #fromTheBeginning = true
  cursor = 0

  constructor(directory: string) {
    const root = open<Buffer, Buffer>({
      path: directory,
      noSubdir: false,
      readOnly: true,
      encoding: 'binary',
      keyEncoding: 'binary',
    })
    const view = root.useReadTransaction()
    super(new LmdbRecords(root, view))
    this.#root = root
    this.#view = view
    const stored = root.get(ABOUT_KEY, { transaction: view })
    const about = stored === undefined ? null : aboutOf(stored)
    this.upTo = about?.cursor ?? 0
    this.newest = about === null ? 0 : newestIn(about)
    this.#records = (about?.tally.records ?? 0) - (about?.part?.records ?? 0)
  }

  passOverEarlier(): void {
    this.#fromTheBeginning = false
  }

  async write(changes: readonly CommitRecords[], cursor: number): Promise<void> {
    for (const told of changes) {
      for (const record of told.records()) {
        this.#compare(record)
        this.#compared += 1
      }
      for (const record of told.latest) this.#latest.set(hexOf(record.key), record)
    }
    this.cursor = cursor
  }

  /** The latest that was not told is what is kept, where the log is told from the middle. */
  override latest(key: Uint8Array): Uint8Array | undefined {
    const told = this.#latest.get(hexOf(key))?.bytes
    return told ?? (this.#fromTheBeginning ? undefined : super.latest(key))
  }

  result(): { readonly records: number; readonly difference: string | null } {
    for (const record of this.#latest.values()) this.#compare(record)
    const records = this.#compared + this.#latest.size
    if (this.#difference === null && this.#fromTheBeginning && records !== this.#records)
      this.#difference = `there are ${this.#records} records where the log tells ${records}`
    return { records, difference: this.#difference }
  }

  close(): Promise<void> {
    this.#view.done()
    return this.#root.close()
  }

  #compare({ key, bytes }: KeyedRecord): void {
    const stored = this.stored(bufferOver(key))
    if (stored === undefined) this.#difference ??= `the record ${hexOf(key)} is missing`
    else if (!stored.equals(sealed(key, bytes)))
      this.#difference ??= `the record ${hexOf(key)} is not what the log tells`
  }
}
