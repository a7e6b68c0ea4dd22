/** Where the log is that a command reads: in a data directory, or in a database as the log of a shard. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Commit } from '../events/commit.ts'
import { databaseUrl, withinDatabase } from './databaseUrl.ts'
import { ARCHIVE_OPTION, withDirectory } from './dataDirectory.ts'
import { allOf } from './failure.ts'

/** What says where a log is, besides a directory. */
export interface PlaceOptions {
  readonly archive?: string
  readonly postgres?: string
  readonly shard?: number
  readonly schema?: string
}

/** The log of a shard in a database. */
export interface ShardPlace {
  readonly url: string
  readonly schema: string
  readonly shard: number
}

export type LogPlace =
  | { readonly directory: string; readonly archive: string | undefined }
  | { readonly database: ShardPlace }

export function withPlaceOptions(command: Command): Command {
  return command
    .option(...ARCHIVE_OPTION)
    .option('--postgres <url>', 'a database instead of a directory; a password is better left to PGPASSWORD')
    .option('--shard <number>', 'the shard of the venue in the database', shardNumber)
    .option('--schema <name>', 'the schema of the venue in the database (default: margin_core)')
}

export function shardNumber(text: string): number {
  if (!/^(0|[1-9][0-9]{0,8})$/.test(text))
    throw new InvalidArgumentError('It is no number of a shard, from 0 on.')
  return Number(text)
}

/**
 * Where the log is, and what else was given: a directory comes first, unless a database is named. `names`: of what else is
 * wanted; one in brackets may be left out.
 */
export function placeOf(
  words: readonly string[],
  { archive, postgres, shard, schema }: PlaceOptions,
  names: readonly string[] = [],
): { readonly place: LogPlace; readonly rest: readonly string[] } {
  const wanted = postgres === undefined ? ['directory', ...names] : names
  const needed = wanted.filter((name) => !name.startsWith('['))
  const faults = [
    words.length < needed.length && `missing: ${needed.slice(words.length).join(', ')}`,
    words.length > wanted.length && `too much: ${words.slice(wanted.length).join(' ')}`,
    postgres === undefined &&
      (shard !== undefined || schema !== undefined) &&
      '--shard and --schema say which log of a database: --postgres URL names that',
    postgres !== undefined && archive !== undefined && 'a log in a database has no archive',
    postgres !== undefined && shard === undefined && 'which shard of the database: --shard N',
  ]
  if (faults.some((fault) => fault !== false)) throw allOf(...faults)
  if (postgres === undefined || shard === undefined) {
    const [directory, ...rest] = words as readonly [string, ...string[]]
    return { place: { directory, archive }, rest }
  }
  return {
    place: { database: { url: databaseUrl(postgres), schema: schema ?? 'margin_core', shard } },
    rest: words,
  }
}

/** Runs something over a log. */
export function withLog<T>(
  place: LogPlace,
  use: (log: () => AsyncIterable<readonly Commit[]>) => Promise<T>,
): Promise<T> {
  if ('directory' in place) return withDirectory(place.directory, place.archive, use)
  return withShard(place.database, (log) => use(() => log.read(1)))
}

type ShardLog = Awaited<ReturnType<typeof import('../store/postgres/postgresLog.ts')['openPostgresLog']>>

/** Runs something over the log of a shard. @throws UsageError, without the password, where the database cannot be read. */
export async function withShard<T>(
  { url, schema, shard }: ShardPlace,
  use: (log: ShardLog) => Promise<T>,
): Promise<T> {
  const { openPostgresLog } = await import('../store/postgres/postgresLog.ts')
  return withinDatabase(url, async () => {
    const log = await openPostgresLog(url, schema, shard)
    try {
      return await use(log)
    } finally {
      await log.close()
    }
  })
}
