/** What the records of a directory say of themselves, read without LMDB and before anything of them is trusted. */
import { ABOUT_KEY, type About, aboutOf } from './about.ts'
import { PageFile, Unsound } from './pageFile.ts'
import { PageSearch } from './pageSearch.ts'
import { recordFile } from './recordCheck.ts'
import { RecordsDamaged } from './sealedRecord.ts'

/** Null: nothing. */
export function aboutRecordsIn(directory: string): About | null {
  const file = openedFile(directory)
  file?.pages.close()
  return file?.about ?? null
}

/** Null: the file is not there, or does not even say what it is. */
export function openedFile(directory: string): { readonly pages: PageFile; readonly about: About } | null {
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
