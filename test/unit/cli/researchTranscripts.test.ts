// What the commands of research say and leave.

import { keepTranscripts } from './transcript.ts'
import { prices } from './transcriptFiles.ts'

keepTranscripts(
  ['what-if', 'sweep', 'search', 'walk-forward', 'look-ahead', 'entries', 'objective', 'evaluate', 'data'],
  async (folder) => prices(folder),
)
