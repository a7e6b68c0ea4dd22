/** The parts of hyparquet that are used, which is loaded where a Parquet file is read. */
import { FeedError } from '../feedError.ts'

export type Hyparquet = Awaited<ReturnType<typeof loadHyparquet>>

/** @throws FeedError where it is not installed. */
export async function loadHyparquet(path: string) {
  try {
    const { parquetMetadata, parquetSchema, snappyUncompress } = await import('hyparquet')
    const { parquetHeader, readPage } = await import('hyparquet/src/column.js')
    const { convert, DEFAULT_PARSERS } = await import('hyparquet/src/convert.js')
    const { deltaBinaryUnpack } = await import('hyparquet/src/delta.js')
    return {
      parquetMetadata,
      parquetSchema,
      snappyUncompress,
      parquetHeader,
      readPage,
      convert,
      DEFAULT_PARSERS,
      deltaBinaryUnpack,
    }
  } catch (cause) {
    throw new FeedError(path, null, 'reading Parquet needs the package hyparquet', { cause })
  }
}
