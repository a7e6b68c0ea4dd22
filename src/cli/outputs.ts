/**
 * Where a command is to write, and what it needs to be able to: looked at before its work, because what is told after it is told when the
 * work is lost.
 */
import { constants } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { allOf, missingPackages, UsageError } from './failure.ts'

/** Files by the option that names them; those that are not asked for are undefined. */
type Files = Readonly<Record<`--${string}`, string | undefined>>

/** @throws UsageError for every file that could not be written, and where what writes `tables` is not installed. */
export async function mustBeWritable(files: Files, tables: Files = {}): Promise<void> {
  if (Object.values(tables).some((file) => file !== undefined)) mustBeInstalled(TABLES)
  const faults = await Promise.all(
    Object.entries({ ...files, ...tables }).map(async ([option, file]) => {
      const fault = file === undefined ? null : await fileFault(file)
      return fault !== null && `${option} ${file}: ${fault}`
    }),
  )
  if (faults.some((fault) => fault !== false)) throw allOf(...faults)
}

/**
 * The folder may be there where it is empty or holds what was saved before; whatever else is in it would be mixed with what is saved.
 *
 * @throws UsageError for one that cannot be made or written to, and one with files of another kind.
 */
export async function mustTakeFolder(option: string, folder: string, result: string): Promise<void> {
  const found = await stat(folder).catch(() => null)
  if (found === null) return mustHaveRoom(option, folder)
  if (!found.isDirectory()) throw new UsageError(`${option} ${folder}: it is a file; name a folder`)
  if (!(await isWritable(folder))) throw new UsageError(`${option} ${folder}: it may not be written to`)
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes(result))
    throw new UsageError(
      `${option} ${folder}: there are other files in it (${names.sort()[0]}); name an empty folder or a new one`,
    )
}

/** The first folder above that is there is where the others are made. */
async function mustHaveRoom(option: string, folder: string): Promise<void> {
  let above = path.dirname(path.resolve(folder))
  let found = await stat(above).catch(() => null)
  while (found === null && above !== path.dirname(above)) {
    above = path.dirname(above)
    found = await stat(above).catch(() => null)
  }
  if (found?.isDirectory() !== true || !(await isWritable(above)))
    throw new UsageError(`${option} ${folder}: no folder can be made in ${above}`)
}

async function fileFault(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory() === true) return 'it is a folder; name a file'
  if (found !== null) return (await isWritable(file)) ? null : 'it may not be written to'
  const folder = path.dirname(file)
  const around = await stat(folder).catch(() => null)
  if (around?.isDirectory() !== true) return `there is no folder ${folder}`
  return (await isWritable(folder)) ? null : `the folder ${folder} may not be written to`
}

/** What pages with charts, and tables, are made with. @throws UsageError that names what is not installed. */
export function mustBeInstalled(...names: readonly string[]): void {
  const { resolve } = createRequire(import.meta.url)
  const missing = names.filter((name) => {
    try {
      resolve(name)
      return false
    } catch (error) {
      // Of a package that is there but not for `require` another code tells.
      return (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND'
    }
  })
  if (missing.length > 0) throw missingPackages(...missing)
}

/** The packages of what a run prints. */
export const SUMMARY = ['asciichart', 'picocolors'] as const
/** The packages of a run's report. */
export const CHARTS = ['lightweight-charts', 'uplot'] as const
/** The package of tables. */
export const TABLES = 'csv-stringify'

async function isWritable(place: string): Promise<boolean> {
  return access(place, constants.W_OK).then(
    () => true,
    () => false,
  )
}
