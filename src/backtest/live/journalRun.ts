/** A journal as the result of a run: what a backtest tells of itself, told of a live run, so that the same report draws both. */
import type { Recorded } from '../recording/recording.ts'
import type { BacktestResult, PlayedFeed } from '../run/run.ts'
import { type Incident, IncidentLog } from './incidents.ts'
import type { JournalBegin, JournalEntry } from './journal.ts'
import { LearnedLog } from './learnedLog.ts'
import { LiveAccount } from './liveAccount.ts'
import { pastNotes } from './pastNotes.ts'
import { readJournal } from './readJournal.ts'

/** A live run as its journal has it. */
export interface JournalRun {
  readonly result: BacktestResult
  readonly recording: Recorded
  readonly incidents: readonly Incident[]
  /** How it began. */
  readonly begin: JournalBegin
}

/**
 * Reads a journal to its end; `onEntry` is told of each entry before it counts.
 *
 * @throws JournalError for what is no journal.
 */
export async function readJournalRun(
  file: string,
  onEntry: (entry: JournalEntry) => void = () => {},
): Promise<JournalRun> {
  const incidents = new IncidentLog()
  const learned = new LearnedLog()
  let run: { readonly begin: JournalBegin; readonly account: LiveAccount } | null = null
  for await (const entry of readJournal(file, ({ file: part, line }) => incidents.torn(part, line))) {
    onEntry(entry)
    if (run === null) {
      if (entry.type !== 'run') throw new TypeError('a journal begins with a run')
      run = { begin: entry, account: new LiveAccount(entry) }
    } else run.account.add(entry)
    incidents.add(entry, run.begin.intervalMs)
    learned.add(entry)
  }
  if (run === null) throw new TypeError('a journal has an entry')
  incidents.end()
  const { begin, account } = run
  const { results } = learned
  return {
    begin,
    incidents: incidents.incidents,
    recording: account.recording,
    result: {
      ...resultOf(begin, account, incidents.incidents),
      ...(results.length === 0 ? {} : { learned: results }),
    },
  }
}

function resultOf(begin: JournalBegin, account: LiveAccount, incidents: readonly Incident[]): BacktestResult {
  const result = account.result()
  return {
    ...result,
    path: 'adverse',
    from: begin.at,
    to: account.time,
    rows: account.prices,
    others: [],
    feeds: begin.assets.map((asset, market) => feedOf(account.pricesOf(market), asset, incidents)),
    notes: notesOf(begin, result.openPositions),
    stateHash: '',
    commits: account.events,
  }
}

function feedOf(rows: number, asset: string, incidents: readonly Incident[]): PlayedFeed {
  const missed = incidents.filter((incident) => incident.kind === 'missed bars' && incident.asset === asset)
  const largest = missed.reduce<Incident | null>((most, one) => (one.ms > (most?.ms ?? 0) ? one : most), null)
  return {
    ...{ rows, skipped: 0, firstSkipped: [] },
    gaps: missed.length,
    missingBars: missed.reduce((sum, { what }) => sum + Number.parseInt(what, 10), 0),
    largestGap: largest === null ? null : { from: largest.at, to: largest.at + largest.ms },
    emptyDays: [],
  }
}

function notesOf({ head, positions, warmUp }: JournalBegin, open: number): string[] {
  return [
    ...(head === null
      ? ['this venue has no stream: the journal has prices and the account, and no fills']
      : []),
    ...(positions.length > 0
      ? [`${positions.length} position(s) were open at the begin; they count from what they were worth then`]
      : []),
    ...(warmUp === undefined ? [] : pastNotes(warmUp)),
    ...(open > 0 ? [`${open} position(s) still open at the end, valued at the last price told`] : []),
  ]
}
