/** `margin-core archive`: older files of a log, moved elsewhere and compressed. */
import { Command } from 'commander'
import type { Commit } from '../events/commit.ts'
import { requireLog } from './dataDirectory.ts'
import { checkFiles, derivedIn } from './derivedFiles.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import { json, print } from './logText.ts'
import { CountedProgress, Progress } from './progress.ts'

export function archiveCommand(): Command {
  return new Command('archive')
    .argument('<directory>', 'data directory of a venue; it must not be running')
    .requiredOption('--to <directory>', 'where to; once something was moved there, always the same')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples('archive venue-data --to /archive/venue', 'serve --data venue-data --archive /archive/venue'),
    )
    .action((directory: string, { to, json }: { to: string; json?: true }) =>
      reportFailure(() => archive(directory, to, json === true)),
    )
}

async function archive(directory: string, to: string, asJson: boolean): Promise<void> {
  requireLog(directory)
  const { archiveLog } = await import('../store/lmdb/index.ts')
  const progress = new CountedProgress('archive', 'steps', asJson)
  const done = await archiveLog(directory, to, {
    upTo: (log) => olderSnapshot(directory, log, asJson),
    onProgress: (steps, total) => progress.update({ done: steps, total }),
  }).finally(() => progress.end())
  if (asJson) return print(json(done))
  const { head, chain, files, bytes, compressed } = done
  if (files === 0) return print('nothing moved: no whole file is behind the older snapshot')
  print(`commits 1 to ${head} are in ${to}: ${files} files moved, ${bytes} bytes in ${compressed}`)
  print(`chain ${head}:${chain}`)
}

/** The older of two snapshots that the log leads to: one of them may be lost without the archive being needed. */
async function olderSnapshot(
  directory: string,
  log: AsyncIterable<readonly Commit[]>,
  quiet: boolean,
): Promise<number> {
  const derived = await derivedIn(directory)
  const progress = new Progress('verify', quiet)
  try {
    const checked = await checkFiles(derived, log, null, (commits) => progress.update(commits, 'commits'))
    const { snapshots, differences } = checked
    if (differences.length > 0) throw new UsageError(`nothing moved: ${differences.join('; ')}`)
    if (snapshots.length < 2)
      throw new UsageError(`nothing moved: two snapshots are needed, ${snapshots.length} can be used`)
    return Math.min(...snapshots)
  } finally {
    progress.end()
    if (typeof derived.records !== 'string') await derived.records?.close()
  }
}
