import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Why a file that somebody names could not be opened; of one that is not there, what lies beside it under its name and an ending more, such as `.gz`. */
export function whyNotOpened(file: string, { code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' ? ['there is no such file', ...lyingBeside(file)].join('; ') : message
}

function lyingBeside(file: string): string[] {
  const beginning = `${basename(file)}.`
  try {
    const names = readdirSync(dirname(file)).filter(
      (name) => name.startsWith(beginning) && !name.endsWith('.part'),
    )
    return names.length === 0 ? [] : [`${names.sort().join(', ')} lies beside`]
  } catch {
    return []
  }
}
