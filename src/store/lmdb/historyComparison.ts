/** The history lists in a directory, compared with what a fold of the log tells: nothing is written. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import { RecordedHistory } from '../../history/historyTarget.ts'
import type { CommitRecords, KeyedRecord, RecordStore } from '../../history/recordStore.ts'
import { StoredHistory } from '../../history/storedHistory.ts'
import type { ComparedHistory, KeptHistory } from '../../projections/keptHistory.ts'
import { bufferOver, hexOf } from './bufferOver.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { ABOUT_KEY, aboutOf, newestIn } from './historyAbout.ts'
import { faultOf } from './historyCheck.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { makeLockFileToRead } from './lockFile.ts'
import { PageFile } from './pageFile.ts'
import { HistoryDamaged, sealed } from './sealedRecord.ts'

/** A venue beside us writes now and then, and what is read meanwhile may be half of one and half of another state. */
const ATTEMPTS = 5

/**
 * Opens the history lists of a data directory to be compared; null when there are none.
 *
 * @throws HistoryDamaged when they cannot be trusted, or a venue writes them faster than they can be read.
 */
export async function compareHistory(directory: string): Promise<ComparedHistory | null> {
  const history = path.join(directory, 'history')
  const file = path.join(history, 'data.mdb')
  if ((await stat(file).catch(() => null)) === null) return null
  await makeLockFileToRead(history)
  for (let attempt = 1; ; attempt++) {
    const before = transactionOf(file)
    const fault = await faultOf(history)
    if (fault === null) return new Comparison(history)
    if (transactionOf(file) === before) throw new HistoryDamaged(`the history lists are damaged: ${fault}`)
    if (attempt === ATTEMPTS) throw new HistoryDamaged('the history lists are written while they are checked')
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

class Comparison implements ComparedHistory {
  readonly #root: RootDatabase<Buffer, Buffer>
  /** A venue may go on writing: everything is read as it is now. */
  readonly #view: Transaction
  readonly #target: ComparedRecords
  readonly history: KeptHistory
  readonly upTo: number
  readonly newest: number
  readonly #records: number
  #difference: string | null = null
  #whole = true

  constructor(directory: string) {
    this.#root = open<Buffer, Buffer>({
      path: directory,
      noSubdir: false,
      readOnly: true,
      encoding: 'binary',
      keyEncoding: 'binary',
    })
    this.#view = this.#root.useReadTransaction()
    const stored = this.#root.get(ABOUT_KEY, { transaction: this.#view })
    const about = stored === undefined ? null : aboutOf(stored)
    this.upTo = about?.cursor ?? 0
    this.newest = about === null ? 0 : newestIn(about)
    this.#records = (about?.tally.records ?? 0) - (about?.part?.records ?? 0)
    this.#target = new ComparedRecords(new LmdbRecords(this.#root, this.#view))
    this.history = new StoredHistory(new RecordedHistory(this.#target), (error) => {
      this.#difference ??= error instanceof Error ? error.message : String(error)
    })
  }

  passOverEarlier(): void {
    this.#whole = false
    this.#target.knowsLatest = true
  }

  places(): KeptHistory {
    return new StoredHistory(new RecordedHistory(this.#target), () => {})
  }

  async result(): Promise<{ readonly records: number; readonly difference: string | null }> {
    await this.history.flushed()
    const { compared } = this.#target
    const difference = this.#difference ?? this.#target.differenceOfLatest()
    if (difference === null && this.#whole && compared !== this.#records)
      return {
        records: compared,
        difference: `there are ${this.#records} records where the log tells ${compared}`,
      }
    return { records: compared, difference }
  }

  close(): Promise<void> {
    this.#view.done()
    return this.#root.close()
  }
}

class ComparedRecords extends CheckedRecords implements RecordStore {
  readonly removed = null
  /** Under every key as told last: until the end of the log they change. */
  readonly #latest = new Map<string, KeyedRecord>()
  #compared = 0
  cursor = 0
  /** Whether the latest that was not told is what is kept: the log is told from the middle. */
  knowsLatest = false

  get compared(): number {
    return this.#compared + this.#latest.size
  }

  async write(changes: readonly CommitRecords[], cursor: number): Promise<void> {
    for (const { records, latest } of changes) {
      for (const record of records()) {
        this.#compare(record)
        this.#compared += 1
      }
      for (const record of latest) this.#latest.set(hexOf(record.key), record)
    }
    this.cursor = cursor
  }

  differenceOfLatest(): string | null {
    try {
      for (const record of this.#latest.values()) this.#compare(record)
      return null
    } catch (error) {
      if (error instanceof HistoryDamaged) return error.message
      throw error
    }
  }

  #compare({ key, bytes }: KeyedRecord): void {
    const stored = this.stored(bufferOver(key))
    if (stored === undefined) throw new HistoryDamaged(`the history record ${hexOf(key)} is missing`)
    if (!stored.equals(sealed(key, bytes)))
      throw new HistoryDamaged(`the history record ${hexOf(key)} is not what the log tells`)
  }

  override latest(key: Uint8Array): Uint8Array | undefined {
    const told = this.#latest.get(hexOf(key))?.bytes
    return told ?? (this.knowsLatest ? super.latest(key) : undefined)
  }
}
