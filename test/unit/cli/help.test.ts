/** Help shows how a command is typed, and what it shows can be typed. */
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { programFor } from '../../../src/cli/program.ts'
import { typed } from '../../typed.ts'

/** Every command, those below others too, by what is typed. */
const everyCommand = new Map<string, Command>()
for (const [name, { load }] of Object.entries(COMMANDS)) collect(name, await load())

function collect(typed: string, command: Command): void {
  everyCommand.set(typed, command)
  for (const below of command.commands) collect(`${typed} ${below.name()}`, below)
}

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}

/** The lines that begin with the prompt, each with the lines it goes on in. */
function shownIn(help: string): string[] {
  const lines = help.replaceAll(/\\\n\s*/g, '').match(/^ {2}\$ margin-core .*$/gm) ?? []
  return lines.map((line) => line.replace('  $ margin-core ', ''))
}

test.each([...everyCommand])('the help of %s shows how it is typed', (typed, command) => {
  const shown = shownIn(helpOf(command))
  expect(shown.filter((line) => line.startsWith(typed))).not.toEqual([])
  for (const line of shown) expect([line, unknownIn(line)]).toEqual([line, []])
})

/** Options of a shown line that its command does not have, and its first words where they are no command. */
function unknownIn(line: string): string[] {
  const words = line.split(' ')
  const command = everyCommand.get(words.slice(0, 2).join(' ')) ?? everyCommand.get(words[0] as string)
  if (command === undefined) return [words[0] as string]
  const known = new Set(['--help', ...command.options.map(({ long }) => long)])
  return (line.match(/(?<= )--[\w-]+/g) ?? []).filter((option) => !known.has(option))
}

test('a line with a command or an option that is not there is noticed', () => {
  expect([unknownIn('backtset --days 2'), unknownIn('data fetch --form 2025-01')]).toEqual([
    ['backtset'],
    ['--form'],
  ])
})

test('the program lists every command under what it is for, and says how to begin', async () => {
  const help = helpOf(await programFor([]))
  for (const [name, { group }] of Object.entries(COMMANDS)) {
    const [, under = ''] = help.split(`\n${group}:\n`)
    expect(under.split('\n\n')[0]).toMatch(new RegExp(`^  ${name} `, 'm'))
  }
  expect(shownIn(help)).toEqual(['backtest', 'serve', 'backtest --help'])
})

test.each([['--strategy', 'breakout'], ['--strategy=breakout']])(
  'with %s %s help tells its parameters',
  async (...named) => {
    const { stdout, stderr } = await typed(['backtest', ...named, '--help'])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/lookback .*bars of the channel/)
  },
)
