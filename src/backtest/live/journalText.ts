/** Entries of a journal as lines of JSON, and back: amounts and prices as decimals, exact to the last digit, times as ISO 8601. */
import { formatInstant } from '../../projections/wire.ts'
import { formatDecimal, fp9 } from '../../quantity/decimal.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import { JOURNAL_FORMAT, type JournalEntry } from './journal.ts'

/** An entry as a line. */
export function journalLine({ at, ...entry }: JournalEntry): string {
  const readable = (_field: string, value: unknown) =>
    typeof value === 'bigint' ? formatDecimal(value) : value
  return `${JSON.stringify({ at: formatInstant(at), ...entry }, readable)}\n`
}

/** A line that is none of a journal's. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

const TYPES: ReadonlySet<unknown> = new Set<JournalEntry['type']>([
  'run',
  'price',
  'bar',
  'event',
  'account',
  'asked',
  'fitting',
  'fit',
  'foretold',
  'missing',
  'late',
  'waited',
  'lost',
  'market',
  'back',
  'untold',
  'end',
])

/** The entry of a line. @throws JournalError where it is none. */
export function journalEntry(line: string): JournalEntry {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    throw new JournalError('it is no JSON')
  }
  if (typeof read !== 'object' || read === null || !('type' in read) || !TYPES.has(read.type))
    throw new JournalError('it is no entry of a journal')
  const { at, plan, files, ...rest } = read as {
    readonly [Field in 'at' | 'plan' | 'files']?: unknown
  }
  const time = writtenInstant(String(at))
  if (time === null) throw new JournalError('it has no time')
  const entry = { ...(revived(rest) as object), at: time } as JournalEntry
  if (entry.type !== 'run') return entry
  if (entry.format !== JOURNAL_FORMAT)
    throw new JournalError(
      `the journal is of format ${String(entry.format)}; this version reads ${JOURNAL_FORMAT}`,
    )
  // What a plan and a hash say is text, also where it looks like an amount.
  const told = files === undefined ? {} : { files: files as NonNullable<typeof entry.files> }
  return { ...entry, plan: (plan ?? null) as typeof entry.plan, ...told }
}

/** Fields that are text however they look. */
const TEXTS = new Set([
  'asset',
  'assets',
  'baseAsset',
  'ticker',
  'part',
  'why',
  'error',
  'answer',
  'strategy',
  'venue',
  'sha256',
  'model',
  'scores',
])
const DECIMAL = /^-?[0-9]+(\.[0-9]{1,9})?$/

function revived(value: unknown): unknown {
  if (typeof value === 'string') return DECIMAL.test(value) ? fp9(value) : value
  if (Array.isArray(value)) return value.map(revived)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [field, TEXTS.has(field) ? item : revived(item)]),
  )
}
