/**
 * Feeds of files, kept in columns: files are read once and from then on their columns are, which takes a hundredth of the
 * time. What a feed gives, its chunks, its summary and its errors, is the same to the last bit with and without.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { endianness } from 'node:os'
import path from 'node:path'
import { VERSION } from '../../../version.ts'
import type { BarColumns, TickColumns } from '../columns.ts'
import type { Feed } from '../feed.ts'
import { FeedError } from '../feedError.ts'
import { type DataFiles, dataFilesOf, leftOutNote } from '../folder.ts'
import { type FeedOptions, openFeed } from '../openFeed.ts'
import { RowReport } from '../rowReport.ts'
import {
  COLUMN_FORMAT,
  ColumnFileWriter,
  type ColumnIndex,
  readChunk,
  readIndex,
  summaryAt,
} from './columnFile.ts'
import { isUnchanged, stateOf } from './sourceState.ts'

/** The ending of the files of a cache. */
export const CACHED = '.columns'

/** Files larger than this together, bytes, are read anew each time: a cache of them would fill a disk unasked. */
const LARGEST = 1 << 29

/**
 * As {@link openFeed}, through a cache in `folder`. Files that cannot be read to their end, those that are larger than 512 MiB
 * together, and all where the folder cannot be written, are read as without a cache.
 *
 * @throws FeedError as {@link openFeed} does.
 */
export async function openCachedFeed(options: FeedOptions, folder: string): Promise<Feed> {
  const found = await dataFilesOf(options.path)
  const { files } = found
  const place = path.join(folder, `${nameOf(files, options)}${CACHED}`)
  const known = await validIndex(place, files)
  if (known !== null) return feedOf(place, known, found, options)
  const feed = await openFeed(options)
  if ((await sizeOf(files)) > LARGEST) return feed
  const made = await keep(feed, files, place).catch(() => null)
  return made === null ? openFeed(options) : feedOf(place, made, found, options)
}

/** Files that were read in another way, or by another version, have columns of their own. */
function nameOf(files: readonly string[], { path: _, ...reading }: FeedOptions): string {
  const places = files.map((file) => [file, path.resolve(file)])
  const key = JSON.stringify([COLUMN_FORMAT, VERSION, endianness(), places, reading])
  return createHash('sha256').update(key).digest('hex').slice(0, 32)
}

async function validIndex(place: string, files: readonly string[]): Promise<ColumnIndex | null> {
  return withFile(place, async (file) => {
    const index = await readIndex(file)
    if (index === null || index.sources.length !== files.length) return null
    for (const [at, source] of index.sources.entries())
      if (!(await isUnchanged(files[at] as string, source, index.begun))) return null
    return index
  }).catch(() => null)
}

/** Reads all of a feed into the cache; `null` where its files changed meanwhile. @throws whatever reading or writing does. */
async function keep(feed: Feed, files: readonly string[], place: string): Promise<ColumnIndex | null> {
  await mkdir(path.dirname(place), { recursive: true })
  const begun = Date.now()
  const sources = await Promise.all(files.map(stateOf))
  const part = `${place}.${randomUUID()}.part`
  try {
    await written(feed, part, { sources, begun })
    for (const [at, source] of sources.entries())
      if (!(await isUnchanged(files[at] as string, source, begun))) return null
    await rename(part, place)
  } finally {
    await rm(part, { force: true })
  }
  return withFile(place, readIndex)
}

async function written(
  feed: Feed,
  part: string,
  index: Pick<ColumnIndex, 'sources' | 'begun'>,
): Promise<void> {
  const file = await open(part, 'wx')
  try {
    const writer = new ColumnFileWriter(file, feed.kind)
    await writer.begin()
    for await (const chunk of feed as AsyncIterable<BarColumns | TickColumns>)
      await writer.add(chunk, feed.summary())
    const intervalMs = feed.kind === 'bars' ? feed.intervalMs : null
    await writer.end(feed.summary(), { ...index, format: feed.format, intervalMs })
  } finally {
    await file.close()
  }
}

function feedOf(place: string, index: ColumnIndex, found: DataFiles, options: FeedOptions): Feed {
  let summary = new RowReport('fail').summary()
  const note = leftOutNote(options.path, found)
  const properties = {
    sources: found.files,
    format: index.format,
    ...(note !== null && { note }),
    summary: () => summary,
  }
  async function* chunks() {
    summary = new RowReport('fail').summary()
    const file = await open(place).catch(() => null)
    try {
      for (let number = 0; number < index.chunks.length; number++) {
        const chunk = file === null ? null : await readChunk(file, index, number).catch(() => null)
        if (chunk === null) return yield* fromSource(number)
        summary = summaryAt(index, number)
        yield chunk
      }
      summary = summaryAt(index, index.chunks.length)
    } finally {
      await file?.close()
    }
  }
  /**
   * The rest, where the columns turn out to be damaged; they are made again when the files are opened next.
   *
   * @throws FeedError where a file has changed: what was given so far is of another.
   */
  async function* fromSource(from: number) {
    await rm(place, { force: true }).catch(() => {})
    for (const [at, source] of index.sources.entries()) {
      const file = found.files[at] as string
      if (!(await isUnchanged(file, source, index.begun)))
        throw new FeedError(file, null, 'it has changed since it was opened')
    }
    const feed = await openFeed(options)
    let number = 0
    for await (const chunk of feed as AsyncIterable<BarColumns | TickColumns>) {
      if (number++ < from) continue
      summary = feed.summary()
      yield chunk
    }
    summary = feed.summary()
  }
  const whole = { ...properties, [Symbol.asyncIterator]: chunks }
  return (
    index.columns === 'bars'
      ? { ...whole, kind: 'bars', intervalMs: index.intervalMs }
      : { ...whole, kind: 'ticks' }
  ) as Feed
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function withFile<Result>(place: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(place)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
