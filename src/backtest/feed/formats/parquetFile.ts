/**
 * A Parquet file, described: its columns, and where the pages of each lie. What it describes has to lie in the file, nothing
 * of it twice, and its rows have to be some proportion of its bytes, so that reading it takes a time and a memory that its size
 * tells.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { ColumnMetaData, RowGroup, SchemaElement, SchemaTree } from 'hyparquet'
import { ParquetUnsound, ThriftWalk } from './parquetBounds.ts'
import type { Hyparquet } from './parquetLibrary.ts'

/** Of the description, bytes: a thousand row groups of twenty columns take three million. */
const LARGEST_DESCRIPTION = 1 << 24
const MOST_COLUMNS = 4_096
/** Rows that any file may have, however little they take; beyond them as many as there are times so many bytes. */
const ROWS_AT_ALL = 1 << 20
const ROWS_PER_BYTE = 8
/** What the writer notes for itself, as pandas does. */
const WRITERS_OWN = new Set([5])

/** A part of the rows. */
export interface Group {
  readonly rows: number
  /** The columns asked for, in their order. */
  readonly chunks: readonly Chunk[]
}

/** Pages of a column. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly meta: ColumnMetaData
  readonly path: readonly [SchemaTree, SchemaTree]
}

export class ParquetFile {
  readonly #file: FileHandle
  readonly #bytes: number
  readonly #schema: SchemaTree
  readonly #groups: readonly RowGroup[]

  private constructor(file: FileHandle, bytes: number, schema: SchemaTree, groups: readonly RowGroup[]) {
    this.#file = file
    this.#bytes = bytes
    this.#schema = schema
    this.#groups = groups
  }

  /** @throws Error when the description cannot be followed. */
  static async open(path: string, hyparquet: Hyparquet): Promise<ParquetFile> {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const description = await describing(file, size)
      const metadata = hyparquet.parquetMetadata(description, { geoparquet: false })
      if (metadata.schema.length > MOST_COLUMNS)
        throw new ParquetUnsound(`it has more than ${MOST_COLUMNS} columns`)
      const schema = hyparquet.parquetSchema(metadata)
      if (schema.children.some(({ element }) => typeof element.name !== 'string'))
        throw new ParquetUnsound('it has a column without a name')
      return new ParquetFile(file, size, schema, metadata.row_groups)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** The columns there are. */
  get elements(): readonly SchemaElement[] {
    return this.#schema.children.map(({ element }) => element)
  }

  /** @throws ParquetUnsound where a column asked for is not there, or not as such a file has them. */
  groups(columns: readonly number[]): Group[] {
    const groups = this.#groups.map((group) => this.#group(group, columns))
    const rows = groups.reduce((sum, group) => sum + group.rows, 0)
    if (!(rows <= ROWS_AT_ALL + ROWS_PER_BYTE * this.#bytes))
      throw new ParquetUnsound(`it says to have ${rows} rows in ${this.#bytes} bytes`)
    const chunks = groups.flatMap((group) => [
      ...new Map(group.chunks.map((chunk) => [chunk.path[1], chunk])).values(),
    ])
    chunks.sort((a, b) => a.start - b.start)
    for (const [index, { start }] of chunks.entries())
      if (index > 0 && start < (chunks[index - 1] as Chunk).end)
        throw new ParquetUnsound('two of its columns lie on each other')
    return groups
  }

  #group(group: RowGroup, columns: readonly number[]): Group {
    const rows = countOf(group.num_rows)
    const chunks = columns.map((index): Chunk => {
      const child = this.#schema.children[index] as SchemaTree
      const { name, type } = child.element
      const column = group.columns.find(
        ({ meta_data: meta }) => meta?.path_in_schema.length === 1 && meta.path_in_schema[0] === name,
      )
      const meta = column?.meta_data
      if (meta === undefined || meta.type !== type || column?.file_path !== undefined)
        throw new ParquetUnsound(`it has rows without ${name}`)
      const first = countOf(meta.data_page_offset)
      const dictionary = countOf(meta.dictionary_page_offset ?? 0n)
      const start = dictionary > 0 && dictionary < first ? dictionary : first
      const end = start + countOf(meta.total_compressed_size)
      if (end > this.#bytes) throw new ParquetUnsound(`${name} lies outside the file`)
      return { start, end, meta, path: [this.#schema, child] }
    })
    return { rows, chunks }
  }

  /** The bytes of a chunk. */
  read({ start, end }: Chunk): Promise<Buffer> {
    return bytesOf(this.#file, start, end)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/** The description with what follows it, checked. */
async function describing(file: FileHandle, size: number): Promise<Buffer> {
  const end = await bytesOf(file, Math.max(0, size - 8), size)
  if (end.toString('latin1', 4) !== 'PAR1') throw new ParquetUnsound('its end is missing')
  const length = end.readUInt32LE(0)
  if (length > size - 8 || length > LARGEST_DESCRIPTION)
    throw new ParquetUnsound(`its description is said to have ${length} bytes`)
  const description = await bytesOf(file, size - 8 - length, size)
  new ThriftWalk(description.subarray(0, length), 0).struct(0, WRITERS_OWN)
  return description
}

async function bytesOf(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read)
    if (bytesRead === 0) throw new ParquetUnsound('it ends early')
    read += bytesRead
  }
  return bytes
}

function countOf(count: bigint | number): number {
  const number = Number(count)
  if (!(number >= 0 && Number.isSafeInteger(number)))
    throw new ParquetUnsound(`it counts ${count} of something`)
  return number
}
