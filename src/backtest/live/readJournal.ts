/** A journal read again, over all of its files. */
import { existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { mustBeRegular } from '../../files/regularFile.ts'
import type { JournalEntry } from './journal.ts'
import { journalParts } from './journalFile.ts'
import { JournalError, journalEntry } from './journalText.ts'

/** A line that was torn when its process was killed, and is left out. */
export interface TornLine {
  readonly file: string
  /** 1-based. */
  readonly line: number
}

/**
 * The entries in the order they were written. A line that cannot be read is torn where it is the last, or where a run begins after
 * it: `onTorn` is told.
 *
 * @throws JournalError for a file that is missing, a folder or empty, and naming a line that is neither an entry nor torn; NoRegularFile
 * for a pipe, a socket or a device.
 */
export async function* readJournal(
  file: string,
  onTorn: (torn: TornLine) => void = () => {},
): AsyncGenerator<JournalEntry> {
  if (!existsSync(file)) throw new JournalError(`${file}: there is no such journal`)
  if (statSync(file).isDirectory())
    throw new JournalError(`${file}: a journal is a file, and this is a folder`)
  let torn: (TornLine & { readonly why: string }) | null = null
  let entries = 0
  for (const part of journalParts(file)) {
    await mustBeRegular(part)
    let line = 0
    for await (const text of linesOf(part)) {
      line += 1
      const read = entryOf(text)
      const entry = read instanceof JournalError ? null : read
      // A run that was killed before it had begun leaves two in a row.
      if (torn !== null && entry !== null && entry.type !== 'run')
        throw new JournalError(`${torn.file}:${torn.line}: ${torn.why}`)
      if (torn !== null) onTorn({ file: torn.file, line: torn.line })
      torn = read instanceof JournalError ? { file: part, line, why: read.message } : null
      if (entry === null) continue
      if (entries === 0 && entry.type !== 'run')
        throw new JournalError(`${part}:${line}: a journal begins with a run, and this with ${entry.type}`)
      entries += 1
      yield entry
    }
  }
  if (torn !== null) onTorn({ file: torn.file, line: torn.line })
  if (entries === 0)
    throw new JournalError(
      `${file}: ${torn === null ? 'the journal is empty' : 'no line of it is an entry of a journal'}`,
    )
}

/** Closed before whoever reads goes on, and where they read no further. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const opened = await open(file)
  try {
    yield* opened.readLines({ autoClose: false })
  } finally {
    await opened.close()
  }
}

function entryOf(text: string): JournalEntry | JournalError {
  try {
    return journalEntry(text)
  } catch (error) {
    if (error instanceof JournalError) return error
    throw error
  }
}
