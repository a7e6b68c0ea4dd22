/** Where the bytes of a data file come from: the file itself, or what is packed inside it. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { mustBeRegular } from '../../files/regularFile.ts'
import { FeedError } from './feedError.ts'
import { notOpened } from './notOpened.ts'
import { entryAsGzip, type ZipEntry, zipEntries } from './zipArchive.ts'

/** A data file, unpacked. */
export interface ByteSource {
  /** The path as given. */
  readonly path: string
  /** The name of the data itself: the entry of an archive, or the file's name without `.gz`. */
  readonly name: string
  /** Whether a checksum guards the bytes, so that a file that was cut off cannot go unnoticed. */
  readonly sealed: boolean
  /** The unpacked bytes from the start. @throws FeedError where the packing is damaged. */
  bytes(): AsyncIterable<Uint8Array>
}

const CHUNK_BYTES = 1 << 18

/** @throws FeedError where the file cannot be opened or an archive does not hold exactly one data file. */
export async function openByteSource(path: string): Promise<ByteSource> {
  const magic = await firstBytes(path)
  if (magic[0] === 0x1f && magic[1] === 0x8b) {
    const bytes = () => unpacked(path, createReadStream(path, { highWaterMark: CHUNK_BYTES }))
    return { path, name: basename(path).replace(/\.gz$/i, ''), sealed: true, bytes }
  }
  if (magic.toString('latin1').startsWith('PK')) {
    const entry = onlyDataFile(path, await zipEntries(path))
    return {
      path,
      name: entry.name,
      sealed: true,
      bytes: () => unpacked(path, Readable.from(entryAsGzip(path, entry))),
    }
  }
  return {
    path,
    name: basename(path),
    sealed: false,
    bytes: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
  }
}

function onlyDataFile(path: string, entries: readonly ZipEntry[]): ZipEntry {
  const files = entries.filter((entry) => !entry.name.endsWith('/'))
  const [entry] = files
  if (entry === undefined || files.length > 1) {
    throw new FeedError(path, null, `the archive holds ${files.length} files where one is expected`)
  }
  return entry
}

async function firstBytes(path: string): Promise<Buffer> {
  try {
    await mustBeRegular(path)
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw notOpened(path, cause as Error)
  }
}

async function* unpacked(path: string, packed: Readable): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // A failure of either stream destroys the other and surfaces in the loop below.
  pipeline(packed, gunzip, () => {})
  try {
    yield* gunzip
  } catch (cause) {
    if (cause instanceof FeedError) throw cause
    throw new FeedError(path, null, `the file is damaged or was cut off (${(cause as Error).message})`, {
      cause,
    })
  }
}
