/**
 * Records from the moment they are asked for. Checking all of a large file would let people wait for seconds a GiB, so it is
 * served while that goes on: read with every bound and seal checked (`pageSearch.ts`), and not written. LMDB gets it once all
 * of it was found sound.
 */
import { stat } from 'node:fs/promises'
import type { CommitRecords, RecordReading } from '../recordStore.ts'
import type { About } from './about.ts'
import { openedFile } from './aboutRecords.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { LOOP_TURNS } from './loopTurns.ts'
import type { PageFile } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'
import { faultOf, recordFile, removeRecords } from './recordCheck.ts'
import { type OpenedRecords, RecordIndex } from './recordIndex.ts'
import { RecordsDamaged } from './sealedRecord.ts'
import { ANYBODY, type Whose, whyForeign } from './whose.ts'

/** Opens the records of a directory; those of up to `checkFirstBytes` are checked before, others meanwhile. */
export async function openRecords(
  directory: string,
  form: number,
  checkFirstBytes: number,
  whose: Whose = ANYBODY,
): Promise<OpenedRecords> {
  const found = await stat(recordFile(directory)).catch(() => null)
  if (found === null || found.size <= checkFirstBytes) return RecordIndex.open(directory, form, whose)
  const file = openedFile(directory)
  if (file?.about.form === form && whyForeign(file.about, whose) === null)
    return new ServedRecords(directory, file.pages, file.about, whose)
  file?.pages.close()
  return RecordIndex.open(directory, form, whose)
}

class ServedRecords implements OpenedRecords {
  readonly removed = null
  readonly checked: Promise<void>
  readonly turns = LOOP_TURNS
  readonly #closing = new AbortController()
  readonly #index: Promise<RecordIndex>
  #reading: RecordReading
  #written: RecordIndex | null = null
  readonly #cursor: number

  constructor(directory: string, file: PageFile, about: About, whose: Whose) {
    this.#cursor = about.cursor
    this.#reading = new CheckedRecords(new PageSearch(file))
    this.#index = this.#check(directory, about.form, whose).finally(() => file.close())
    this.checked = this.#index.then(() => {})
    // Whoever asked for them may not have come to ask for it yet.
    this.checked.catch(() => {})
  }

  /** The last commit whose changes are written. */
  get cursor(): number {
    return this.#written?.cursor ?? this.#cursor
  }

  async #check(directory: string, form: number, whose: Whose): Promise<RecordIndex> {
    const fault = await faultOf(directory, form, this.#closing.signal).catch((error) => {
      this.#reading = unread(error)
      throw error
    })
    if (fault === null) {
      const index = await RecordIndex.openChecked(directory, form, whose)
      this.#reading = this.#written = index
      return index
    }
    const damaged = new RecordsDamaged(
      `the records beside the log are damaged, and are built again at the next start: ${fault}`,
    )
    this.#reading = unread(damaged)
    await removeRecords(directory)
    throw damaged
  }

  async write(changes: readonly CommitRecords[], cursor: number, recovering = false): Promise<void> {
    await (await this.#index).write(changes, cursor, recovering)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const index = await this.#index.catch(() => null)
    await index?.close()
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#reading.get(key)
  }

  latest(key: Uint8Array): Uint8Array | undefined {
    return this.#reading.latest(key)
  }

  lastOf(after: Uint8Array, upTo: Uint8Array, limit: number): ReturnType<RecordReading['lastOf']> {
    return this.#reading.lastOf(after, upTo, limit)
  }
}

/** Records that can no longer be read, and why. */
function unread(reason: unknown): RecordReading {
  const refuse = (): never => {
    throw reason
  }
  return new CheckedRecords({ get: refuse, lastOf: refuse })
}
