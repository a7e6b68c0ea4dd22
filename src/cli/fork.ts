/** `margin-core fork`: what another rule would have made of the same log. */
import { Command, InvalidArgumentError } from 'commander'
import { type Fork, forkLog, type RuleChange } from '../engine/fork.ts'
import { asOf } from '../engine/inspect.ts'
import type { Commit } from '../events/commit.ts'
import { fp9 } from '../quantity/decimal.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import { type LogPlace, type PlaceOptions, placeOf, withLog, withPlaceOptions } from './logPlace.ts'
import { decimal, inLine, instant, json, print, table } from './logText.ts'
import { Progress } from './progress.ts'

interface Options extends PlaceOptions {
  readonly at: number
  readonly set?: string
  readonly maxLeverage?: bigint
  readonly profitCap: boolean
  readonly stops: boolean
  readonly json?: true
}

export function forkCommand(): Command {
  return withPlaceOptions(new Command('fork'))
    .argument('[directory]', 'data directory of a venue; it may be running')
    .requiredOption('--at <commit>', 'the last commit that stays as it was', sequence)
    .option('--set <asset.parameter=value>', 'a parameter of a market, such as BTC.spread=0.001')
    .option('--max-leverage <number>', 'no market allows more', leverage)
    .option('--no-profit-cap', 'without the 60-second profit adjustment')
    .option('--no-stops', 'stop and trailing stop orders never fire')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples(
        'fork venue-data --at 1200 --set BTC.spread=0.001',
        'fork venue-data --at 1 --no-profit-cap --json',
      ),
    )
    .action((directory: string | undefined, options: Options) =>
      reportFailure(() => fork(placeOf(directory === undefined ? [] : [directory], options).place, options)),
    )
}

function sequence(text: string): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new InvalidArgumentError('It is no sequence of a commit.')
  return Number(text)
}

function leverage(text: string): bigint {
  try {
    return fp9(text)
  } catch {
    throw new InvalidArgumentError('It is no number such as 5.')
  }
}

async function fork(place: LogPlace, options: Options): Promise<void> {
  const asked = askedChange(options)
  const progress = new Progress('fork', options.json === true)
  const result = await withLog(place, async (log) => {
    const change = await changeOn(log, options.at, asked)
    return forkLog(log(), options.at, change, (commits) => progress.update(commits, 'commits'))
  }).finally(() => progress.end())
  print(options.json === true ? json(result) : report(result))
}

/** As it was typed: which market an asset is says the log. */
type AskedChange = Exclude<RuleChange, { readonly rule: 'market' }> | MarketSetting

interface MarketSetting {
  readonly rule: 'market'
  readonly asset: string
  readonly set: Readonly<Record<string, bigint | number | null>>
}

function askedChange({ set, maxLeverage, profitCap, stops }: Options): AskedChange {
  const chosen: AskedChange[] = []
  if (!profitCap) chosen.push({ rule: 'noProfitCap' })
  if (!stops) chosen.push({ rule: 'noStops' })
  if (maxLeverage !== undefined) chosen.push({ rule: 'maxLeverage', leverage: maxLeverage })
  if (set !== undefined) chosen.push(settingOf(set))
  const [change] = chosen
  if (change === undefined || chosen.length > 1)
    throw new UsageError('one of --set, --max-leverage, --no-profit-cap and --no-stops')
  return change
}

/** `ASSET.parameter=value`: durations in milliseconds, `null` where a parameter may be off, the rest as decimals. */
function settingOf(text: string): MarketSetting {
  const [, asset = '', name = '', value = ''] = /^([^.=]+)\.([A-Za-z]+)=(.+)$/.exec(text) ?? []
  if (name === '') throw new UsageError(`not of the form ASSET.parameter=value: ${text}`)
  const held = value === 'null' ? null : name.endsWith('Ms') ? Number(value) : fp9(value)
  return { rule: 'market', asset, set: { [name]: held } }
}

async function changeOn(
  log: () => AsyncIterable<readonly Commit[]>,
  at: number,
  asked: AskedChange,
): Promise<RuleChange> {
  if (asked.rule !== 'market') return asked
  const { read } = await asOf(log, { seq: at })
  const id = read.marketIdOf(asked.asset)
  if (id === undefined) throw new UsageError(`no market ${asked.asset} at that commit`)
  return { rule: 'market', market: { id, ...asked.set } }
}

function report({ from, head, accounts, house, first, differing, refused }: Fork): string {
  const lines = [
    `commits 1 to ${from} as they were, ${from + 1} to ${head} decided anew:`,
    `${differing} with other events, ${refused} of them refused`,
  ]
  if (first !== null)
    lines.push(
      '',
      `first at commit ${first.seq} (${instant(first.at)}): ${inLine(first.command)}`,
      `  was    ${first.was === null ? 'nothing' : inLine(first.was)}`,
      `  would  ${first.would === null ? (first.rejection?.code ?? 'nothing') : inLine(first.would)}`,
    )
  const rows = accounts.flatMap(({ accountId, was, would }) =>
    (['free', 'reserve', 'margin', 'balance', 'equity'] as const)
      .filter((name) => was[name] !== would[name])
      .map((name) => [
        accountId,
        name,
        decimal(was[name]),
        decimal(would[name]),
        signed(would[name] - was[name]),
      ]),
  )
  if (house.was !== house.would)
    rows.push(['house', '', decimal(house.was), decimal(house.would), signed(house.would - house.was)])
  lines.push('', rows.length === 0 ? 'every account ends the same' : table(HEADER, rows))
  return lines.join('\n')
}

const HEADER = ['account', '', 'was', 'would be', 'difference']

function signed(value: bigint): string {
  return value > 0n ? `+${decimal(value)}` : decimal(value)
}
