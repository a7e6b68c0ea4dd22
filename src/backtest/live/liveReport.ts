/** The report of a live run: the page of a backtest, with what befell the run. */
import { type AgainstMarkets, againstMarkets } from '../beside/againstMarkets.ts'
import { moment, money, span } from '../output/presentation.ts'
import { liveSection } from '../report/liveSection.ts'
import { type ReportData, reportData } from '../report/reportData.ts'
import type { JournalRun } from './journalRun.ts'

export function liveReport(
  { result, recording, incidents, begin }: JournalRun,
  against: AgainstMarkets = againstMarkets(result, recording),
): ReportData {
  const { from, to, initialBalance, rows } = result
  return {
    ...reportData(result, recording, null, null, null, against),
    facts: [
      ['Period', `${moment(from).slice(0, 16)} – ${moment(to).slice(0, 16)} UTC`],
      ['Length', span(to - from)],
      ['Venue', begin.venue === '' ? 'not told' : begin.venue],
      ['Prices', `${rows.toLocaleString('en-US')} of ${begin.assets.join(', ')}`],
      ['Bars', `${begin.intervalMs / 1_000} s`],
      ['Equity at the begin', money(initialBalance)],
    ],
    live: liveSection(begin.venue, incidents),
  }
}
