/**
 * Files whose names come from others: from a saved run, a study, a directory that somebody sent. Whoever opens a pipe waits for
 * a writer, and a device may be read without end; so neither is opened.
 */
import { type Stats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

/** A name that leads to a pipe, a socket or a device. */
export class NoRegularFile extends Error {
  override readonly name = 'NoRegularFile'
}

/**
 * Whether a name may be opened. One that leads nowhere, or to a directory, is for whoever opens it to tell.
 *
 * @throws NoRegularFile for what is neither a file nor a directory.
 */
export async function mustBeRegular(file: string): Promise<void> {
  refuse(file, await stat(file).catch(() => null))
}

/** {@link mustBeRegular}, at once. */
export function mustBeRegularNow(file: string): void {
  let found: Stats | undefined
  try {
    found = statSync(file, { throwIfNoEntry: false })
  } catch {
    // Opening it will say why.
  }
  refuse(file, found ?? null)
}

function refuse(file: string, found: Stats | null): void {
  if (found === null || found.isFile() || found.isDirectory()) return
  const kind = found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device'
  throw new NoRegularFile(`${file} is ${kind}, not a file`)
}
