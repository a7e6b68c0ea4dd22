/** `margin-core inspect`: the life of an order or position, why it came to that, and how an account stood. */
import { Command } from 'commander'
import { asOf, type Cause, type LifeEvent, lifeOf, whyOf } from '../engine/inspect.ts'
import { formatDecimal } from '../quantity/decimal.ts'
import { writtenInstant } from '../terms/writtenInstant.ts'
import { examples } from './examples.ts'
import { reportFailure, UsageError } from './failure.ts'
import { type PlaceOptions, placeOf, withLog, withPlaceOptions } from './logPlace.ts'
import { inLine, instant, json, print, table } from './logText.ts'

interface Options extends PlaceOptions {
  readonly json?: true
}

export function inspectCommand(): Command {
  const inspect = new Command('inspect')
  withPlaceOptions(inspect.command('life'))
    .description('every event of an order or a position')
    .usage('[options] <directory> <id>')
    .argument('[words...]', 'data directory of a venue, which may be running, and an order or a position')
    .option('--json', 'for programs')
    .addHelpText('after', examples('inspect life venue-data ORDER_ID'))
    .action((words: readonly string[], options: Options) =>
      reportFailure(() => printFound(words, options, lifeOf, lifeTable)),
    )
  withPlaceOptions(inspect.command('why'))
    .description('the causes of what became of an order or a position: tick, trigger, fill, margin')
    .usage('[options] <directory> <id>')
    .argument('[words...]', 'data directory of a venue, which may be running, and an order or a position')
    .option('--json', 'for programs')
    .addHelpText('after', examples('inspect why venue-data ORDER_ID --json'))
    .action((words: readonly string[], options: Options) =>
      reportFailure(() => printFound(words, options, whyOf, causes)),
    )
  withPlaceOptions(inspect.command('as-of'))
    .description('an account as it was after a commit or at an instant')
    .usage('[options] <directory> <commit-or-time> [account]')
    .argument(
      '[words...]',
      'data directory of a venue, which may be running; a sequence such as 1200, or an instant such as 2026-01-05T08:00:00Z; an account id, or all of them without',
    )
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      examples('inspect as-of venue-data 1200', 'inspect as-of venue-data 2026-01-05T08:00:00Z ACCOUNT_ID'),
    )
    .action((words: readonly string[], options: Options) => reportFailure(() => printAsOf(words, options)))
  return inspect.addHelpText(
    'after',
    examples('inspect why venue-data ORDER_ID', 'inspect as-of venue-data 1200'),
  )
}

type Log = Parameters<typeof lifeOf>[0]

async function printFound<T>(
  words: readonly string[],
  options: Options,
  find: (log: Log, id: string) => Promise<T[]>,
  asText: (found: readonly T[]) => string,
): Promise<void> {
  const { place, rest } = placeOf(words, options, ['id'])
  const [id] = rest as readonly [string]
  const found = await withLog(place, (log) => find(log, id.toLowerCase()))
  if (found.length === 0) throw new UsageError(`no order or position ${id} in the log`)
  print(options.json === true ? json(found) : asText(found))
}

function lifeTable(life: readonly LifeEvent[]): string {
  const rows = life.map(({ seq, at, command, event }) => {
    const { type, ...facts } = event
    return [String(seq), instant(at), command.type, type, inLine(facts)]
  })
  return table(['commit', 'time', 'caused by', 'event', ''], rows)
}

function causes(chain: readonly Cause[]): string {
  return chain
    .map((cause) => {
      const { seq, at, kind, event } = cause
      if (event === null) return `${instant(at)}  commit ${seq}  ${inputOf(cause)}${authorOf(cause)}`
      const { type, ...facts } = event
      return `    ${kind.padEnd(8)} ${type}: ${inLine(facts)}`
    })
    .join('\n')
}

function inputOf({ command, priceBefore }: Cause): string {
  if (command.type !== 'updatePrice') return inLine(command)
  const before = priceBefore === null ? 'never priced' : formatDecimal(priceBefore)
  return `tick of ${command.marketId}: ${before} to ${formatDecimal(command.indexPrice)}`
}

function authorOf({ by }: Cause): string {
  if (by === null) return ''
  if (by.type === 'operator') return `, by operator ${by.name}`
  return by.keyId === null ? `, by user ${by.userId}` : `, by user ${by.userId} with key ${by.keyId}`
}

async function printAsOf(words: readonly string[], options: Options): Promise<void> {
  const { place, rest } = placeOf(words, options, ['commit-or-time', '[account]'])
  const [until, accountId] = rest as readonly [string, string?]
  const moment = momentOf(until)
  const { seq, at, read } = await withLog(place, (log) => asOf(log, moment))
  const ids = accountId === undefined ? read.accounts().map((account) => account.accountId) : [accountId]
  const found = ids.map((id) => {
    const account = read.account(id)
    if (account === undefined) throw new UsageError(`no account ${id} at commit ${seq}`)
    return { account, positions: read.activePositions(id), orders: read.activeOrders(id) }
  })
  if (options.json === true) return print(json({ seq, at, accounts: found }))
  print(`after commit ${seq}, ${instant(at)}`)
  for (const { account, positions, orders } of found) {
    const { riskStatus, ...record } = account
    print(`\naccount ${inLine(record)}\n  ${inLine(riskStatus)}`)
    for (const position of positions) print(`  position ${inLine(position)}`)
    for (const order of orders) print(`  order ${inLine(order)}`)
  }
}

function momentOf(text: string): { seq: number } | { at: number } {
  if (/^[0-9]{1,16}$/.test(text)) return { seq: Number(text) }
  const at = writtenInstant(text)
  if (at === null) throw new UsageError(`neither a commit nor an instant: ${text}`)
  return { at }
}
