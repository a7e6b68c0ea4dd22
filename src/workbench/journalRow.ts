/** The journal of a live run as a row of the list: how it began, how it stood last, and the form that goes on with it. */
import { type FileHandle, open } from 'node:fs/promises'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { JournalBegin, JournalEntry } from '../backtest/live/journal.ts'
import { journalParts } from '../backtest/live/journalFile.ts'
import { JournalError, journalEntry } from '../backtest/live/journalText.ts'
import { money } from '../backtest/output/presentation.ts'
import { EMPTY_FORM, type FormMarket, type RunForm } from './runForm.ts'

/** What a journal says of itself at its begin and its end. */
export interface JournalRow {
  readonly begin: JournalBegin
  /** When something was noted last, epoch ms. */
  readonly to: number
  readonly note: string
  /** Null where a form cannot say how the run was made. */
  readonly goOn: RunForm | null
}

/** What of a begin is shown, and made a form of: anybody may have written the file. */
const Shown = Type.Object({
  type: Type.Literal('run'),
  strategy: Type.String(),
  venue: Type.String(),
  assets: Type.Array(Type.String()),
  intervalMs: Type.Number(),
  account: Type.Object({ riskStatus: Type.Object({ currentEquity: Type.BigInt() }) }),
  plan: Type.Union([
    Type.Null(),
    Type.Object({
      strategy: Type.String(),
      parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      markets: Type.Array(Type.Object({ asset: Type.String() })),
    }),
  ]),
})

/** A line that is longer is not read. */
const LONGEST_LINE = 1_048_576
/** What was noted last stands in the last of these. */
const TAIL_BYTES = 65_536

/** Null for what is no journal; `place` is its path in the folder. */
export async function journalRow(file: string, place: string): Promise<JournalRow | null> {
  const [first = file] = journalParts(file)
  const begin = (await linesIn(first, 'begin')).map(entryOf).find((entry) => entry !== null)
  if (begin?.type !== 'run' || !Check(Shown, begin)) return null
  const tail = (await linesIn(file, 'end')).map(entryOf).filter((entry) => entry !== null)
  const last = tail.at(-1)
  const account = tail.findLast((entry) => 'account' in entry)?.account ?? begin.account
  const equity = `equity ${money(account.riskStatus.currentEquity)} as last told`
  const how = last?.type === 'end' && last.error !== null ? last.error : equity
  const where = begin.venue === '' ? [] : [begin.venue]
  return { begin, to: last?.at ?? begin.at, note: [...where, how].join(', '), goOn: goOnWith(place, begin) }
}

function goOnWith(place: string, { plan, venue, assets, intervalMs }: JournalBegin): RunForm | null {
  if (plan === null || plan.portfolio !== undefined) return null
  const markets: FormMarket[] = plan.markets.flatMap(({ asset, data }) =>
    typeof data === 'string' ? [{ asset, data, funding: '' }] : [],
  )
  return {
    ...EMPTY_FORM,
    ...{ kind: 'live', strategy: plan.strategy, markets, out: place },
    parameters: Object.fromEntries(
      Object.entries(plan.parameters ?? {}).map(([name, value]) => [name, String(value)]),
    ),
    options: {
      live: venue,
      ...(markets.length > 0 ? {} : { asset: assets.join(',') }),
      ...(intervalMs === 60_000 ? {} : { interval: String(intervalMs / 1_000) }),
    },
  }
}

function entryOf(line: string): JournalEntry | null {
  try {
    return journalEntry(line)
  } catch (error) {
    // A line that was torn, or the half of one.
    if (error instanceof JournalError) return null
    throw error
  }
}

async function linesIn(file: string, where: 'begin' | 'end'): Promise<string[]> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return []
  try {
    return where === 'begin' ? await firstLine(handle) : await lastLines(handle)
  } finally {
    await handle.close()
  }
}

async function firstLine(handle: FileHandle): Promise<string[]> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(LONGEST_LINE), position: 0 })
  const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1)
  return [line]
}

async function lastLines(handle: FileHandle): Promise<string[]> {
  const { size } = await handle.stat()
  const position = Math.max(0, size - TAIL_BYTES)
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(TAIL_BYTES), position })
  return buffer.toString('utf8', 0, bytesRead).split('\n')
}
