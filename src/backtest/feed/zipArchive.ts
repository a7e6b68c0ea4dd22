/**
 * Reading one data file out of a ZIP archive, streamed. Layout after PKWARE's APPNOTE 6.3: the central directory at
 * the end of the archive lists the entries, with ZIP64 fields where 32 bits do not suffice.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { FeedError } from './feedError.ts'

/** An entry of an archive. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  readonly headerOffset: number
}

const END_SIGNATURE = 0x06054b50
const END64_SIGNATURE = 0x06064b50
const ENTRY_SIGNATURE = 0x02014b50
const END_BYTES = 22
const END64_LOCATOR_BYTES = 20
const LONGEST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8
const ENCRYPTED_FLAG = 1

/** @throws FeedError where the file ends before its directory or holds none. */
export async function zipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tailLength = Math.min(size, END_BYTES + LONGEST_COMMENT + END64_LOCATOR_BYTES)
    const tail = await readAt(file, path, size - tailLength, tailLength)
    let end = tailLength - END_BYTES
    while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1
    if (end < 0)
      throw new FeedError(path, null, 'the ZIP archive has no directory at its end, so it was cut off')
    let directorySize = tail.readUInt32LE(end + 12)
    let directoryOffset = tail.readUInt32LE(end + 16)
    if (directoryOffset === 0xffffffff || directorySize === 0xffffffff) {
      const locator = end - END64_LOCATOR_BYTES
      if (locator < 0) throw damaged(path)
      const end64 = await readAt(file, path, Number(tail.readBigUInt64LE(locator + 8)), 56)
      if (end64.readUInt32LE(0) !== END64_SIGNATURE) throw damaged(path)
      directorySize = Number(end64.readBigUInt64LE(40))
      directoryOffset = Number(end64.readBigUInt64LE(48))
    }
    if (directoryOffset + directorySize > size) throw damaged(path)
    return entriesOf(await readAt(file, path, directoryOffset, directorySize), path)
  } finally {
    await file.close()
  }
}

function entriesOf(directory: Buffer, path: string): ZipEntry[] {
  const entries: ZipEntry[] = []
  for (let at = 0; at < directory.length; ) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged(path)
    const nameLength = directory.readUInt16LE(at + 28)
    const extraLength = directory.readUInt16LE(at + 30)
    const next = at + 46 + nameLength + extraLength + directory.readUInt16LE(at + 32)
    if (next > directory.length) throw damaged(path)
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength)
    if ((directory.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0) {
      throw new FeedError(path, null, `${name} is encrypted`)
    }
    const wide = new WideFields(directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength))
    entries.push({
      name,
      method: directory.readUInt16LE(at + 10),
      crc32: directory.readUInt32LE(at + 16),
      // The ZIP64 fields come in this order, each only where its 32-bit field is all ones.
      size: wide.resolve(directory.readUInt32LE(at + 24)),
      compressedSize: wide.resolve(directory.readUInt32LE(at + 20)),
      headerOffset: wide.resolve(directory.readUInt32LE(at + 42)),
    })
    at = next
  }
  return entries
}

/** The 64-bit fields of an entry's extra data. */
class WideFields {
  readonly #field: Buffer
  #at = 0

  constructor(extra: Buffer) {
    let at = 0
    while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
    this.#field =
      at + 4 <= extra.length
        ? extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
        : extra.subarray(0, 0)
  }

  resolve(narrow: number): number {
    if (narrow !== 0xffffffff || this.#at + 8 > this.#field.length) return narrow
    this.#at += 8
    return Number(this.#field.readBigUInt64LE(this.#at - 8))
  }
}

/**
 * The bytes of an entry as a gzip member. Both formats wrap the same deflate stream and the same CRC-32, and Node's
 * gunzip checks the CRC and the length, which its raw inflate cannot.
 */
export async function* entryAsGzip(path: string, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method !== DEFLATED && entry.method !== STORED) {
    throw new FeedError(
      path,
      null,
      `${entry.name} is compressed with ZIP method ${entry.method}, not with deflate`,
    )
  }
  const start = await dataOffset(path, entry)
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  if (entry.compressedSize > 0) {
    const end = start + entry.compressedSize - 1
    for await (const chunk of createReadStream(path, { start, end, highWaterMark: 1 << 18 })) {
      if (entry.method === DEFLATED) yield chunk as Buffer
      else yield* storedBlocks(chunk as Buffer)
    }
  }
  if (entry.method === STORED) yield Buffer.from([1, 0, 0, 0xff, 0xff])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(entry.crc32, 0)
  trailer.writeUInt32LE(entry.size % 2 ** 32, 4)
  yield trailer
}

/** Deflate's own form of uncompressed data: blocks of at most 65,535 bytes, each behind its length (RFC 1951, 3.2.4). */
function* storedBlocks(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += 0xffff) {
    const block = chunk.subarray(at, at + 0xffff)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(block.length ^ 0xffff, 3)
    yield head
    yield block
  }
}

async function dataOffset(path: string, entry: ZipEntry): Promise<number> {
  const file = await open(path)
  try {
    const header = await readAt(file, path, entry.headerOffset, 30)
    return entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await file.close()
  }
}

async function readAt(file: FileHandle, path: string, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  if (bytesRead !== length) throw damaged(path)
  return buffer
}

function damaged(path: string): FeedError {
  return new FeedError(path, null, 'the directory of the ZIP archive is damaged')
}
