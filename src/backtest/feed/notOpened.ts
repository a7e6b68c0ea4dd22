import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { FeedError } from './feedError.ts'

/** Of a data file that could not be opened; one that is not there is told with what lies beside it under its name and an ending more, such as `.gz`. */
export function notOpened(path: string, cause: NodeJS.ErrnoException): FeedError {
  const reason =
    cause.code === 'ENOENT' ? ['there is no such file', ...lyingBeside(path)].join('; ') : cause.message
  return new FeedError(path, null, `the file cannot be opened (${reason})`, { cause })
}

function lyingBeside(path: string): string[] {
  const beginning = `${basename(path)}.`
  try {
    const names = readdirSync(dirname(path)).filter(
      (name) => name.startsWith(beginning) && !name.endsWith('.part'),
    )
    return names.length === 0 ? [] : [`${names.sort().join(', ')} lies beside`]
  } catch {
    return []
  }
}
