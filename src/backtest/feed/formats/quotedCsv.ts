/** CSV with quoted fields, rewritten without quotes so that the fast reader can take it. Needs csv-parse. */
import { Readable } from 'node:stream'
import type { ByteSource } from '../byteSource.ts'
import { FeedError } from '../feedError.ts'
import { type Head, readHead } from '../reader.ts'

/** A field may hold the delimiter of the file, but hardly this one. */
const PLAIN_DELIMITER = '|'
const LINES_PER_CHUNK = 1000

/** @returns the head of the same rows without quotes, or `undefined` where the quotes are not CSV's. */
export async function withoutQuotes(head: Head): Promise<Head | undefined> {
  if (!head.lines[0]?.includes(',') && !head.lines[0]?.includes(';')) return undefined
  const delimiter = /^"[^"]*";|;/.test(head.lines[0]) && !head.lines[0].includes(',') ? ';' : ','
  const { parse } = await csvParse(head.source.path)
  const source: ByteSource = { ...head.source, bytes: () => rewritten(head.source, delimiter, parse) }
  return readHead(source)
}

async function csvParse(path: string): Promise<typeof import('csv-parse')> {
  try {
    return await import('csv-parse')
  } catch (cause) {
    const reason = 'the file has quoted fields, and reading those needs the package csv-parse'
    throw new FeedError(path, null, reason, { cause })
  }
}

async function* rewritten(
  source: ByteSource,
  delimiter: string,
  parse: typeof import('csv-parse')['parse'],
): AsyncGenerator<Uint8Array> {
  const records = Readable.from(source.bytes()).pipe(
    parse({ delimiter, relax_column_count: true, skip_empty_lines: false, raw: false }),
  )
  let lines: string[] = []
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      lines.push(record.map((field) => field.replace(/[\r\n|]/g, ' ')).join(PLAIN_DELIMITER), '\n')
      if (lines.length < LINES_PER_CHUNK) continue
      yield Buffer.from(lines.join(''))
      lines = []
    }
  } catch (cause) {
    if (cause instanceof FeedError) throw cause
    throw new FeedError(source.path, null, `the quoting is broken (${(cause as Error).message})`, { cause })
  }
  yield Buffer.from(lines.join(''))
}
