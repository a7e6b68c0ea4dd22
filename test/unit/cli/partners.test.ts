/** No option of research is ignored without a word: each says what it goes with, and is refused where it would mean nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { PARTNERS } from '../../../src/cli/partnerTable.ts'
import { typed } from '../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-partners-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
const minutes = [0, 1, 2].map((minute) => 1_767_571_200_000 + minute * 60_000)
file(
  'bars.csv',
  `open_time_ms,open,high,low,close,volume\n${minutes.map((at) => `${at},9,9,9,9,1\n`).join('')}`,
)
file('ticks.csv', `time_ms,price\n${minutes.map((at) => `${at},9\n`).join('')}`)
file('rates.csv', 'time_ms,funding_rate\n1767571200000,0.0001\n')
file('mine.csv', 'Close time,Profit\n2026-01-05 10:00:00,5\n')
file('traders.json', '[{ "strategy": "breakout" }]')
const ALL_RULES = { maxDailyLoss: '3%', maxTotalLoss: '9%', drawdownMode: 'static', balance: '5000' }
const PHASES = [
  { profitTarget: '8%', minProfitableDays: 2 },
  { profitTarget: '5%', minProfitableDays: 3 },
]
file('rules.json', JSON.stringify({ ...ALL_RULES, phases: PHASES, fee: 40, payout: { days: 1 } }))

/** Every command of trading and research, those below others too, by what is typed. */
const commands = new Map<string, Command>()
for (const [name, { group, load }] of Object.entries(COMMANDS))
  if (group === 'Trading' || group === 'Research') collect(name, await load())

function collect(name: string, command: Command): void {
  if (command.commands.length === 0) commands.set(name, command)
  for (const below of command.commands) collect(`${name} ${below.name()}`, below)
}

test.each([...commands])('%s has said of each of its options what it goes with', (name, command) => {
  expect(Object.keys(PARTNERS[name] ?? {}).sort()).toEqual(command.options.map(({ long }) => long).sort())
})

test('and of no other command', () => {
  expect(Object.keys(PARTNERS).sort()).toEqual([...commands.keys()].sort())
})

/** The option with a value of some kind: that it is none is told too, beside what it lacks. */
function words(command: Command | undefined, option: string): string[] {
  const found = command?.options.find(({ long }) => long === option)
  if (found === undefined) throw new Error(`there is no option ${option}`)
  return found.required ? [option, found.argChoices?.[0] ?? '1'] : [option]
}

const refusals = [...commands].flatMap(([name, command]) =>
  Object.entries(PARTNERS[name] ?? {}).flatMap(([option, { with: needed, without = {} }]) => {
    const typedWords = [...name.split(' '), ...words(command, option)]
    const alone =
      needed === undefined ? [] : [[typedWords, `error: ${option} goes with ${needed.join(' or ')}`]]
    const beside = Object.entries(without).map(([other, why]) => [
      [...typedWords, ...words(command, other)],
      `error: ${option} means nothing beside ${other}: ${why}`,
    ])
    return [...alone, ...beside] as [string[], string][]
  }),
)

test.each(refusals)('%j is refused', async (line, sentence) => {
  const { code, stderr } = await typed(line, folder)
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
})

test('an option goes with another where its help says so, and says so where it does', () => {
  for (const [name, command] of commands)
    for (const { long, description } of command.options) {
      const needed = PARTNERS[name]?.[String(long)]?.with ?? []
      const [, told] = /^with (--[a-z-]+):/.exec(description) ?? []
      if (told !== undefined)
        expect([name, long, needed]).toEqual([name, long, expect.arrayContaining([told])])
      if (needed.length > 0)
        expect([name, long, needed.some((other) => description.includes(other))]).toEqual([name, long, true])
    }
})

/** What is planned, for which an option means nothing. */
const PLANNED = {
  '--asset': '--data BTC=bars.csv --asset BTC',
  '--funding-rate': '--data bars.csv --funding rates.csv --funding-rate 0.01%',
  '--drawdown': '--total-loss 100% --drawdown static',
  '--warm-up': '--warm-up 1h',
  '--path': '--data ticks.csv --path optimistic',
  '--tick-bars': '--tick-bars 5',
  '--at-data-end': '--at-data-end hold',
  '--on-bad-row': '--on-bad-row skip',
  '--simulate': '--data bars.csv --simulate brownian',
  '--correlation': '--correlation 0.5',
  '--days': '--data bars.csv --days 3',
}
const ON_PATHS = {
  '--from': '--from 2026-01-06',
  '--to': '--to 2026-01-06',
  '--after-verdict': '--after-verdict go-on',
  '--funding': '--funding rates.csv',
  '--block': '--block 5',
  '--blocks': '--blocks any',
  '--balance': '--rules rules.json --balance 5',
  '--daily-loss': '--rules rules.json --daily-loss 5%',
  '--total-loss': '--rules rules.json --total-loss 5%',
  '--target': '--rules rules.json --target 5%',
  '--profitable-days': '--rules rules.json --profitable-days 5',
}
const { '--warm-up': _folded, ...WALKED } = PLANNED
const SOLD = ' --population traders.json --rules rules.json'
const MEANS_NOTHING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  backtest: PLANNED,
  sweep: PLANNED,
  search: PLANNED,
  'walk-forward': WALKED,
  'look-ahead': { ...PLANNED, '--after-verdict': '--after-verdict go-on' },
  entries: { ...PLANNED, '--after-verdict': '--after-verdict go-on' },
  evaluate: {
    ...PLANNED,
    ...ON_PATHS,
    '--leverage': '--trades mine.csv --leverage 5',
    '--attempts': '--attempts 5',
    '--payout': '--payout 5',
  },
  'what-if': {
    ...Object.fromEntries(
      Object.entries(PLANNED).map(([option, line]) => [option, `${line} --change spread=0`]),
    ),
    ...Object.fromEntries(Object.entries(ON_PATHS).map(([option, line]) => [option, line + SOLD])),
  },
}

describe.each(Object.entries(MEANS_NOTHING))('%s', (name, lines) => {
  test('has a case for each option that depends on what is planned', () => {
    const depends = Object.entries(PARTNERS[name] ?? {}).filter(([, { on }]) => on !== undefined)
    expect(Object.keys(lines).sort()).toEqual(depends.map(([option]) => option).sort())
  })

  test.each(Object.entries(lines))('%s where it means nothing: %s', async (option, line) => {
    const { code, stdout, stderr } = await typed([name, ...line.split(' ')], folder)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^error: ${option}\\b`, 'm'))
  })
})

const RULED = {
  '--balance': ['balance', '5'],
  '--daily-loss': ['maxDailyLoss', '5%'],
  '--total-loss': ['maxTotalLoss', '5%'],
  '--drawdown': ['drawdownMode', 'trailing_eod'],
  '--target': ['profitTarget', '5%'],
  '--profitable-days': ['minProfitableDays', '5'],
} as const

test.each([
  ['evaluate', ''],
  ['what-if', ' --population traders.json'],
])('%s: what every file of rules says is not said beside them, whichever it is', async (name, sold) => {
  for (const [option, [field, value]] of Object.entries(RULED)) {
    const { code, stdout, stderr } = await typed(
      `${name} --rules rules.json${sold} ${option} ${value}`.split(' '),
      folder,
    )
    expect([option, code, stdout]).toEqual([option, 2, ''])
    expect(stderr).toContain(`${option} means nothing here: every file of --rules says ${field}`)
  }
})

test.each([
  ['sweep --param fast=3 --vary fast=3,5', 'fast is given the value 3, and it varies'],
  ['sweep --fast 3', 'fast is given the value 3, and it varies'],
  ['sweep --vary fast=3,5 --vary fast=7', '--vary: fast is given twice'],
  ['search --param fast=3 --space fast=3:5', 'fast is given the value 3, and it varies'],
  ['search --space fast=3:5 --space fast=7:9', '--space: fast is given twice'],
  ['walk-forward --fast 3 --vary fast=3,5', 'fast is given the value 3, and it varies'],
  ['evaluate --fast 3 --vary fast=3,5', 'fast is given the value 3, and it varies'],
  ['backtest --param fast=3 --param fast=5', '--param: fast is given twice'],
  ['backtest --leverage 3 --param leverage=5', '--param: leverage is given twice'],
  ['backtest --asset BTC,ETH --data bars.csv', 'several markets are given as ASSET=FILE'],
  ['evaluate --trades mine.csv --block auto', '--block auto means nothing beside --trades'],
])('%s is refused: one of two would win without a word', async (line, sentence) => {
  const { code, stdout, stderr } = await typed(line.split(' '), folder)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(sentence)
})
