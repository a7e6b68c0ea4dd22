/**
 * The records of a directory in which nothing can be written: found sound as a whole, then read without LMDB, which
 * would lock what it reads. What the log tells beyond them stays in memory.
 */

import type { RecordStore } from '../recordStore.ts'
import { ABOUT_KEY, type About, aboutOf } from './about.ts'
import { CheckedRecords } from './checkedRecords.ts'
import { LOOP_TURNS } from './loopTurns.ts'
import { PageFile } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'
import { faultOf, recordFile } from './recordCheck.ts'

export class RecordView extends CheckedRecords implements RecordStore {
  readonly #file: PageFile
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  readonly cursor: number
  readonly removed = null

  private constructor(file: PageFile, search: PageSearch, about: About) {
    super(search)
    this.#file = file
    this.cursor = about.cursor
  }

  /** Null where there are none of this form, or none that can be trusted. */
  static async open(directory: string, form: number): Promise<RecordView | null> {
    let file: PageFile | null = null
    try {
      if ((await faultOf(directory, form)) !== null) return null
      file = new PageFile(recordFile(directory))
      const search = new PageSearch(file)
      const stored = search.get(ABOUT_KEY)
      const about = stored === undefined ? null : aboutOf(stored)
      if (about !== null) return new RecordView(file, search, about)
    } catch {
      // They can be done without: the log has it all.
    }
    file?.close()
    return null
  }

  /** Nothing is said to be durable here, so that nobody comes to write. */
  write(): Promise<void> {
    return Promise.reject(new Error('the records were opened to be read'))
  }

  close(): void {
    this.#file.close()
  }
}
