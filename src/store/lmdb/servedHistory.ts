/**
 * The history lists from the moment a store is opened. Checking all of a large file would let people wait for seconds a
 * GiB, so it is served while that goes on: read with every bound and seal checked (`pageSearch.ts`), and not written. LMDB
 * gets it once all of it was found sound.
 */
import { stat } from 'node:fs/promises'
import type { CommitRecords, RecordReading } from '../../history/recordStore.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { ABOUT_KEY, type About, aboutOf, newestIn } from './historyAbout.ts'
import { faultOf, historyFile, removeHistory } from './historyCheck.ts'
import { HistoryIndex, type OpenedHistory } from './historyIndex.ts'
import { PageFile, Unsound } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'
import { HistoryDamaged } from './sealedRecord.ts'

/** Opens the lists of a directory; those of up to `checkFirstBytes` are checked before, others meanwhile. */
export async function openHistory(directory: string, checkFirstBytes: number): Promise<OpenedHistory> {
  const found = await stat(historyFile(directory)).catch(() => null)
  if (found === null || found.size <= checkFirstBytes) return HistoryIndex.open(directory)
  const file = openedFile(directory)
  if (file === null) return HistoryIndex.open(directory)
  return new ServedHistory(directory, file.pages, file.about)
}

/** Null: the file does not even say what it is. */
function openedFile(directory: string): { readonly pages: PageFile; readonly about: About } | null {
  let pages: PageFile | null = null
  try {
    pages = new PageFile(historyFile(directory))
    const stored = new PageSearch(pages).get(ABOUT_KEY)
    const about = stored === undefined ? null : aboutOf(stored)
    if (about !== null) return { pages, about }
  } catch (error) {
    if (!(error instanceof Unsound || error instanceof HistoryDamaged)) throw error
  }
  pages?.close()
  return null
}

class ServedHistory implements OpenedHistory {
  readonly removed = null
  readonly opening: number
  readonly newest: number
  readonly checked: Promise<void>
  readonly #closing = new AbortController()
  readonly #index: Promise<HistoryIndex>
  #reading: RecordReading
  #written: HistoryIndex | null = null
  readonly #cursor: number

  constructor(directory: string, file: PageFile, about: About) {
    this.opening = about.opening + 1
    this.newest = newestIn(about)
    this.#cursor = about.cursor
    this.#reading = new CheckedRecords(new PageSearch(file))
    this.#index = this.#check(directory).finally(() => file.close())
    this.checked = this.#index.then(() => {})
    // Who opened the store may not have come to ask for it yet.
    this.checked.catch(() => {})
  }

  /** The last commit whose changes are written. */
  get cursor(): number {
    return this.#written?.cursor ?? this.#cursor
  }

  async #check(directory: string): Promise<HistoryIndex> {
    const fault = await faultOf(directory, this.#closing.signal).catch((error) => {
      this.#reading = unread(error)
      throw error
    })
    if (fault === null) {
      const index = await HistoryIndex.openChecked(directory)
      this.#reading = this.#written = index
      return index
    }
    const damaged = new HistoryDamaged(
      `the history lists are damaged, and are built again at the next start: ${fault}`,
    )
    this.#reading = unread(damaged)
    await removeHistory(directory)
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

/** Lists that can no longer be read, and why. */
function unread(reason: unknown): RecordReading {
  const refuse = (): never => {
    throw reason
  }
  return new CheckedRecords({ get: refuse, lastOf: refuse })
}
