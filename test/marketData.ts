/** Recorded market data for tests: never part of the project, read from a folder beside it where there is one. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

const FOLDER = process.env.MARGIN_CORE_DATA ?? resolve(import.meta.dirname, '../../shared/data')

/** The path of a data file, or null where it is not there. */
export function dataFile(...path: string[]): string | null {
  const file = join(FOLDER, ...path)
  return existsSync(file) ? file : null
}

/** For the name of a test that is skipped without it. */
export const NEEDS_DATA = 'needs market data: set MARGIN_CORE_DATA to its folder'
