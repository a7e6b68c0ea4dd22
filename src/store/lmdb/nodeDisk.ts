/** A directory of the operating system's file system. */
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Disk, DiskFile } from '../log/disk.ts'

/**
 * On Linux a write that returns only when it is on the medium: one trip to the operating system instead of two. Elsewhere
 * the flag is missing, or weaker than a flush.
 */
const WRITES_THROUGH = process.platform === 'linux'
const READ_WRITE = constants.O_RDWR | (WRITES_THROUGH ? constants.O_DSYNC : 0)
const CREATE = READ_WRITE | constants.O_CREAT | constants.O_TRUNC

export class NodeDisk implements Disk {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  /** Makes the directory where there is none. */
  static async at(directory: string): Promise<NodeDisk> {
    await mkdir(directory, { recursive: true })
    return new NodeDisk(directory)
  }

  list(): Promise<string[]> {
    return readdir(this.#directory)
  }

  async open(name: string): Promise<DiskFile> {
    const handle = await open(this.#path(name), READ_WRITE).catch((error: NodeJS.ErrnoException) => {
      // For reading alone, a directory without write permission will do.
      if (error.code === 'EACCES' || error.code === 'EROFS') return open(this.#path(name), 'r')
      throw error
    })
    return new NodeFile(handle, (await handle.stat()).size)
  }

  async create(name: string): Promise<DiskFile> {
    return new NodeFile(await open(this.#path(name), CREATE), 0)
  }

  rename(from: string, to: string): Promise<void> {
    return rename(this.#path(from), this.#path(to))
  }

  remove(name: string): Promise<void> {
    return rm(this.#path(name), { force: true })
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

class NodeFile implements DiskFile {
  readonly #handle: FileHandle
  size: number
  /** Whether there is something that is not on the medium. */
  #pending = false

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
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
    this.#pending ||= !WRITES_THROUGH
  }

  async flush(): Promise<void> {
    if (!this.#pending) return
    await this.#handle.datasync()
    this.#pending = false
  }

  async truncate(size: number): Promise<void> {
    await this.#handle.truncate(size)
    this.size = size
    this.#pending = true
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
