/** `margin-core backup`: a copy of a log, beside a venue that goes on writing it. */
import { Command } from 'commander'
import { requireLog } from './dataDirectory.ts'
import { examples } from './examples.ts'
import { reportFailure } from './failure.ts'
import { json, print } from './logText.ts'
import { CountedProgress } from './progress.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .argument('<directory>', 'data directory of a venue; it may be running')
    .requiredOption('--to <directory>', 'where to; an earlier backup there is continued')
    .option('--json', 'for programs')
    .addHelpText('after', examples('backup venue-data --to /backup/venue', 'verify /backup/venue'))
    .action((directory: string, { to, json }: { to: string; json?: true }) =>
      reportFailure(() => backup(directory, to, json === true)),
    )
}

async function backup(directory: string, to: string, asJson: boolean): Promise<void> {
  requireLog(directory)
  const { backupLog } = await import('../store/lmdb/index.ts')
  const progress = new CountedProgress('backup', 'files', asJson)
  const done = await backupLog(directory, to, (files, total) =>
    progress.update({ done: files, total }),
  ).finally(() => progress.end())
  const { first, head, chain, kept, copied } = done
  if (asJson) return print(json(done))
  print(`commits ${first} to ${head} are in ${to}: ${copied} files copied, ${kept} there already`)
  print(`chain ${head}:${chain}`)
}
