/**
 * One process at a time in a data directory. The lock is a slot in the reader table of a small LMDB environment, which
 * the operating system vouches for: a process that ends in any way, `kill -9` included, loses it.
 */
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { open } from 'lmdb'

/** Another process, or another store of this one, is at work in the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/** Directories this process holds: the reader table tells processes apart, not stores. */
const held = new Set<string>()

export class DirectoryLock {
  readonly #directory: string
  readonly #environment: ReturnType<typeof open>
  readonly #slot: { done(): void }

  private constructor(directory: string, environment: ReturnType<typeof open>, slot: { done(): void }) {
    this.#directory = directory
    this.#environment = environment
    this.#slot = slot
  }

  /** @throws DirectoryInUse naming who holds it. */
  static async acquire(directory: string): Promise<DirectoryLock> {
    await mkdir(directory, { recursive: true })
    const real = realpathSync(directory)
    if (held.has(real)) throw new DirectoryInUse(`${directory} is in use by this process (${process.pid})`)
    held.add(real)
    let environment: ReturnType<typeof open> | undefined
    try {
      environment = open({ path: path.join(real, 'lock'), mapSize: 1 << 20, noSubdir: false })
      const slot = await take(environment, real)
      return new DirectoryLock(real, environment, slot)
    } catch (error) {
      held.delete(real)
      await environment?.close()
      throw error
    }
  }

  async release(): Promise<void> {
    this.#slot.done()
    await this.#environment.close()
    held.delete(this.#directory)
  }
}

async function take(environment: ReturnType<typeof open>, directory: string): Promise<{ done(): void }> {
  environment.readerCheck()
  const others = () => holders(environment.readerList()).filter((pid) => pid !== process.pid)
  const note = path.join(directory, 'lock', 'holder')
  const refuse = async (pid: number | undefined): Promise<never> => {
    const holder = existsSync(note) ? await readFile(note, 'utf8') : `process ${pid ?? 'unknown'}`
    throw new DirectoryInUse(`${directory} is in use by ${holder}`)
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
  await writeFile(note, `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`)
  return slot
}

/** The process numbers in a reader table as LMDB prints it. */
function holders(table: string): number[] {
  return table
    .split('\n')
    .map((line) => Number(/^\s*([0-9]+)\s+[0-9a-f]+\s+/.exec(line)?.[1]))
    .filter((pid) => pid > 0)
}
