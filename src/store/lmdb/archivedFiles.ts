/** Log files that were moved away, compressed: the directory they are in, and a disk that reads through it (K14). */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ARCHIVED_NOTE, archivedOn } from '../log/archivedNote.ts'
import type { Disk, DiskFile } from '../log/disk.ts'
import { segmentSeq } from '../log/segmentHeader.ts'
import { StoreDamaged } from '../store.ts'

const SUFFIX = '.gz'
const unpacked = promisify(gunzip)

/** What the file of a log is called in an archive. */
export function archivedName(name: string): string {
  return `${name}${SUFFIX}`
}

/** All bytes of a file. */
export async function bytesOf(disk: Disk, name: string): Promise<Uint8Array> {
  const file = await disk.open(name)
  const bytes = new Uint8Array(file.size)
  const length = await file.read(bytes, 0).finally(() => file.close())
  return bytes.subarray(0, length)
}

/** The bytes of a log file, from an archive. @throws StoreDamaged where they cannot be unpacked. */
export async function unpack(archive: Disk, name: string): Promise<Uint8Array> {
  return unpacked(await bytesOf(archive, archivedName(name))).catch((error: Error) => {
    throw new StoreDamaged(segmentSeq(name) as number, `its archived file is damaged: ${error.message}`)
  })
}

/**
 * A disk that has the archived files of its log as well, as if they had never been moved.
 *
 * @throws RangeError when the archive does not begin with the first commit.
 */
export async function withArchive(disk: Disk, archive: Disk): Promise<Disk> {
  const before = await archivedOn(disk)
  if (before.head === 0) return disk
  const names = (await archive.list())
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .filter((name) => (segmentSeq(name) ?? before.head + 1) <= before.head)
    .sort()
  if (segmentSeq(names[0] ?? '') !== 1)
    throw new RangeError(`the archive does not hold the archived commits 1 to ${before.head}`)
  return new ArchivedDisk(disk, archive, names)
}

class ArchivedDisk implements Disk {
  readonly #disk: Disk
  readonly #archive: Disk
  readonly #names: readonly string[]

  constructor(disk: Disk, archive: Disk, names: readonly string[]) {
    this.#disk = disk
    this.#archive = archive
    this.#names = names
  }

  async list(): Promise<string[]> {
    const names = (await this.#disk.list()).filter((name) => name !== ARCHIVED_NOTE)
    return [...new Set([...names, ...this.#names])]
  }

  async open(name: string): Promise<DiskFile> {
    return this.#names.includes(name)
      ? new UnpackedFile(await unpack(this.#archive, name))
      : this.#disk.open(name)
  }

  create(name: string): Promise<DiskFile> {
    return this.#disk.create(name)
  }

  rename(from: string, to: string): Promise<void> {
    return this.#disk.rename(from, to)
  }

  publish(from: string, to: string): Promise<boolean> {
    return this.#disk.publish(from, to)
  }

  remove(name: string): Promise<void> {
    return this.#disk.remove(name)
  }

  names(name: string, file: DiskFile): boolean {
    return this.#disk.names(name, file)
  }

  flush(): Promise<void> {
    return this.#disk.flush()
  }

  sha256(...parts: readonly Uint8Array[]): Uint8Array {
    return this.#disk.sha256(...parts)
  }

  random(count: number): Uint8Array {
    return this.#disk.random(count)
  }
}

/** A file in memory, for reading. */
class UnpackedFile implements DiskFile {
  readonly #bytes: Uint8Array
  readonly size: number
  /** Of no file. */
  readonly identity = -1

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.size = bytes.length
  }

  async read(bytes: Uint8Array, position: number): Promise<number> {
    const part = this.#bytes.subarray(position, position + bytes.length)
    bytes.set(part)
    return part.length
  }

  async write(): Promise<void> {
    throw new RangeError('an archived file is never written')
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}
