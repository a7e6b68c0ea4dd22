/** A directory in which nothing can be written, as Node and LMDB say it: by name, or by the number on Linux. */

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG', 28, 122, 27])
const FORBIDDEN = new Set<unknown>(['EROFS', 'EACCES', 'EPERM', 30, 13, 1])

/**
 * Why nothing can be written there and what to do about it, in a sentence; null for an error that says something else.
 * What can be read is another question: a directory that nobody may enter is told by the same codes.
 */
export function whyUnwritable(directory: string, error: unknown): string | null {
  const { code, message } = error as NodeJS.ErrnoException
  if (FULL.has(code)) return `the disk under ${directory} is full, make room and start again (${message})`
  if (FORBIDDEN.has(code))
    return `${directory} cannot be written to, make it writable and start again (${message})`
  return null
}
