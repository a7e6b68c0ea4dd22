/**
 * An LMDB data file, read without LMDB: LMDB trusts every byte of it, and a flipped bit in a page may end the process or
 * hide records. So before a file is handed to LMDB, everything that LMDB would follow is followed here, with every bound
 * checked. What looks in any way unusual is unsound: what is in the file is then built again, which costs time only.
 *
 * The form is that of LMDB 0.9.90 (data version 2) as `lmdb` writes it on 64-bit little-endian machines: a 24-byte header
 * a page (number 8, transaction 8, padding 2, flags 2, lower 2, upper 2), offsets of nodes from the end of the header,
 * nodes (size or child page 4, flags 2, key size 2, key, data) packed against the end of the page.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const HEADER = 24
const NODE = 8
const BRANCH = 1
const LEAF = 2
const OVERFLOW = 4
const META = 8
const BIG = 1
const NONE = 0xffffffffffffffffn

/** Why a file cannot be trusted. */
export class Unsound extends Error {
  override readonly name = 'Unsound'
}

/** What a medium does not give back is as damaged as what fails its check. */
function given<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw unsoundIfUnread(error)
  }
}

/** {@link Unsound} in the place of an error of the medium; any other says nothing of the file. */
export function unsoundIfUnread(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EIO' ? new Unsound(`the medium does not give back their file: ${message}`) : error
}

/** One of the two trees of a file. */
export interface Tree {
  readonly flags: number
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Null: the tree is empty. */
  readonly root: number | null
}

export interface Meta {
  readonly pageBytes: number
  readonly transaction: number
  readonly lastPage: number
  readonly free: Tree
  readonly main: Tree
}

/** A node of a page: where its key and its data are. `data` and `end` are those of a leaf. */
export interface Node {
  readonly flags: number
  readonly key: number
  readonly data: number
  readonly end: number
  /** Child page in a branch, size of the data in a leaf. */
  readonly value: number
}

/** What lies behind a checked page header. */
export interface Page {
  readonly bytes: Buffer
  readonly leaf: boolean
  readonly nodes: number
}

export class PageFile {
  readonly #file: number
  readonly bytes: number
  readonly meta: Meta

  /** @throws Unsound when neither of the meta pages, which say where everything is, can be trusted. */
  constructor(path: string) {
    // A pipe would be waited for.
    if (!given(() => statSync(path)).isFile())
      throw new Unsound('in the place of their file is a folder, a pipe or a device')
    this.#file = given(() => openSync(path, 'r'))
    try {
      this.bytes = given(() => fstatSync(this.#file)).size
      this.meta = this.#newestMeta()
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  /** The later of two that agree on everything that never changes. */
  #newestMeta(): Meta {
    const first = metaOf(this.read(0, 256), 0)
    const second = metaOf(this.read(first.pageBytes, 256), 1)
    if (first.pageBytes !== second.pageBytes) throw new Unsound('the meta pages differ in the size of a page')
    // Transactions write the one and the other by turns.
    if (Math.abs(first.transaction - second.transaction) > 1)
      throw new Unsound('the meta pages are of transactions that do not follow each other')
    const meta = first.transaction >= second.transaction ? first : second
    // The last pages may be free and not written yet, but not many of them.
    if (meta.lastPage > (2 * this.bytes) / meta.pageBytes + 1_024)
      throw new Unsound('the file is shorter than its meta page says')
    return meta
  }

  read(position: number, length: number, into?: Buffer): Buffer {
    const bytes = into ?? Buffer.allocUnsafe(length)
    let read = 0
    while (read < length) {
      const got = given(() => readSync(this.#file, bytes, read, length - read, position + read))
      if (got === 0) throw new Unsound(`the file ends within the page at ${position}`)
      read += got
    }
    return bytes
  }

  /** A page of a tree with its bounds checked; its nodes are checked as they are asked for. */
  page(number: number, leaf: boolean, into: Buffer): Page {
    const { pageBytes } = this.meta
    const bytes = this.read(number * pageBytes, pageBytes, into)
    this.#checkHeader(bytes, number, leaf ? LEAF : BRANCH)
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    if (lower === 0 || lower % 2 !== 0 || upper % 2 !== 0 || lower > upper || upper > pageBytes - HEADER)
      throw new Unsound(`page ${number} has bounds that cannot be`)
    const page = { bytes, leaf, nodes: lower / 2 }
    let used = 0
    for (let index = 0; index < page.nodes; index++) {
      const { key, end } = nodeOf(page, index)
      if (key - NODE < upper + HEADER) throw new Unsound(`page ${number} has a node outside its bounds`)
      used += (end - key + NODE + 1) & ~1
    }
    if (used !== pageBytes - HEADER - upper) throw new Unsound(`the nodes of page ${number} do not fill it`)
    return page
  }

  /** The first page of a record that has pages of its own, and how many they are. */
  overflow(page: Page, { data, value }: Node): { readonly first: number; readonly pages: number } {
    const first = integer(page.bytes, data)
    const pages = Math.floor((HEADER - 1 + value) / this.meta.pageBytes) + 1
    if (integer(page.bytes, data + 8) > this.meta.transaction || integer(page.bytes, data + 16) !== pages)
      throw new Unsound(`a record of ${value} bytes does not lie on the pages it should`)
    const header = this.read(first * this.meta.pageBytes, HEADER)
    this.#checkHeader(header, first, OVERFLOW)
    if (header.readUInt32LE(20) !== pages) throw new Unsound(`page ${first} begins another record`)
    return { first, pages }
  }

  #checkHeader(bytes: Buffer, number: number, flags: number): void {
    if (integer(bytes, 0) !== number || bytes.readUInt16LE(18) !== flags)
      throw new Unsound(`page ${number} is not what leads to it says`)
    if (integer(bytes, 8) > this.meta.transaction)
      throw new Unsound(`page ${number} is of a transaction that is not`)
  }
}

/** @throws Unsound when it runs out of the page. */
export function nodeOf({ bytes, leaf }: Page, index: number): Node {
  const at = HEADER + integer16(bytes, HEADER + 2 * index)
  if (at % 2 !== 0 || at + NODE > bytes.length) throw new Unsound('a node lies outside its page')
  const low = (integer16(bytes, at) | (integer16(bytes, at + 2) << 16)) >>> 0
  const flags = integer16(bytes, at + 4)
  const key = at + NODE
  const data = key + integer16(bytes, at + 6)
  if (leaf && flags !== 0 && flags !== BIG) throw new Unsound('a node is of a kind that is never written')
  const end = leaf ? data + (flags === BIG ? HEADER : low) : data
  if (end > bytes.length) throw new Unsound('a node runs out of its page')
  return { flags, key, data, end, value: leaf ? low : low + flags * 2 ** 32 }
}

/** Of a node: by the million, and without the checks of `Buffer`. */
function integer16(bytes: Buffer, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}

/** Whether the data of a leaf's node is on pages of its own. */
export function isBig({ flags }: Node): boolean {
  return flags === BIG
}

/** Where the data of a record on pages of its own begins. */
export function overflowStart(first: number, pageBytes: number): number {
  return first * pageBytes + HEADER
}

function metaOf(bytes: Buffer, number: number): Meta {
  const pageBytes = bytes.readUInt32LE(48)
  const expected =
    bytes.readUInt16LE(18) === META &&
    integer(bytes, 0) === number &&
    bytes.readUInt32LE(24) === 0xbeefc0de &&
    bytes.readUInt32LE(28) === 2 &&
    bytes.readBigUInt64LE(32) === 0n &&
    integer(bytes, 40) <= LARGEST_MAP &&
    [4_096, 8_192, 16_384, 32_768].includes(pageBytes)
  if (!expected) throw new Unsound(`meta page ${number} is not one`)
  const free = treeOf(bytes, 48)
  const main = treeOf(bytes, 96)
  if (free.flags !== INTEGER_KEYS || main.flags !== 0 || bytes.readUInt32LE(96) !== 0)
    throw new Unsound(`meta page ${number} describes other trees`)
  return {
    pageBytes,
    lastPage: integer(bytes, 144),
    transaction: integer(bytes, 152),
    free,
    main,
  }
}

const INTEGER_KEYS = 8
const LARGEST_MAP = 2 ** 44

function treeOf(bytes: Buffer, at: number): Tree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    branchPages: integer(bytes, at + 8),
    leafPages: integer(bytes, at + 16),
    overflowPages: integer(bytes, at + 24),
    entries: integer(bytes, at + 32),
    root: bytes.readBigUInt64LE(at + 40) === NONE ? null : integer(bytes, at + 40),
  }
}

/** 64 bits, of which a file that fits on a disk needs 52. */
export function integer(bytes: Buffer, at: number): number {
  const value = bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 2 ** 32
  if (value >= 2 ** 52) throw new Unsound('a number is larger than any can be')
  return value
}
