// The reference of the program, docs/command-line.md: every command with its arguments and options, from the tables that read
// them and that `--help` prints.

import { Command, type Option } from 'commander'
import { COMMANDS } from '../../src/cli/commands.ts'
import { withPlanOptions } from '../../src/cli/planOptions.ts'
import { tableOf } from './referenceText.ts'
import type { Page } from './report.ts'

const HEAD = ['option', 'values', 'default', 'meaning']

const ABOUT = `\`margin-core COMMAND --help\` prints the same. Exit code 0 is success; 2 a mistake in what was typed or in what it names; 1 what the command found wrong: a log that differs, a rule that is broken, a configuration that no venue would start with. Files, folders and what comes out are told on the pages of their subjects: [backtesting.md](backtesting.md), [research.md](research.md), [host.md](host.md), [durability.md](durability.md), [cluster.md](cluster.md), [conformance.md](conformance.md). \`npm run api -- --accept\` writes this page from the tables of options, and a test holds it to them.`

const PROGRAM = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, { about, load }]) => ({ name, about, command: await load() })),
)

/** What every command that runs a strategy takes. */
const RUN_OPTIONS = withPlanOptions(new Command()).options
const RUN_ROWS = RUN_OPTIONS.map(rowOf)

export function commandLinePage(): Page {
  const text = [
    '# The command line',
    ABOUT,
    '## What to run',
    `${PROGRAM.filter(({ command }) => takesARun(command))
      .map(({ name }) => `\`${name}\``)
      .join(', ')} take these beside their own.`,
    tableOf(HEAD, RUN_ROWS),
    ...PROGRAM.flatMap(({ name, about, command }) => [
      `## ${name}`,
      sentence(about),
      ...sectionOf(command, name),
    ]),
  ]
  return { path: 'docs/command-line.md', text: `${text.join('\n\n')}\n` }
}

/** How it is typed, its arguments, its options, and the same of each command below it. */
function sectionOf(command: Command, typed: string): string[] {
  const own = ownRows(command)
  const explained = command.registeredArguments.filter(({ description }) => description !== '')
  return [
    ...(command.commands.length > 0 ? [] : [`\`\`\`\n${usageOf(command, typed)}\n\`\`\``]),
    ...(explained.length === 0
      ? []
      : [explained.map((one) => `- \`${one.name()}\`: ${one.description}`).join('\n')]),
    ...(takesARun(command) ? [`Beside [what to run](#what-to-run)${without(command)}:`] : []),
    ...(own.length === 0 ? [] : [tableOf(HEAD, own)]),
    ...command.commands.flatMap((below) => [
      `### ${typed} ${below.name()}`,
      sentence(below.description()),
      ...sectionOf(below, `${typed} ${below.name()}`),
    ]),
  ]
}

function usageOf(command: Command, typed: string): string {
  const words = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`
    return one.required ? `<${name}>` : `[${name}]`
  })
  return ['margin-core', typed, ...words, ...(command.options.length > 0 ? ['[options]'] : [])].join(' ')
}

const takesARun = ({ options }: Command): boolean => options.some(({ long }) => long === '--strategy')

/** What every run takes and this one does not. */
function without({ options }: Command): string {
  const lacking = RUN_OPTIONS.filter(({ long }) => options.some((own) => own.long === long && own.hidden))
  return lacking.length === 0 ? '' : ` (without ${lacking.map(({ long }) => `\`${long}\``).join(', ')})`
}

/** Those that differ from what every run takes. */
function ownRows(command: Command): string[][] {
  const known = new Set(takesARun(command) ? RUN_ROWS.map(String) : [])
  return command.options
    .filter(({ hidden }) => !hidden)
    .map(rowOf)
    .filter((row) => !known.has(String(row)))
}

function rowOf(option: Option): string[] {
  return [
    `\`${option.flags}\``,
    (option.argChoices ?? []).map((choice) => `\`${choice}\``).join(', '),
    option.mandatory ? '*required*' : defaultOf(option),
    option.description,
  ]
}

/** Empty where there is none, or where the meaning says it. */
function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValueDescription !== undefined) return `\`${defaultValueDescription}\``
  const values = [defaultValue ?? []].flat()
  return values.map((value) => `\`${value}\``).join(', ')
}

const sentence = (text: string): string => (text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`)
