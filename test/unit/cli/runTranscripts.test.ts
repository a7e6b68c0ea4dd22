// What the commands of runs say and leave: a run, its report, and runs beside each other.

import { keepTranscripts } from './transcript.ts'
import { liveJournal, prices } from './transcriptFiles.ts'

keepTranscripts(['backtest', 'report', 'compare'], async (folder) => {
  await liveJournal(folder)
  return prices(folder)
})
