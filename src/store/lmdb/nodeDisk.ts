/** A directory of the operating system's file system. */
import { createHash, randomBytes } from 'node:crypto'
import { constants, statSync, write } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { mustBeRegular } from '../../files/regularFile.ts'
import { Sha256 } from '../../hashes/sha256.ts'
import type { Disk, DiskFile } from '../log/disk.ts'
import { makeDirectory } from './makeDirectory.ts'

/**
 * On Linux a write that returns only when it is on the medium: one trip to the operating system instead of two. Elsewhere
 * the flag is missing, or weaker than a flush.
 */
export const WRITES_THROUGH = process.platform === 'linux'
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
/** What a venue knows is nobody else's. */
const OWNER_ONLY = 0o600
/** A file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/**
 * A file system's clock may stand still for so long, ms: for a tick of the kernel's, which comes late where processors are
 * taken away (27 ms were seen); FAT counts two seconds as one.
 */
const [TICK_MS, COARSE_TICK_MS] = [250, 2_000]
/** Fewer bytes than these are hashed sooner here than a digest of OpenSSL is set up. */
const SHORT = 128
const short = new Sha256()

/** A name that led to a file when its directory had been changed last at this time. */
interface Known {
  readonly name: string
  readonly file: DiskFile
  readonly directory: number
  readonly changedAt: number
}

export class NodeDisk implements Disk {
  readonly #directory: string
  readonly #writesThrough: boolean
  #known: Known | null = null

  private constructor(directory: string, writesThrough = WRITES_THROUGH) {
    this.#directory = directory
    this.#writesThrough = writesThrough
  }

  /** Makes the directory where there is none. */
  static async at(directory: string): Promise<NodeDisk> {
    await makeDirectory(directory)
    return new NodeDisk(directory)
  }

  /** The same for files of many writes and few flushes, which keep whoever else flushes waiting as little as they can. */
  static async inBulk(directory: string): Promise<NodeDisk> {
    await makeDirectory(directory)
    return new NodeDisk(directory, false)
  }

  /** For reading alone: makes nothing, and a directory that is not there is empty. */
  static reading(directory: string): NodeDisk {
    return new NodeDisk(directory)
  }

  async list(): Promise<string[]> {
    return readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }

  /** Files are written by whoever created them: any other is opened for reading. */
  async open(name: string): Promise<DiskFile> {
    await mustBeRegular(this.#path(name))
    return nodeFile(await open(this.#path(name), 'r'), false)
  }

  async create(name: string): Promise<DiskFile> {
    await this.remove(name)
    const through = this.#writesThrough ? constants.O_DSYNC : 0
    return nodeFile(await open(this.#path(name), CREATE | through, OWNER_ONLY), this.#writesThrough)
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.#path(from), this.#path(to))
  }

  async publish(from: string, to: string): Promise<boolean> {
    try {
      await link(this.#path(from), this.#path(to))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') return false
      if (!NO_LINKS.has(code)) throw error
      if (await exists(this.#path(to))) return false
      await this.rename(from, to)
      return true
    }
    await this.remove(from)
    return true
  }

  remove(name: string): Promise<void> {
    return rm(this.#path(name), { force: true })
  }

  /**
   * Looks at the directory, whose time tells whether a name in it came, went or moved. Looking at the file itself each
   * time would make every write to it record a new time in the journal of the file system (Linux 6.13), which costs more
   * than all else about an append.
   */
  names(name: string, file: DiskFile): boolean {
    const directory = statSync(this.#directory, { throwIfNoEntry: false })
    if (directory === undefined) return false
    const { ino, mtimeMs: changedAt } = directory
    const known = this.#known
    if (
      known?.file === file &&
      known.name === name &&
      known.directory === ino &&
      known.changedAt === changedAt
    )
      return true
    const found = statSync(this.#path(name), { throwIfNoEntry: false })?.ino === file.identity
    // Within one tick of the clock a second change would not show.
    const clockStands = changedAt % 1_000 === 0 ? COARSE_TICK_MS : TICK_MS
    const isSettled = Date.now() - changedAt > clockStands
    this.#known = found && isSettled ? { name, file, directory: ino, changedAt } : null
    return found
  }

  sha256(...parts: readonly Uint8Array[]): Uint8Array {
    if (parts.reduce((length, part) => length + part.length, 0) < SHORT) {
      for (const part of parts) short.bytes(part)
      return short.digest()
    }
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return hash.digest()
  }

  random(count: number): Uint8Array {
    return randomBytes(count)
  }

  async flush(): Promise<void> {
    // Windows neither needs nor allows this of a directory.
    if (process.platform === 'win32') return
    const handle = await open(this.#directory, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  #path(name: string): string {
    return path.join(this.#directory, name)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function nodeFile(handle: FileHandle, writesThrough: boolean): Promise<NodeFile> {
  try {
    const { size, ino } = await handle.stat()
    return new NodeFile(handle, size, ino, writesThrough)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** How many of the bytes from `from` on were written. A callback costs less processor time than a promise of the platform. */
function written(file: number, bytes: Uint8Array, from: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(file, bytes, from, bytes.length - from, position, (error, count) =>
      error === null ? resolve(count) : reject(error),
    )
  })
}

class NodeFile implements DiskFile {
  readonly #handle: FileHandle
  readonly #writesThrough: boolean
  readonly identity: number
  size: number
  /** Whether there is something that is not on the medium. */
  #pending = false

  constructor(handle: FileHandle, size: number, identity: number, writesThrough: boolean) {
    this.#handle = handle
    this.#writesThrough = writesThrough
    this.size = size
    this.identity = identity
  }

  async read(bytes: Uint8Array, position: number): Promise<number> {
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, length, bytes.length - length, position + length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return length
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let length = 0
    while (length < bytes.length) length += await written(this.#handle.fd, bytes, length, position + length)
    this.size = Math.max(this.size, position + bytes.length)
    this.#pending ||= !this.#writesThrough
  }

  async flush(): Promise<void> {
    if (!this.#pending) return
    await this.#handle.datasync()
    this.#pending = false
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
