/** A live run as files in a folder: those of a backtest, and what befell the run. */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatInstant } from '../../projections/wire.ts'
import { againstMarkets } from '../beside/againstMarkets.ts'
import type { Incident } from '../live/incidents.ts'
import type { JournalEvent } from '../live/journal.ts'
import type { JournalRun } from '../live/journalRun.ts'
import { journalLine } from '../live/journalText.ts'
import { liveReport } from '../live/liveReport.ts'
import { resultJson } from '../output/json.ts'
import type { NamedPeriod } from '../plan/periods.ts'
import { EVENTS_FILE, saveResult, saveTable, saveTables } from './saveRun.ts'
import type { Row } from './tables.ts'

/** Makes the folder and replaces files of these names: those of a backtest, and incidents.csv. */
export async function saveLiveRun(
  folder: string,
  run: JournalRun,
  events: readonly JournalEvent[],
  periods: readonly NamedPeriod[] = [],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { result, recording, incidents, begin } = run
  const against = againstMarkets(result, recording, periods)
  const report = liveReport(run, against)
  await saveTables(folder, result, recording, report, against)
  await saveTable(folder, 'incidents', incidentRows(incidents))
  const lines = Readable.from(events.map(journalLine))
  await pipeline(lines, createWriteStream(path.join(folder, EVENTS_FILE)))
  const told = incidents.map((incident) => ({ ...incident, at: formatInstant(incident.at) }))
  const live = { venue: begin.venue, plan: begin.plan, software: begin.software, incidents: told }
  await saveResult(folder, { ...resultJson(result, null, null, against), live }, report)
}

function* incidentRows(incidents: readonly Incident[]): Generator<Row> {
  for (const { at, kind, asset, ms, what } of incidents)
    yield { at: formatInstant(at), kind, asset: asset ?? '', ms, what }
}
