/**
 * What a Parquet file says of itself, held against its bytes before hyparquet follows it: hyparquet believes every count and
 * length, and a few bytes of a file can ask for more memory or time than there is. The forms are those of the Thrift compact
 * protocol and of the page encodings of Parquet 2.
 */

/** Why a file is not followed. */
export class ParquetUnsound extends Error {
  override readonly name = 'ParquetUnsound'
}

/** Structures nest that deep in no file. */
const DEEPEST = 16
/** Of a text or a statistic in the description of a row group, bytes: writers leave out what is longer. */
const LONGEST_TEXT = 4_096
/** A row group of twenty columns takes about 240. */
const MOST_ELEMENTS = 1 << 19

/** A structure that is there, within its bytes: hyparquet may read it. */
export class ThriftWalk {
  readonly #bytes: Buffer
  #elements = 0
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  /**
   * Goes over a structure. The fields in `free` may hold texts of any length.
   *
   * @throws ParquetUnsound for what does not end within the bytes, nests deep, or is of very many parts.
   */
  struct(depth = 0, free: ReadonlySet<number> = NONE, isFree = false): void {
    if (depth > DEEPEST) throw new ParquetUnsound('its description nests too deep')
    let field = 0
    for (let head = this.#byte(); head !== 0; head = this.#byte()) {
      const delta = head >> 4
      field = delta === 0 ? zigZag(this.#varint(3)) : field + delta
      const type = head & 15
      // A field that is true or false has its value in its type.
      if (type > 2) this.#element(type, depth, isFree || free.has(field))
    }
  }

  #element(type: number, depth: number, isFree: boolean): void {
    if (type <= 3) this.#skip(1)
    else if (type <= 6) this.#varint(10)
    else if (type === 7) this.#skip(8)
    else if (type === 8) this.#text(isFree)
    else if (type === 9) this.#list(depth, isFree)
    else if (type === 12) this.struct(depth + 1, NONE, isFree)
    else throw new ParquetUnsound('its description has a part of no known kind')
  }

  #list(depth: number, isFree: boolean): void {
    const head = this.#byte()
    const size = head >> 4 === 15 ? this.#varint(5) : head >> 4
    this.#elements += size
    if (this.#elements > MOST_ELEMENTS)
      throw new ParquetUnsound(`its description has more than ${MOST_ELEMENTS} parts`)
    for (let index = 0; index < size; index++) this.#element(head & 15, depth + 1, isFree)
  }

  #text(isFree: boolean): void {
    const length = this.#varint(5)
    if (!isFree && length > LONGEST_TEXT)
      throw new ParquetUnsound(`its description has a text of ${length} bytes`)
    this.#skip(length)
  }

  #varint(longest: number): number {
    const { value, at } = varint(this.#bytes, this.at, longest)
    this.at = at
    return value
  }

  #byte(): number {
    this.#skip(1)
    return this.#bytes[this.at - 1] as number
  }

  #skip(length: number): void {
    this.at += length
    if (this.at > this.#bytes.length) throw new ParquetUnsound('its description ends early')
  }
}

const NONE: ReadonlySet<number> = new Set()

/**
 * Goes over runs of values of up to 8 bits to a byte; gives how many of the values have their lowest bit set.
 *
 * @throws ParquetUnsound unless they are that many, within the bytes.
 */
export function checkRuns(bytes: Buffer, from: number, to: number, width: number, values: number): number {
  let at = from
  let seen = 0
  let set = 0
  while (seen < values) {
    const head = varint(bytes, at, 5)
    at = head.at
    const count = head.value >>> 1
    if ((head.value & 1) === 1) {
      if (count > (values - seen + 7) >> 3)
        throw new ParquetUnsound('a page has a run of more values than are in it')
      if (width === 1) set += bitsSet(bytes, at, Math.min(8 * count, values - seen))
      at += count * width
      seen += 8 * count
    } else {
      if (count > values - seen) throw new ParquetUnsound('a page has a run of more values than are in it')
      if (width === 1 && ((bytes[at] as number) & 1) === 1) set += count
      at += (width + 7) >> 3
      seen += count
    }
    // Of the last run some writers leave out what is beyond the last value.
    if (at > to + width) throw new ParquetUnsound('a page has a run that does not end within it')
  }
  return set
}

function bitsSet(bytes: Buffer, from: number, count: number): number {
  let set = 0
  for (let bit = 0; bit < count; bit++) set += ((bytes[from + (bit >> 3)] as number) >> (bit & 7)) & 1
  return set
}

/** A block of differences, values: writers take 128. */
const LARGEST_BLOCK = 1 << 16

/**
 * Goes over `values` differences of whole numbers; gives where they end.
 *
 * @throws ParquetUnsound unless they are that many, within the bytes.
 */
export function checkDeltas(bytes: Buffer, from: number, values: number): number {
  const block = varint(bytes, from, 5)
  const parts = varint(bytes, block.at, 5)
  const total = varint(bytes, parts.at, 5)
  const first = varint(bytes, total.at, 10)
  const perPart = block.value / parts.value
  if (!(block.value <= LARGEST_BLOCK && perPart >= 32 && perPart % 32 === 0) || total.value !== values)
    throw new ParquetUnsound('a page has blocks of a size that cannot be')
  let at = first.at
  for (let left = values - 1; left > 0; ) {
    const widths = varint(bytes, at, 10).at
    at = widths + parts.value
    for (let part = 0; part < parts.value && left > 0; part++) {
      const width = bytes[widths + part]
      if (width === undefined || width > 64) throw new ParquetUnsound('a page has numbers wider than any are')
      at += (perPart / 8) * width
      left -= perPart
    }
    if (at > bytes.length + perPart * 8)
      throw new ParquetUnsound('a page has a block that does not end within it')
  }
  return at
}

/**
 * Adds up what the elements of Snappy's format are long.
 *
 * @throws ParquetUnsound unless that is `size` bytes.
 */
export function checkSnappy(packed: Buffer, size: number): void {
  let at = varint(packed, 0, 5).at
  let length = 0
  while (at < packed.length && length <= size) {
    const tag = packed[at] as number
    const kind = tag & 3
    at += 1
    if (kind === 0) {
      const more = Math.max(0, (tag >> 2) - 59)
      const literal =
        1 +
        (more === 0
          ? tag >> 2
          : packed.subarray(at, at + more).reduceRight((sum, byte) => sum * 256 + byte, 0))
      at += more + literal
      length += literal
    } else {
      at += kind === 1 ? 1 : kind === 2 ? 2 : 4
      length += kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    }
  }
  if (length !== size) throw new ParquetUnsound('a page unpacks to another length than it says')
}

/** A whole number as Thrift and the encodings write it; `value` is exact below 2^53. */
function varint(
  bytes: Buffer,
  from: number,
  longest: number,
): { readonly value: number; readonly at: number } {
  let value = 0
  let scale = 1
  for (let at = from; at < from + longest; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new ParquetUnsound('a number in it ends early')
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, at: at + 1 }
    scale *= 128
  }
  throw new ParquetUnsound('a number in it is longer than any is')
}

function zigZag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
