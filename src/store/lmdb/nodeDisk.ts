/** A directory of the operating system's file system. */
import { createHash, randomBytes } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Disk, DiskFile } from '../log/disk.ts'
import { makeDirectory } from './makeDirectory.ts'

/**
 * On Linux a write that returns only when it is on the medium: one trip to the operating system instead of two. Elsewhere
 * the flag is missing, or weaker than a flush.
 */
const WRITES_THROUGH = process.platform === 'linux'
const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL
/** What a venue knows is nobody else's. */
const OWNER_ONLY = 0o600
/** A file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

export class NodeDisk implements Disk {
  readonly #directory: string
  readonly #writesThrough: boolean

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

  names(name: string, file: DiskFile): boolean {
    return statSync(this.#path(name), { throwIfNoEntry: false })?.ino === file.identity
  }

  sha256(...parts: readonly Uint8Array[]): Uint8Array {
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
  const { size, ino } = await handle.stat()
  return new NodeFile(handle, size, ino, writesThrough)
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
    while (length < bytes.length)
      length += (await this.#handle.write(bytes, length, bytes.length - length, position + length))
        .bytesWritten
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
