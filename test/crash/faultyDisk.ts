// A disk in memory that can be switched off at any moment, and then keeps of what was not flushed what it likes.

import { createHash } from 'node:crypto'
import type { Disk, DiskFile } from '../../src/store/log/disk.ts'
import type { Chance } from '../store/traffic.ts'

/** What a loss of power does to writes that were not flushed. */
export type Loss = 'all' | 'cut' | 'garble' | 'reorder' | 'none'
export const LOSSES: readonly Loss[] = ['all', 'cut', 'garble', 'reorder', 'none']

/** Hardware writes a sector whole or not at all. */
const SECTOR = 64

const ORIGINAL = 1

interface Content {
  /** A copy has another. */
  readonly identity: number
  /** What is on the medium. */
  durable: Uint8Array
  /** What is read: the medium and the writes not flushed yet. */
  seen: Uint8Array
}

export class PowerOff extends Error {
  override readonly name = 'PowerOff'
}

export class FaultyDisk implements Disk {
  #files = new Map<string, Content>()
  /** Names as they are on the medium. */
  #durableNames = new Map<string, Content>()
  /** Operations until the power goes; infinite by default. */
  operationsLeft = Number.POSITIVE_INFINITY
  /** Bytes that can still be written; infinite by default. */
  bytesLeft = Number.POSITIVE_INFINITY
  operations = 0
  /** A disk in the same machine: what is done here counts there, and the power of both goes at once. */
  beside: FaultyDisk | null = null
  #drawn = 0
  /** Files that were opened or created here and not closed. */
  readonly handles = new Set<DiskFile>()

  /** A disk with these files, all on the medium: the very ones, or copies of them. */
  static holding(files: Readonly<Record<string, Uint8Array>>, copies = false): FaultyDisk {
    const disk = new FaultyDisk()
    const identity = copies ? ORIGINAL + 1 : ORIGINAL
    for (const [name, bytes] of Object.entries(files)) {
      const content = { identity, durable: bytes.slice(), seen: bytes.slice() }
      disk.#files.set(name, content)
      disk.#durableNames.set(name, content)
    }
    return disk
  }

  /** The files as they are read now. */
  contents(): Record<string, Uint8Array> {
    return Object.fromEntries([...this.#files].map(([name, { seen }]) => [name, seen.slice()]))
  }

  /** The disk as it is when power returns. */
  afterPowerOff(loss: Loss, chance: Chance): FaultyDisk {
    const names =
      loss === 'none' || (loss !== 'all' && chance.below(2) === 0) ? this.#files : this.#durableNames
    return FaultyDisk.holding(
      Object.fromEntries([...names].map(([name, content]) => [name, remains(content, loss, chance)])),
    )
  }

  async list(): Promise<string[]> {
    this.operate()
    return [...this.#files.keys()]
  }

  async open(name: string): Promise<DiskFile> {
    this.operate()
    const content = this.#files.get(name)
    if (content === undefined) throw new Error(`no file ${name}`)
    return this.#handle(content)
  }

  async create(name: string): Promise<DiskFile> {
    this.operate()
    const content = { identity: ORIGINAL, durable: new Uint8Array(), seen: new Uint8Array() }
    this.#files.set(name, content)
    return this.#handle(content)
  }

  #handle(content: Content): DiskFile {
    const file = new FaultyFile(this, content)
    this.handles.add(file)
    return file
  }

  async rename(from: string, to: string): Promise<void> {
    this.operate()
    this.#files.set(to, this.#files.get(from) as Content)
    this.#files.delete(from)
  }

  async publish(from: string, to: string): Promise<boolean> {
    if (this.#files.has(to)) return false
    await this.rename(from, to)
    return true
  }

  names(name: string, file: DiskFile): boolean {
    return file instanceof FaultyFile && file.isOf(this.#files.get(name))
  }

  sha256(...parts: readonly Uint8Array[]): Uint8Array {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return new Uint8Array(hash.digest())
  }

  /** Another draw each time, and the same ones in every run. */
  random(count: number): Uint8Array {
    this.#drawn += 1
    return this.sha256(Uint8Array.of(this.#drawn, this.#drawn >> 8)).slice(0, count)
  }

  async remove(name: string): Promise<void> {
    this.operate()
    this.#files.delete(name)
  }

  async flush(): Promise<void> {
    this.operate()
    this.#durableNames = new Map(this.#files)
  }

  /** Counts an operation; throws when the power is gone. */
  operate(): void {
    if (this.beside !== null) return this.beside.operate()
    if (this.operationsLeft <= 0) throw new PowerOff('the power is off')
    this.operationsLeft -= 1
    this.operations += 1
  }
}

class FaultyFile implements DiskFile {
  readonly #disk: FaultyDisk
  readonly #content: Content

  constructor(disk: FaultyDisk, content: Content) {
    this.#disk = disk
    this.#content = content
  }

  get identity(): number {
    return this.#content.identity
  }

  isOf(content: Content | undefined): boolean {
    return content === this.#content
  }

  get size(): number {
    return this.#content.seen.length
  }

  async read(bytes: Uint8Array, position: number): Promise<number> {
    this.#disk.operate()
    const found = this.#content.seen.subarray(position, position + bytes.length)
    bytes.set(found)
    return found.length
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    const fits = Math.min(bytes.length, this.#disk.bytesLeft)
    this.#disk.bytesLeft -= fits
    const grown = new Uint8Array(Math.max(this.size, position + fits))
    grown.set(this.#content.seen)
    grown.set(bytes.subarray(0, fits), position)
    this.#content.seen = grown
    this.#disk.operate()
    if (fits < bytes.length) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  }

  async flush(): Promise<void> {
    this.#disk.operate()
    this.#content.durable = this.#content.seen.slice()
  }

  async close(): Promise<void> {
    this.#disk.handles.delete(this)
  }
}

/** Of what differs from the medium, some may have reached it. */
function remains({ durable, seen }: Content, loss: Loss, chance: Chance): Uint8Array {
  if (loss === 'all') return durable
  if (loss === 'none') return seen
  const from = firstDifference(durable, seen)
  if (from === seen.length) return seen
  const size = Math.max(durable.length, seen.length)
  if (loss === 'cut') {
    const upTo = from + chance.below(seen.length - from + 1)
    const left = new Uint8Array(Math.max(Math.min(durable.length, seen.length), upTo))
    left.set(durable.subarray(0, left.length))
    left.set(seen.subarray(0, upTo))
    return left
  }
  const left = seen.slice()
  const before = new Uint8Array(size)
  before.set(durable)
  const sectors = Math.ceil((seen.length - from) / SECTOR)
  const garbled = chance.below(sectors)
  for (let sector = 0; sector < sectors; sector++) {
    const start = from + sector * SECTOR
    const end = Math.min(start + SECTOR, seen.length)
    if (loss === 'garble' && sector === garbled && differ(durable, seen, start, end))
      for (let at = start; at < end; at++) left[at] = chance.below(256)
    if (loss === 'reorder' && chance.below(2) === 0) left.set(before.subarray(start, end), start)
  }
  return left
}

function firstDifference(durable: Uint8Array, seen: Uint8Array): number {
  const common = Math.min(durable.length, seen.length)
  for (let at = 0; at < common; at++) if (durable[at] !== seen[at]) return at
  return common
}

function differ(durable: Uint8Array, seen: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (durable[at] !== seen[at]) return true
  return false
}
