/** The page that `margin-core report` makes of the journal of a live run, as it is by now. */
import path from 'node:path'
import { readJournalRun } from '../backtest/live/journalRun.ts'
import { liveReport } from '../backtest/live/liveReport.ts'
import { renderReport } from '../backtest/report/render.ts'
import { placeIn } from './confined.ts'

export async function journalPage(home: string, place: string): Promise<string> {
  await placeIn(home, place)
  return renderReport(liveReport(await readJournalRun(path.join(home, place))))
}
