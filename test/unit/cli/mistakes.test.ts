/** Every mistake in what is typed is told at once, and nothing is begun. */
import { Command, InvalidArgumentError } from 'commander'
import { afterEach, expect, test, vi } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { tellMistakesAtOnce } from '../../../src/cli/mistakes.ts'
import { programFor } from '../../../src/cli/program.ts'

class Exit extends Error {}

afterEach(() => void vi.restoreAllMocks())

/** What the program says of these words before it ends with 2. */
async function toldOf(words: readonly string[]): Promise<string> {
  let told = ''
  vi.restoreAllMocks()
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text)
    return true
  })
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Exit()
  })
  const program = await programFor(words)
  await expect(program.parseAsync([...words], { from: 'user' })).rejects.toThrow(Exit)
  expect(exit.mock.calls).toEqual([[2]])
  return told
}

/** Every command that does something, by what is typed. */
const everyCommand = (
  await Promise.all(Object.entries(COMMANDS).map(async ([name, { load }]) => leavesOf([name], await load())))
).flat()

function leavesOf(typed: readonly string[], command: Command): [string, Command][] {
  return command.commands.length === 0
    ? [[typed.join(' '), command]]
    : command.commands.flatMap((below) => leavesOf([...typed, below.name()], below))
}

const isNeeded = ({ options, registeredArguments }: Command) =>
  options.some(({ mandatory }) => mandatory) || registeredArguments.some(({ required }) => required)
const needing = everyCommand.filter(([, command]) => isNeeded(command))

test.each(needing)('%s without anything is told everything that it needs', async (typed, command) => {
  const told = await toldOf(typed.split(' '))
  for (const { flags, mandatory } of command.options)
    if (mandatory) expect(told).toContain(`required option '${flags}' not specified`)
  for (const argument of command.registeredArguments)
    if (argument.required) expect(told).toContain(`missing required argument '${argument.name()}'`)
})

test.each([
  ['backup', 'pg_dump'],
  ['archive', 'no archive'],
])(
  '%s of a log in a database is told in a line what is done instead, and no password',
  async (name, instead) => {
    for (const words of [
      [name, '--postgres', 'postgres://u:s3cret@h/d'],
      [name, '--postgres=postgres://u:s3cret@h/d', '--shard', '0', '--to', 'there'],
      [name, 'directory', '--to', 'there', '--postgres', 'postgres://u:s3cret@h/d'],
    ]) {
      const told = await toldOf(words)
      expect(told).toContain(instead)
      expect(told.trimEnd().split('\n')).toHaveLength(1)
      expect(told).not.toContain('s3cret')
    }
  },
)

const NONSENSE = '~no value~'

/** The options of a command that refuse nonsense when they read it. */
const refusing = ({ options }: Command) =>
  options.filter(({ parseArg }) => {
    try {
      parseArg?.(NONSENSE, undefined)
      return false
    } catch (error) {
      // Whatever gathers values is given none before.
      return error instanceof InvalidArgumentError
    }
  })

test.each(everyCommand.filter(([, command]) => refusing(command).length > 0))(
  '%s tells of every option with a value that is none',
  async (typed, command) => {
    const wrong = refusing(command)
    const words = wrong.flatMap(({ long }) => [long as string, NONSENSE])
    const told = await toldOf([...typed.split(' '), ...words, '--no-such-option'])
    for (const { flags } of wrong)
      expect(told).toContain(`option '${flags}' argument '${NONSENSE}' is invalid`)
    expect(told).toContain("unknown option '--no-such-option'")
  },
)

test('many commands need something, and many options refuse nonsense', () => {
  expect(needing.length).toBeGreaterThan(8)
  expect(everyCommand.flatMap(([, command]) => refusing(command)).length).toBeGreaterThan(60)
})

test.each([
  [
    'compare /nowhere/one /nowhere/two',
    [/one: there is no such saved run/, /two: there is no such saved run/],
  ],
  ['serve --postgres postgres://here/venue --data kept', [/needs a configuration/, /exclude each other/]],
  [
    'serve --postgres postgres://here/venue --archive kept --host 0.0.0.0',
    [
      /needs a configuration/,
      /--archive and --postgres exclude each other/,
      /at 0\.0\.0\.0: --advertise URL/,
    ],
  ],
  [
    'serve --archive kept --node a --advertise http://here --lease 3000 --unsafe-database',
    [
      /^error: --node .*--postgres URL/,
      /--advertise/,
      /--lease/,
      /--unsafe-database/,
      /--archive .*--data DIR/,
    ],
  ],
  ['verify --postgres postgres://here/venue --archive kept', [/has no archive/, /which shard/]],
])('%s is told all that is wrong with it', async (line, faults) => {
  let told = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text)
    return true
  })
  const words = line.split(' ')
  await (await programFor(words)).parseAsync(words, { from: 'user' })
  // A venue is told its work by a file: whatever is wrong with it is a 1.
  expect(process.exitCode).toBe(words[0] === 'serve' ? 1 : 2)
  process.exitCode = undefined
  const lines = told.trimEnd().split('\n')
  expect(lines).toEqual(faults.map((fault) => expect.stringMatching(fault)))
  for (const one of lines) expect(one).toMatch(/^error: /)
})

test('what options lack is told with everything else that is wrong with them', async () => {
  const words = 'sweep --rank-by probabilityOfPassing,totalReturn --plateau --heat-map fast,slow --days 0'
  expect((await toldOf(words.split(' '))).trimEnd().split('\n')).toEqual([
    expect.stringMatching(/--days <count>.* above zero/),
    'error: --rank-by probabilityOfPassing needs --paths',
    'error: --plateau takes one figure to rank by',
    'error: --heat-map goes with --report or --out or --json',
  ])
})

test('mistakes are told in the order in which they were typed', async () => {
  const words = ['--top', 'many', '--horizon', 'long', '--sample', 'some'] as const
  const lines = (await toldOf(['sweep', '--vary', 'fast=5', ...words])).trimEnd().split('\n')
  expect(lines.slice(0, 3).map((line) => /'(--[a-z]+) /.exec(line)?.[1])).toEqual([
    '--top',
    '--horizon',
    '--sample',
  ])
})

test('a mistake that only follows from another is not told', async () => {
  expect(await toldOf(['serve', '--prot', '8080'])).toBe(
    "error: unknown option '--prot'\n(Did you mean --port?)\n",
  )
  expect(await toldOf(['backup', 'here', '--to'])).toBe("error: option '--to <directory>' argument missing\n")
})

test.each([
  ['search --vary fast=5:60', '--vary', '--space'],
  ['sweep --space fast=5:60', '--space', '--vary'],
  ['walk-forward --sets 30', '--sets', '--sample'],
  ['sweep --study here', '--study', '--results'],
])('%s is told what its option is called there', async (line, unknown, meant) => {
  expect(await toldOf(line.split(' '))).toBe(`error: unknown option '${unknown}'\n(Did you mean ${meant}?)\n`)
})

test('too much is told beside what is missing', async () => {
  expect(await toldOf(['archive', 'one', 'two'])).toBe(
    `error: required option '--to <directory>' not specified
error: too many arguments for 'archive'. Expected 1 argument but got 2.
`,
  )
})

test('help is given whatever else is wrong', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Exit()
  })
  const words = ['serve', '--port', 'many', '--help']
  await expect((await programFor(words)).parseAsync(words, { from: 'user' })).rejects.toThrow(Exit)
  expect(exit.mock.calls).toEqual([[0]])
})

test('what goes wrong while a value is read is not taken for a mistake', async () => {
  const command = new Command('one').option('--at <text>', 'any', () => {
    throw new RangeError('broken')
  })
  tellMistakesAtOnce(command.action(() => {}))
  await expect(command.parseAsync(['--at', 'x'], { from: 'user' })).rejects.toThrow('broken')
})

test('a command that is not there ends at once', async () => {
  expect(await toldOf(['backtset'])).toContain("unknown command 'backtset'")
  expect(await toldOf(['data', 'fecth'])).toContain("unknown command 'fecth'\n(Did you mean fetch?)")
})

test.each([
  [
    'inspect --postgres postgres://db/venue',
    'error: first say which, then its options: margin-core inspect life|why|as-of\n',
  ],
  [
    'cluster --postgres postgres://db/venue status',
    'error: first say which, then its options: margin-core cluster status|drain|move|history\n',
  ],
  [
    'inspect venue-data',
    "error: unknown command 'venue-data': there is margin-core inspect life|why|as-of\n",
  ],
])('%s is told which there are', async (line, told) => {
  expect(await toldOf(line.split(' '))).toBe(told)
})

test.each(['01', '-1', 'b'])('the shard of a move is a number: %s is none', async (shard) => {
  expect(await toldOf(['cluster', 'move', '--postgres', 'postgres://db/venue', '--', shard, 'b'])).toBe(
    `error: command-argument value '${shard}' for argument 'shard' is invalid. It is no number of a shard, from 0 on.\n`,
  )
})

test('a search by a grid is told which command runs every set of one', async () =>
  expect(await toldOf(['search', '--method', 'grid'])).toContain('run by margin-core sweep, with --vary'))
