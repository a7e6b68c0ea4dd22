/** The cells of a column, a page at a time: unpacked to the length that its header says, checked, and decoded by hyparquet. */
import zlib from 'node:zlib'
import type { DecodedArray, PageHeader, ParquetParsers } from 'hyparquet'
import { checkDeltas, checkRuns, checkSnappy, ParquetUnsound, ThriftWalk } from './parquetBounds.ts'
import type { Chunk } from './parquetFile.ts'
import type { Hyparquet } from './parquetLibrary.ts'

const DAY_MS = 86_400_000

/** Values that any page may have, however little they take; beyond them as many as there are times so many bytes. */
const VALUES_AT_ALL = 1 << 20
const VALUES_PER_BYTE = 8
const MOST_VALUES = 1 << 23
/** Of texts that are not in a dictionary: each is an object of its own. */
const TEXTS_AT_ALL = 1 << 17
/** Bytes of a text, in the mean of a page, with its length; and of a page of them. */
const TEXT_BYTES = 132
const LARGEST_TEXTS = 1 << 25
/** What a page may take beside its values. */
const PAGE_BYTES = 4_096

/** Bytes of a value, and what besides levels or an index may take. */
const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, FLOAT: 4, INT64: 8, DOUBLE: 8, INT96: 12 }
const MARGIN = 4
const LONGEST_FIXED = 64

const CONVERTED = /^(UTF8|ENUM|DECIMAL|DATE|TIME_.*|TIMESTAMP_.*|U?INT_\d+)$/
const LOGICAL = new Set(['STRING', 'ENUM', 'DECIMAL', 'DATE', 'TIME', 'TIMESTAMP', 'INTEGER', 'FLOAT16'])

/** Times as milliseconds instead of hyparquet's `Date`, which costs an object per row. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: Number,
  timestampFromMicroseconds: (micros) => Number(BigInt(micros) / 1000n),
  timestampFromNanoseconds: (nanos) => Number(BigInt(nanos) / 1_000_000n),
  dateFromDays: (days) => days * DAY_MS,
}

type ColumnDecoder = Parameters<Hyparquet['readPage']>[2]

export class ColumnCells {
  readonly #hyparquet: Hyparquet
  readonly #bytes: Buffer
  readonly #codec: string
  readonly #decoder: ColumnDecoder
  readonly #nullable: boolean
  /** Values of the pages to come. */
  #left: number
  #offset = 0
  #dictionary: DecodedArray | undefined
  #page: DecodedArray = []
  #at = 0

  /**
   * @param bytes of the chunk
   * @param rows of its group
   * @throws ParquetUnsound for a column that is of no kind that a time or a number has.
   */
  constructor(hyparquet: Hyparquet, bytes: Buffer, { meta, path }: Chunk, rows: number) {
    const { element, children } = path[1]
    const { type, name, converted_type: converted, logical_type: logical } = element
    const isKnown =
      type !== undefined &&
      type !== 'BOOLEAN' &&
      children.length === 0 &&
      element.repetition_type !== 'REPEATED' &&
      (converted === undefined || CONVERTED.test(converted)) &&
      (logical?.type === undefined || LOGICAL.has(logical.type)) &&
      !(type === 'BYTE_ARRAY' && (converted === 'DECIMAL' || logical?.type === 'DECIMAL'))
    if (!isKnown) throw new ParquetUnsound(`${name} is of a kind that no time or number has`)
    this.#hyparquet = hyparquet
    this.#bytes = bytes
    this.#codec = meta.codec
    this.#nullable = element.repetition_type !== 'REQUIRED'
    this.#left = rows
    this.#decoder = {
      pathInSchema: [name],
      type,
      element,
      schemaPath: [...path],
      // Pages are unpacked here.
      codec: 'UNCOMPRESSED',
      parsers: { ...hyparquet.DEFAULT_PARSERS, ...parsers },
    }
  }

  /** The next cell. @throws Error where its page cannot be read. */
  next(): unknown {
    while (this.#at === this.#page.length) this.#turn()
    return this.#page[this.#at++]
  }

  #turn(): void {
    const { header, body } = this.#next()
    const view = new DataView(body.buffer, body.byteOffset, body.length)
    const page = this.#hyparquet.readPage(
      { view, offset: 0 },
      { ...header, compressed_page_size: body.length, uncompressed_page_size: body.length },
      this.#decoder,
      this.#dictionary,
      undefined,
      0,
    )
    if (header.type === 'DICTIONARY_PAGE') {
      this.#dictionary = this.#hyparquet.convert(page.data ?? [], this.#decoder)
      return
    }
    const values = valuesOf(header)
    if (page.data?.length !== values) throw new ParquetUnsound('a page has fewer values than it says')
    this.#left -= values
    this.#page = page.data
    this.#at = 0
  }

  /** The next page, unpacked and checked. */
  #next(): { readonly header: PageHeader; readonly body: Buffer } {
    if (this.#offset >= this.#bytes.length) throw new ParquetUnsound('its pages end early')
    const walk = new ThriftWalk(this.#bytes, this.#offset)
    walk.struct()
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
    const header = this.#hyparquet.parquetHeader({ view, offset: this.#offset })
    const packed = header.compressed_page_size
    if (!(packed >= 0 && walk.at + packed <= this.#bytes.length))
      throw new ParquetUnsound('a page does not end within its column')
    this.#offset = walk.at + packed
    const bytes = this.#bytes.subarray(walk.at, this.#offset)
    this.#checkSizes(header)
    return checked(this.#hyparquet, this.#unpacked(header, bytes), this.#nullable)
  }

  #checkSizes(header: PageHeader): void {
    const { type, element } = this.#decoder
    const isDictionary = header.type === 'DICTIONARY_PAGE'
    const values = valuesOf(header)
    const isText = type === 'BYTE_ARRAY'
    const atAll = isText && !encodingOf(header)?.endsWith('_DICTIONARY') ? TEXTS_AT_ALL : VALUES_AT_ALL
    const most = Math.min(MOST_VALUES, atAll + VALUES_PER_BYTE * header.compressed_page_size)
    if (!(values >= 0 && values <= most) || (!isDictionary && values > this.#left))
      throw new ParquetUnsound(`a page says to have ${values} values in ${header.compressed_page_size} bytes`)
    const width = WIDTHS[type] ?? (isText ? TEXT_BYTES : (element.type_length ?? 0))
    if (type === 'FIXED_LEN_BYTE_ARRAY' && !(width > 0 && width <= LONGEST_FIXED))
      throw new ParquetUnsound(`its texts are of ${width} bytes each`)
    const largest = PAGE_BYTES + values * (width + MARGIN)
    const unpacked = header.uncompressed_page_size
    if (!(unpacked >= 0 && unpacked <= (isText ? Math.min(largest, LARGEST_TEXTS) : largest)))
      throw new ParquetUnsound(`a page of ${values} values says to unpack to ${unpacked} bytes`)
  }

  /** A page without compression, and the header that one without has. */
  #unpacked(header: PageHeader, bytes: Buffer): { readonly header: PageHeader; readonly body: Buffer } {
    const { data_page_header_v2: second, uncompressed_page_size: size } = header
    if (second === undefined) return { header, body: this.#unpack(bytes, size) }
    const levels = second.definition_levels_byte_length + second.repetition_levels_byte_length
    if (
      second.repetition_levels_byte_length !== 0 ||
      !(levels >= 0 && levels <= Math.min(size, bytes.length))
    )
      throw new ParquetUnsound('a page has levels that are not its')
    const rest = bytes.subarray(levels)
    const values = second.is_compressed === false ? rest : this.#unpack(rest, size - levels)
    return {
      header: { ...header, data_page_header_v2: { ...second, is_compressed: false } },
      body: Buffer.concat([bytes.subarray(0, levels), values]),
    }
  }

  #unpack(bytes: Buffer, size: number): Buffer {
    const unpack = this.#codec === 'UNCOMPRESSED' ? (packed: Buffer) => packed : UNPACKERS[this.#codec]
    if (unpack === undefined) throw new ParquetUnsound(`unsupported compression ${this.#codec}`)
    const unpacked = unpack(bytes, size, this.#hyparquet)
    if (unpacked.length !== size) throw new ParquetUnsound('a page unpacks to another length than it says')
    return unpacked
  }
}

type Unpack = (packed: Buffer, size: number, hyparquet: Hyparquet) => Buffer

/** None gives more than the size that a page says to have. */
const UNPACKERS: Readonly<Record<string, Unpack>> = {
  GZIP: (packed, size) => zlib.gunzipSync(packed, { maxOutputLength: size + 1 }),
  BROTLI: (packed, size) => zlib.brotliDecompressSync(packed, { maxOutputLength: size + 1 }),
  SNAPPY(packed, size, { snappyUncompress }) {
    checkSnappy(packed, size)
    const unpacked = Buffer.alloc(size)
    snappyUncompress(packed, unpacked)
    return unpacked
  },
  ...('zstdDecompressSync' in zlib && { ZSTD: unpackZstd }),
}

function unpackZstd(packed: Buffer, size: number): Buffer {
  // Where the types are those of an older Node.
  const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync: typeof zlib.gunzipSync }
  return zstdDecompressSync(packed, { maxOutputLength: size + 1 })
}

function valuesOf({
  type,
  data_page_header,
  data_page_header_v2,
  dictionary_page_header,
}: PageHeader): number {
  const header =
    type === 'DATA_PAGE'
      ? data_page_header
      : type === 'DATA_PAGE_V2'
        ? data_page_header_v2
        : type === 'DICTIONARY_PAGE'
          ? dictionary_page_header
          : undefined
  if (header === undefined) throw new ParquetUnsound(`a page is of the kind ${type}`)
  return header.num_values
}

function encodingOf({ data_page_header, data_page_header_v2 }: PageHeader): string | undefined {
  return (data_page_header ?? data_page_header_v2)?.encoding
}

/** @throws ParquetUnsound where what is in a page is not as many values as its header says. */
function checked(
  hyparquet: Hyparquet,
  page: { readonly header: PageHeader; readonly body: Buffer },
  nullable: boolean,
): typeof page {
  const { header, body } = page
  if (header.type === 'DICTIONARY_PAGE') return page
  const values = valuesOf(header)
  const { data_page_header_v2: second } = header
  let at = 0
  let present = values
  if (second !== undefined) {
    at = second.definition_levels_byte_length
    if (nullable) present = checkRuns(body, 0, at, 1, values)
    if (present !== values - second.num_nulls || second.num_rows !== values)
      throw new ParquetUnsound('a page has another number of values than it says')
  } else if (nullable) {
    at = 4 + body.readUInt32LE(0)
    if (at > body.length) throw new ParquetUnsound('a page has levels that do not end within it')
    present = checkRuns(body, 4, at, 1, values)
  }
  checkValues(hyparquet, body.subarray(at), encodingOf(header), present, second !== undefined)
  return page
}

function checkValues(
  hyparquet: Hyparquet,
  body: Buffer,
  encoding: string | undefined,
  values: number,
  second: boolean,
): void {
  if (encoding === 'PLAIN' || encoding === 'BYTE_STREAM_SPLIT') return
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
    const width = body.length === 0 ? 0 : body.readUInt8(0)
    if (width > 32) throw new ParquetUnsound('a page has numbers wider than any are')
    // Pages of the first kind have no runs where all is the first of the dictionary.
    if (values > 0 && (width > 0 || second)) checkRuns(body, 1, body.length, width, values)
  } else if (encoding === 'DELTA_BINARY_PACKED' || encoding === 'DELTA_LENGTH_BYTE_ARRAY') {
    if (values > 0) checkDeltas(body, 0, values)
  } else if (encoding === 'DELTA_BYTE_ARRAY') {
    if (values > 0) checkPrefixes(hyparquet, body, values)
  } else throw new ParquetUnsound(`unsupported encoding ${encoding}`)
}

/** Texts that begin as the one before did: each is made whole. */
function checkPrefixes({ deltaBinaryUnpack }: Hyparquet, body: Buffer, values: number): void {
  let at = 0
  let bytes = 0
  for (const _ of ['prefixes', 'suffixes']) {
    const end = checkDeltas(body, at, values)
    const lengths = new Int32Array(values)
    deltaBinaryUnpack(
      { view: new DataView(body.buffer, body.byteOffset, body.length), offset: at },
      values,
      lengths,
    )
    for (const length of lengths) bytes += length < 0 ? Number.POSITIVE_INFINITY : length
    at = end
  }
  if (bytes > PAGE_BYTES + values * TEXT_BYTES)
    throw new ParquetUnsound(`a page of ${values} texts has ${bytes} bytes of them`)
}
