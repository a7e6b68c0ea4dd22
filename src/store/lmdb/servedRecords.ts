/**
 * Records from the moment they are asked for. Checking all of a large file would let people wait for seconds a GiB, so it is
 * served while that goes on: read with every bound and seal checked (`pageSearch.ts`), and not written. LMDB gets it once all
 * of it was found sound.
 */
import { stat } from 'node:fs/promises'
import type { CommitRecords, RecordReading } from '../recordStore.ts'
import { ABOUT_KEY, type About, aboutOf } from './about.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { LOOP_TURNS } from './loopTurns.ts'
import { PageFile, Unsound } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'
import { faultOf, recordFile, removeRecords } from './recordCheck.ts'
import { type OpenedRecords, RecordIndex } from './recordIndex.ts'
import { RecordsDamaged } from './sealedRecord.ts'

/** Opens the records of a directory; those of up to `checkFirstBytes` are checked before, others meanwhile. */
export async function openRecords(
  directory: string,
  form: number,
  checkFirstBytes: number,
): Promise<OpenedRecords> {
  const found = await stat(recordFile(directory)).catch(() => null)
  if (found === null || found.size <= checkFirstBytes) return RecordIndex.open(directory, form)
  const file = openedFile(directory)
  if (file?.about.form === form) return new ServedRecords(directory, file.pages, file.about)
  file?.pages.close()
  return RecordIndex.open(directory, form)
}

/** What the records of a directory say of themselves, before anything of them is trusted; null: nothing. */
export function aboutRecordsIn(directory: string): About | null {
  const file = openedFile(directory)
  file?.pages.close()
  return file?.about ?? null
}

/** Null: the file is not there, or does not even say what it is. */
function openedFile(directory: string): { readonly pages: PageFile; readonly about: About } | null {
  let pages: PageFile | null = null
  let isGiven = false
  try {
    pages = new PageFile(recordFile(directory))
    const stored = new PageSearch(pages).get(ABOUT_KEY)
    const about = stored === undefined ? null : aboutOf(stored)
    isGiven = about !== null
    if (about !== null) return { pages, about }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!(error instanceof Unsound || error instanceof RecordsDamaged || code === 'ENOENT')) throw error
  } finally {
    if (!isGiven) pages?.close()
  }
  return null
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

  constructor(directory: string, file: PageFile, about: About) {
    this.#cursor = about.cursor
    this.#reading = new CheckedRecords(new PageSearch(file))
    this.#index = this.#check(directory, about.form).finally(() => file.close())
    this.checked = this.#index.then(() => {})
    // Whoever asked for them may not have come to ask for it yet.
    this.checked.catch(() => {})
  }

  /** The last commit whose changes are written. */
  get cursor(): number {
    return this.#written?.cursor ?? this.#cursor
  }

  async #check(directory: string, form: number): Promise<RecordIndex> {
    const fault = await faultOf(directory, form, this.#closing.signal).catch((error) => {
      this.#reading = unread(error)
      throw error
    })
    if (fault === null) {
      const index = await RecordIndex.openChecked(directory, form)
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
