// Parquet files, byte by byte: what no library would write.

/** A value of the Thrift compact protocol: its kind, and its bytes. */
type Part = readonly [kind: number, bytes: Buffer]

export const i32 = (value: number): Part => [5, zigZag(BigInt(value))]
export const i64 = (value: bigint): Part => [6, zigZag(value)]
export const text = (value: string | Buffer): Part => [
  8,
  Buffer.concat([varint(value.length), Buffer.from(value)]),
]
const flag = (value: boolean): Part => [value ? 1 : 2, Buffer.alloc(0)]
export const struct = (fields: Readonly<Record<number, Part>>): Part => [12, structBytes(fields)]
export const list = (parts: readonly Part[], size = parts.length): Part => [
  9,
  Buffer.concat([Buffer.of(0xf0 | (parts[0]?.[0] ?? 12)), varint(size), ...parts.map(([, bytes]) => bytes)]),
]

export function varint(value: number | bigint): Buffer {
  const bytes: number[] = []
  let left = BigInt(value)
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128)
  return Buffer.from([...bytes, Number(left)])
}

export function zigZag(value: bigint): Buffer {
  return varint(value < 0n ? -2n * value - 1n : 2n * value)
}

export function structBytes(fields: Readonly<Record<number, Part>>): Buffer {
  const parts: Buffer[] = []
  let last = 0
  for (const [field, [kind, bytes]] of Object.entries(fields)) {
    parts.push(Buffer.of(((Number(field) - last) << 4) | kind), bytes)
    last = Number(field)
  }
  return Buffer.concat([...parts, Buffer.of(0)])
}

/** Codes of `parquet.thrift`. */
export const TYPE = { INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6, FIXED: 7 }
export const CODEC = { UNCOMPRESSED: 0, SNAPPY: 1, GZIP: 2, BROTLI: 4 }
export const ENCODING = {
  PLAIN: 0,
  RLE: 3,
  DELTA_BINARY_PACKED: 5,
  DELTA_LENGTH: 6,
  DELTA_BYTE_ARRAY: 7,
  DICTIONARY: 8,
}

export interface Page {
  /** 0 for values, 2 for a dictionary. */
  readonly kind?: number
  readonly values: number
  readonly encoding: number
  readonly body: Buffer
  /** What its header says that it unpacks to; default the length of the body. */
  readonly unpacked?: number
  /** The same of its length. */
  readonly packed?: number
}

export function pageBytes({ kind = 0, values, encoding, body, unpacked, packed }: Page): Buffer {
  const inner = struct({ 1: i32(values), 2: i32(encoding), ...(kind === 0 && { 3: i32(3), 4: i32(3) }) })
  const sizes = { 1: i32(kind), 2: i32(unpacked ?? body.length), 3: i32(packed ?? body.length) }
  return Buffer.concat([structBytes({ ...sizes, [kind === 0 ? 5 : 7]: inner }), body])
}

/** A page of the second kind, whose levels lie before its values and are not packed. */
export function secondPage(
  values: number,
  nulls: number,
  encoding: number,
  levels: Buffer,
  body: Buffer,
): Buffer {
  const inner = {
    ...{ 1: i32(values), 2: i32(nulls), 3: i32(values), 4: i32(encoding) },
    ...{ 5: i32(levels.length), 6: i32(0), 7: flag(false) },
  }
  const size = i32(levels.length + body.length)
  return Buffer.concat([structBytes({ 1: i32(3), 2: size, 3: size, 8: struct(inner) }), levels, body])
}

export interface Column {
  readonly name: string
  readonly type: number
  readonly codec?: number
  readonly nullable?: boolean
  readonly typeLength?: number
  /** A code of ConvertedType. */
  readonly converted?: number
  readonly pages: Buffer
  /** Statistics of the chunk. */
  readonly greatest?: Buffer
  /** Where its pages are said to begin; default where they do. */
  readonly at?: number
  readonly length?: number
}

/** A file with one group of rows, which is described `times` over, and what its writer has noted for itself. */
export function parquetBytes(rows: bigint, columns: readonly Column[], times = 1, noted = ''): Buffer {
  let at = 4
  const places = columns.map(({ pages }) => {
    at += pages.length
    return at - pages.length
  })
  const elements = columns.map(({ name, type, nullable, converted, typeLength }) =>
    struct({
      1: i32(type),
      ...(typeLength !== undefined && { 2: i32(typeLength) }),
      ...{ 3: i32(nullable ? 1 : 0), 4: text(name) },
      ...(converted !== undefined && { 6: i32(converted) }),
    }),
  )
  const chunks = columns.map((column, index) => {
    const place = i64(BigInt(column.at ?? (places[index] as number)))
    const length = i64(BigInt(column.length ?? column.pages.length))
    const meta = {
      ...{ 1: i32(column.type), 2: list([i32(0)]), 3: list([text(column.name)]), 4: i32(column.codec ?? 0) },
      ...{ 5: i64(rows), 6: length, 7: length, 9: place },
      ...(column.greatest && { 12: struct({ 1: text(column.greatest) }) }),
    }
    return struct({ 2: i64(4n), 3: struct(meta) })
  })
  const group = struct({ 1: list(chunks), 2: i64(1n), 3: i64(rows) })
  const root = struct({ 4: text('schema'), 5: i32(columns.length) })
  const groups = list(Array.from({ length: times }, () => group))
  const description = {
    ...{ 1: i32(2), 2: list([root, ...elements]), 3: i64(rows * BigInt(times)), 4: groups },
    ...(noted !== '' && { 5: list([struct({ 1: text('pandas'), 2: text(noted) })]) }),
  }
  return described(Buffer.concat(columns.map(({ pages }) => pages)), structBytes(description))
}

/** Pages with any description. */
export function described(pages: Buffer, description: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(description.length)
  return Buffer.concat([Buffer.from('PAR1'), pages, description, length, Buffer.from('PAR1')])
}
