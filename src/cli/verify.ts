/** `margin-core verify`: decides every command of a log again and compares event by event. */
import { Command } from 'commander'
import { type Verification, verifyLog } from '../engine/verify.ts'
import { withLog } from './dataDirectory.ts'
import { reportFailure } from './failure.ts'
import { inLine, instant, json, print } from './logText.ts'
import { Progress } from './progress.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('decide every command of a log again; exit code 1 at the first event that differs')
    .argument('<directory>', 'data directory of a venue; it may be running')
    .option('--json', 'for programs')
    .action((directory: string, options: { json?: true }) =>
      reportFailure(() => verify(directory, options.json === true)),
    )
}

async function verify(directory: string, asJson: boolean): Promise<void> {
  const progress = new Progress('verify', asJson)
  const result = await withLog(directory, (log) =>
    verifyLog(log(), { onProgress: (commits) => progress.update(commits, 'commits') }),
  ).finally(() => progress.end())
  print(asJson ? json(result) : sentence(result))
  if (!result.ok) process.exitCode = 1
}

function sentence(result: Verification): string {
  if (result.ok)
    return `verified ${result.commits} commits, ${result.events} events\nstate hash ${result.stateHash}`
  const { seq, at, command, index, recorded, decided, refusal } = result.divergence
  const today = refusal === null ? 'nothing' : `refused: ${refusal.code}`
  return [
    `commit ${seq} (${instant(at)}) is decided otherwise today, from event ${index} on`,
    `  command   ${inLine(command)}`,
    `  recorded  ${recorded === null ? 'nothing' : inLine(recorded)}`,
    `  decided   ${decided === null ? today : inLine(decided)}`,
  ].join('\n')
}
