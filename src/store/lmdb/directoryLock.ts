/**
 * One process at a time in a data directory. The lock is a slot in the reader table of a small LMDB environment, which
 * the operating system vouches for: a process that ends in any way, `kill -9` included, loses it.
 *
 * A lock can be deleted under the feet of whoever holds it, and then a second process gets one of its own. So every
 * holder puts a note of its own in the place of the one before, and looks whether it is still there: before an append,
 * and after it before anybody is told (K13).
 */
import { realpathSync, statSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { open } from 'lmdb'
import { type Guard, WriterLost } from '../log/commitLog.ts'
import { MAP_BYTES, makeLockData } from './lockData.ts'
import { makeLockFile, noFile } from './lockFile.ts'
import { makeDirectory } from './makeDirectory.ts'

/** Another process, or another store of this one, is at work in the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
  /** Who is, in words: a process, its machine and since when, as far as it is known. */
  readonly holder: string

  constructor(directory: string, holder: string) {
    super(`${directory} is in use by ${holder}: end that first, or name another directory`)
    this.holder = holder
  }
}

/** No longer than a write takes, ms: so much may pass anyhow between the look before it and its end. */
const MOMENT_MS = 1

/** Of a note, bytes: names of hosts have at most 253. */
const LONGEST_NOTE = 400

/** Directories this process holds: the reader table tells processes apart, not stores. */
const held = new Set<string>()

/**
 * Holds a directory against other stores of this process alone; gives the way to let go of it.
 *
 * @throws DirectoryInUse when one of them holds it.
 */
export function holdHere(directory: string): () => void {
  const real = realpathSync(directory)
  if (held.has(real)) throw new DirectoryInUse(directory, `this process (${process.pid})`)
  held.add(real)
  return () => void held.delete(real)
}

export class DirectoryLock implements Guard {
  readonly #directory: string
  readonly #environment: ReturnType<typeof open>
  readonly #slot: { done(): void }
  readonly #notePath: string
  /** The inode of the note. */
  readonly #note: number
  readonly #letGo: () => void
  /** When the note was seen last. */
  #seenAt = Number.NEGATIVE_INFINITY

  private constructor(
    directory: string,
    environment: ReturnType<typeof open>,
    slot: { done(): void },
    note: number,
    letGo: () => void,
  ) {
    this.#directory = directory
    this.#notePath = noteIn(directory)
    this.#environment = environment
    this.#slot = slot
    this.#note = note
    this.#letGo = letGo
  }

  /** @throws DirectoryInUse naming who holds it. */
  static async acquire(directory: string): Promise<DirectoryLock> {
    await makeDirectory(path.join(directory, 'lock'))
    const real = realpathSync(directory)
    const letGo = holdHere(directory)
    let environment: ReturnType<typeof open> | undefined
    try {
      const lock = path.join(real, 'lock')
      await makeLockFile(lock)
      await makeLockData(lock)
      // With overlapping flushes LMDB would look for a third meta page between the two.
      environment = open({ path: lock, mapSize: MAP_BYTES, noSubdir: false, overlappingSync: false })
      const slot = await take(environment, real)
      return new DirectoryLock(real, environment, slot, await leaveNote(real), letGo)
    } catch (error) {
      letGo()
      await environment?.close()
      throw error
    }
  }

  /**
   * Before a write: what was seen after the one before it, if that was a moment ago, need not be looked at again.
   *
   * @throws WriterLost once the directory is gone, or somebody else's.
   */
  before(): void {
    if (performance.now() - this.#seenAt > MOMENT_MS) this.after()
  }

  /** After a write, and anew each time: whoever takes the directory later reads the log after that, and finds it there. */
  after(): void {
    const there = statSync(this.#notePath, { throwIfNoEntry: false })
    if (there?.ino === this.#note) {
      this.#seenAt = performance.now()
      return
    }
    throw new WriterLost(
      there === undefined
        ? `the lock of ${this.#directory} is gone: it was removed, or the directory was moved`
        : `the lock of ${this.#directory} is held by somebody else`,
    )
  }

  async release(): Promise<void> {
    this.#slot.done()
    await this.#environment.close()
    this.#letGo()
  }
}

async function take(environment: ReturnType<typeof open>, directory: string): Promise<{ done(): void }> {
  environment.readerCheck()
  const others = () => holders(environment.readerList()).filter((pid) => pid !== process.pid)
  const note = noteIn(directory)
  const refuse = async (pid: number | undefined): Promise<never> => {
    throw new DirectoryInUse(directory, (await noted(note)) ?? `process ${pid ?? 'unknown'}`)
  }
  const [before] = others()
  if (before !== undefined) await refuse(before)
  let slot: ReturnType<typeof environment.useReadTransaction>
  try {
    slot = environment.useReadTransaction()
    environment.get('', { transaction: slot })
  } catch {
    // Another process with the same number, as in a second container, holds the slot of that number.
    return refuse(process.pid)
  }
  const [rival] = others()
  if (rival !== undefined) {
    slot.done()
    return refuse(rival)
  }
  return slot
}

function noteIn(directory: string): string {
  return path.join(directory, 'lock', 'holder')
}

/** Who says to hold the directory; null where nobody does, or it is no note that was left here. */
async function noted(note: string): Promise<string | null> {
  const found = await stat(note).catch(() => null)
  return found?.isFile() && found.size < LONGEST_NOTE ? readFile(note, 'utf8') : null
}

/** @returns the inode of the note. */
async function leaveNote(directory: string): Promise<number> {
  const note = noteIn(directory)
  if ((await stat(note).catch(() => null))?.isDirectory()) throw noFile(note)
  const mine = `${note}.${process.pid}`
  const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`
  try {
    await writeFile(mine, text, { mode: 0o600 })
    const { ino } = await stat(mine)
    await rename(mine, note)
    return ino
  } catch (error) {
    await rm(mine, { force: true }).catch(() => {})
    throw error
  }
}

/** The process numbers in a reader table as LMDB prints it. */
function holders(table: string): number[] {
  return table
    .split('\n')
    .map((line) => Number(/^\s*([0-9]+)\s+[0-9a-f]+\s+/.exec(line)?.[1]))
    .filter((pid) => pid > 0)
}
