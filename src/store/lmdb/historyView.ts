/**
 * The history lists of a directory in which nothing can be written: found sound as a whole, then read without LMDB, which
 * would lock what it reads. What the log tells beyond them stays in memory.
 */

import type { RecordStore } from '../../history/recordStore.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { ABOUT_KEY, type About, aboutOf, newestIn } from './historyAbout.ts'
import { faultOf, historyFile } from './historyCheck.ts'
import { PageFile } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'

export class HistoryView extends CheckedRecords implements RecordStore {
  readonly #file: PageFile
  readonly cursor: number
  /** The last commit of which anything is written: the log must have it. */
  readonly newest: number
  readonly removed = null

  private constructor(file: PageFile, search: PageSearch, about: About) {
    super(search)
    this.#file = file
    this.cursor = about.cursor
    this.newest = newestIn(about)
  }

  /** Null where there are none, or none that can be trusted. */
  static async open(directory: string): Promise<HistoryView | null> {
    let file: PageFile | null = null
    try {
      if ((await faultOf(directory)) !== null) return null
      file = new PageFile(historyFile(directory))
      const search = new PageSearch(file)
      const stored = search.get(ABOUT_KEY)
      const about = stored === undefined ? null : aboutOf(stored)
      if (about !== null) return new HistoryView(file, search, about)
    } catch {
      // They can be done without: the log has it all.
    }
    file?.close()
    return null
  }

  /** Nothing is said to be durable here, so that nobody comes to write. */
  write(): Promise<void> {
    return Promise.reject(new Error('the history lists were opened to be read'))
  }

  close(): void {
    this.#file.close()
  }
}
