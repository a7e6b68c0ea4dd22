/** The history lists in a directory, compared with what a fold of the log tells: nothing is written. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import type { ComparedHistory, KeptHistory } from '../keptHistory.ts'
import { ABOUT_KEY, aboutOf, newestIn } from './historyAbout.ts'
import {
  type HistoryChanges,
  type HistoryRecord,
  holesKey,
  newestHoles,
  recordsOf,
} from './historyChanges.ts'
import { faultOf } from './historyCheck.ts'
import type { HistoryTarget } from './historyIndex.ts'
import { LmdbRecords } from './keyedRecords.ts'
import { LmdbHistory } from './lmdbHistory.ts'
import { makeLockFileToRead } from './lockFile.ts'
import { PageFile } from './pageFile.ts'
import { HistoryDamaged, sealed } from './sealedRecord.ts'
import { StoredRecords } from './storedRecords.ts'

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
  readonly #target: ComparedTarget
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
    this.#target = new ComparedTarget(new LmdbRecords(this.#root, this.#view))
    this.history = new LmdbHistory(this.#target, (error) => {
      this.#difference ??= error instanceof Error ? error.message : String(error)
    })
  }

  passOverEarlier(): void {
    this.#whole = false
    this.#target.knowsHoles = true
  }

  places(): KeptHistory {
    return new LmdbHistory(this.#target, () => {})
  }

  async result(): Promise<{ readonly records: number; readonly difference: string | null }> {
    await this.history.flushed()
    const { compared } = this.#target
    const difference = this.#difference ?? this.#target.differenceOfHoles()
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

class ComparedTarget extends StoredRecords implements HistoryTarget {
  readonly removed = null
  /** Of every chunk as told last: until the end of the log they become more. */
  readonly #holes = new Map<string, HistoryRecord>()
  #compared = 0
  cursor = 0
  /** Whether holes that were not told are those that are kept. They only become more. */
  knowsHoles = false

  get compared(): number {
    return this.#compared + this.#holes.size
  }

  async write(changes: readonly HistoryChanges[], cursor: number): Promise<void> {
    for (const told of changes)
      for (const record of recordsOf(told)) {
        this.#compare(record)
        this.#compared += 1
      }
    for (const record of newestHoles(changes)) this.#holes.set(record.key.toString('hex'), record)
    this.cursor = cursor
  }

  differenceOfHoles(): string | null {
    try {
      for (const record of this.#holes.values()) this.#compare(record)
      return null
    } catch (error) {
      if (error instanceof HistoryDamaged) return error.message
      throw error
    }
  }

  #compare({ key, bytes }: HistoryRecord): void {
    const stored = this.stored(key)
    if (stored === undefined) throw new HistoryDamaged(`the history record ${key.toString('hex')} is missing`)
    if (!stored.equals(sealed(key, bytes)))
      throw new HistoryDamaged(`the history record ${key.toString('hex')} is not what the log tells`)
  }

  override holes(list: number, chunk: number): Uint8Array | undefined {
    const told = this.#holes.get(holesKey(list, chunk).toString('hex'))?.bytes
    return told ?? (this.knowsHoles ? super.holes(list, chunk) : undefined)
  }
}
