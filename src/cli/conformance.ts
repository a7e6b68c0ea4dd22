/** `margin-core conformance`: whether a host, this one or another, keeps the rules of the venue. */
import { Command } from 'commander'
import { reportFailure, UsageError } from './failure.ts'
import { json, print } from './logText.ts'
import { count } from './planOptions.ts'
import { CountedProgress } from './progress.ts'

interface Options {
  readonly url: string
  readonly operatorToken: string
  readonly operatorUrl?: string
  readonly key?: readonly string[]
  readonly seed: string
  readonly only?: readonly string[]
  readonly runs: number
  readonly minutes?: number
  readonly json?: true
}

const HELP = `
The host needs a manual clock and its operator surface; with keys of two users everything is asked that can be. What is asked
is asked on markets and accounts of its own, and the clock is moved by days: use a host that is there for it. A host without
rate limits is asked faster.

Exit code 0: every rule that was asked holds. 1: one does not. 2: the host could not be asked.

Examples:
  $ margin-core conformance --url http://127.0.0.1:8080 --operator-token secret --key mtk_a --key mtk_b
  $ margin-core conformance --url https://venue.example --operator-token secret --key 7c9e…=usk_a --only E1,E2 --json`

export function conformanceCommand(): Command {
  return new Command('conformance')
    .requiredOption('--url <url>', 'base address of the Margin Trading API')
    .requiredOption('--operator-token <token>', 'token of an operator who may do everything')
    .option('--operator-url <url>', 'base address of the operator surface, where it is another')
    .option(
      '--key <key>',
      'an API key; once for each of two users. USER_ID=KEY where the log does not tell whose it is',
      (key, keys: readonly string[] = []) => [...keys, key],
    )
    .option('--seed <text>', 'what ids and random programs follow from', 'conformance')
    .option('--only <rules>', 'these rules alone, such as B5,E1', (rules) => rules.split(','))
    .option('--runs <count>', 'random programs beside the cases', count, 20)
    .option('--minutes <minutes>', 'go on with random programs for so long instead', count)
    .option('--json', 'the report for programs, with every request and both answers')
    .addHelpText('after', HELP)
    .action((options: Options) => reportFailure(() => ask(options)))
}

async function ask(options: Options): Promise<void> {
  const { conformance, conformanceText } = await import('../testing/conformance/index.ts')
  const { url, operatorUrl, operatorToken, key: keys = [], seed, only, runs, minutes } = options
  const progress = new CountedProgress('conformance', 'cases', options.json === true)
  const report = await conformance({
    host: { url: baseOf(url), operatorToken, keys, ...(operatorUrl && { operatorUrl: baseOf(operatorUrl) }) },
    seed,
    runs,
    ...(minutes !== undefined && { minutes }),
    ...(only !== undefined && { only }),
    onProgress: (state) => progress.update(state),
  }).finally(() => progress.end())
  print(options.json === true ? json(report) : conformanceText(report))
  if (!report.ok) process.exitCode = 1
}

function baseOf(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new UsageError(`not an http address: ${url}`)
  return url.replace(/\/+$/, '')
}
