// What this process makes of the golden logs, for comparing processes and versions of Node.

import { asLines, fileOf, fold, goldenVersions, readLog, sha256, writeLog } from './goldenLog.ts'

for (const version of goldenVersions()) {
  const commits = await readLog(fileOf(version, 'venue.commits'))
  const folded = fold(commits)
  const rewritten = sha256(await writeLog(commits))
  process.stdout.write(
    asLines([{ version, head: folded.world.seq, stateHash: folded.stateHash(), rewritten }]),
  )
}
