/** Snapshots as files beside a log: written under another name first, so that a file is whole or not there. */
import { ByteReader } from '../../events/codec/byteReader.ts'
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import { crc32 } from '../../hashes/crc32.ts'
import type { Snapshot, SnapshotInPieces, SnapshotShelf } from '../store.ts'
import type { Disk, DiskFile } from './disk.ts'

/** The newest, and one to fall back on. */
const KEPT = 2
const HEADER = 4
/** Bytes between flushes: a log on the same disk is flushed beside them, and waits for them. */
const FLUSHED = 1 << 20

export class SnapshotFiles implements SnapshotShelf {
  readonly #disk: Disk

  constructor(disk: Disk) {
    this.#disk = disk
  }

  /** The bytes of a piece are given out before the next is asked for: in between others get their turn. */
  async saveSnapshot({ seq, schema, pieces }: SnapshotInPieces): Promise<void> {
    const head = new ByteWriter(256)
    head.uint32(0)
    head.count(seq)
    head.text(schema)
    const file = await this.#disk.create('incoming')
    await written(file, head, pieces).finally(() => file.close())
    await this.#disk.rename('incoming', nameOf(seq))
    await this.#disk.flush()
    for (const old of (await this.#sequences()).slice(KEPT)) await this.#disk.remove(nameOf(old))
  }

  /** The commit that the newest was taken at; 0 when there is none. */
  async newest(): Promise<number> {
    return (await this.#sequences())[0] ?? 0
  }

  /** Removes those that were taken after a commit. */
  async forgetAfter(head: number): Promise<void> {
    for (const seq of await this.#sequences()) if (seq > head) await this.#disk.remove(nameOf(seq))
  }

  /** Newest first. One that does not pass its check has the schema `damaged`. */
  async *snapshots(): AsyncGenerator<Snapshot> {
    for (const seq of await this.#sequences()) yield this.#read(seq)
  }

  async #read(seq: number): Promise<Snapshot> {
    const file = await this.#disk.open(nameOf(seq))
    const bytes = new Uint8Array(file.size)
    const length = await file.read(bytes, 0).finally(() => file.close())
    return decode(bytes.subarray(0, length), seq) ?? { seq, schema: 'damaged', bytes: new Uint8Array() }
  }

  async #sequences(): Promise<number[]> {
    return (await this.#disk.list())
      .filter((name) => /^[0-9]{16}\.snapshot$/.test(name))
      .map((name) => Number(name.slice(0, 16)))
      .sort((a, b) => b - a)
  }
}

/** The checksum comes last, into the room that is left for it. */
async function written(file: DiskFile, head: ByteWriter, pieces: Iterable<Uint8Array>): Promise<void> {
  await file.write(head.copy(), 0)
  let checksum = crc32(head.bytes, HEADER, head.at)
  let at = head.at
  let flushed = 0
  for (const piece of pieces) {
    checksum = crc32(piece, 0, piece.length, checksum)
    await file.write(piece, at)
    at += piece.length
    if (at < flushed + FLUSHED) continue
    await file.flush()
    flushed = at
  }
  head.patchUint32(0, checksum)
  await file.write(head.bytes.slice(0, HEADER), 0)
  await file.flush()
}

function nameOf(seq: number): string {
  return `${String(seq).padStart(16, '0')}.snapshot`
}

function decode(bytes: Uint8Array, seq: number): Snapshot | null {
  if (bytes.length <= HEADER) return null
  const reader = new ByteReader(bytes)
  if (reader.uint32() !== crc32(bytes, HEADER, bytes.length) || reader.count() !== seq) return null
  const schema = reader.text()
  return { seq, schema, bytes: bytes.subarray(reader.at) }
}
