/** The files of a folder of data, and what lies beside them. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notOpened } from './notOpened.ts'

/** What a path holds that is read. */
export interface DataFiles {
  /** In the order of their names. */
  readonly files: readonly string[]
  /** Names of files that are none of data, by their names. */
  readonly leftOut: readonly string[]
}

/** The note of what was fetched, see `data fetch`. */
export const NOTE = 'SHA256SUMS'

/** Words about data, pictures, programs and what was cut off: no format that is read has such a name. */
const NO_DATA =
  /^(?:readme|licen[cs]e|notice|changelog|sha256sums|makefile)(?:\..*)?$|\.(?:md|markdown|rst|html?|pdf|docx?|xlsx?|png|jpe?g|gif|svg|py|ipynb|[cm]?[jt]s|sh|ya?ml|toml|ini|log|part|sha256|checksum)$/i

/** The files of a path: itself, or those of a folder. @throws FeedError for one that is not there. */
export async function dataFilesOf(path: string | readonly string[]): Promise<DataFiles> {
  if (typeof path !== 'string') return { files: path, leftOut: [] }
  const info = await stat(path).catch((cause: Error) => {
    throw notOpened(path, cause)
  })
  if (!info.isDirectory()) return { files: [path], leftOut: [] }
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort()
  const isData = (name: string) => !NO_DATA.test(name)
  return {
    files: names.filter(isData).map((name) => join(path, name)),
    leftOut: names.filter((name) => !isData(name)),
  }
}

/** As told; `null` where nothing was left out, or the note of what was fetched alone. */
export function leftOutNote(path: string | readonly string[], { leftOut }: DataFiles): string | null {
  const told = leftOut.filter((name) => name !== NOTE)
  if (told.length === 0) return null
  const named =
    told.length > 3 ? `${told.slice(0, 3).join(', ')} and ${told.length - 3} more` : told.join(', ')
  return `${String(path)}: ${named} left out: no data by the name`
}
