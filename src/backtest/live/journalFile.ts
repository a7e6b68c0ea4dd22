/**
 * The journal of a live run on disk. Lines are only ever added: a process that is killed leaves a whole journal, but for a last
 * line that is torn. A file that has grown to its bound is closed under a number and the next one begins with how everything
 * stands, so that each can be read without those before it.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { mustBeRegularNow } from '../../files/regularFile.ts'
import type { JournalBegin, JournalEntry, JournalHead } from './journal.ts'
import { headAfter } from './journalHead.ts'
import { journalLine } from './journalText.ts'

/** How much a file may hold, bytes, unless told otherwise. */
const PART_BYTES = 64 * 1_048_576

/** How large a journal may grow. */
export interface JournalBounds {
  /** Bytes of a file at which the next one begins. Default 64 MiB. */
  readonly partBytes?: number
  /** Files that are kept, the one being written included; the oldest go first. Default: all. */
  readonly parts?: number
}

const NEWLINE = 10

export class JournalFile {
  readonly #file: string
  readonly #partBytes: number
  readonly #parts: number
  /** What a further file begins with. */
  readonly #stand: (head: JournalHead | null) => JournalBegin
  #head: JournalHead | null = null
  #descriptor: number
  #bytes: number

  /** Goes on with a file, or makes it. @throws NoRegularFile for a pipe, a socket or a device; what the file system throws. */
  constructor(
    file: string,
    stand: (head: JournalHead | null) => JournalBegin,
    { partBytes = PART_BYTES, parts = Number.POSITIVE_INFINITY }: JournalBounds = {},
  ) {
    this.#file = file
    this.#stand = stand
    this.#partBytes = partBytes
    this.#parts = parts
    mustBeRegularNow(file)
    this.#descriptor = openSync(file, 'a+')
    this.#bytes = fstatSync(this.#descriptor).size
    // What a killed process left torn stays a line of its own.
    if (this.#bytes > 0 && !this.#endsWithNewline()) this.#write('\n')
  }

  /** It is the system's once this returns: that of a killed process is not lost. */
  add(entry: JournalEntry): void {
    this.#head = headAfter(this.#head, entry)
    this.#write(journalLine(entry))
    if (this.#bytes < this.#partBytes) return
    closeSync(this.#descriptor)
    const numbers = partNumbers(this.#file)
    renameSync(this.#file, partName(this.#file, (numbers.at(-1) ?? 0) + 1))
    this.#descriptor = openSync(this.#file, 'a+')
    this.#bytes = 0
    const numbered = partNumbers(this.#file)
    for (const number of numbered.slice(0, Math.max(0, numbered.length + 1 - this.#parts)))
      rmSync(partName(this.#file, number))
    this.#write(journalLine(this.#stand(this.#head)))
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #write(line: string): void {
    const bytes = Buffer.from(line)
    let written = 0
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written)
    this.#bytes += bytes.length
  }

  #endsWithNewline(): boolean {
    const last = Buffer.alloc(1)
    readSync(this.#descriptor, last, 0, 1, this.#bytes - 1)
    return last[0] === NEWLINE
  }
}

/** `live.jsonl` is `live.000001.jsonl` once it is closed. */
function partName(file: string, number: number): string {
  const { dir, name, ext } = path.parse(file)
  return path.join(dir, `${name}.${String(number).padStart(6, '0')}${ext}`)
}

/** Numbers of the closed files, ascending. */
function partNumbers(file: string): number[] {
  const { dir, name, ext } = path.parse(file)
  const numbers = readdirSync(dir === '' ? '.' : dir).flatMap((found) => {
    if (!found.startsWith(`${name}.`) || !found.endsWith(ext)) return []
    const number = found.slice(name.length + 1, found.length - ext.length)
    return /^[0-9]{6,}$/.test(number) ? [Number(number)] : []
  })
  return numbers.sort((one, other) => one - other)
}

/** All files of a journal there are, in the order of their time. */
export function journalParts(file: string): string[] {
  return [...partNumbers(file).map((number) => partName(file, number)), file]
}
