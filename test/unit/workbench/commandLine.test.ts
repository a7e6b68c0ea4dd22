// A form is the command that a person would type: what the program reads of it is the form again, whatever stands in its fields.

import { execFileSync } from 'node:child_process'
import type { Command } from 'commander'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.ts'
import { argumentsOf, typedParts, typedText } from '../../../src/workbench/commandLine.ts'
import { FORM_KINDS, KINDS, type RunKind, variesIn } from '../../../src/workbench/formKinds.ts'
import { FORM_OPTIONS, isSwitch, OPTION_NAMES, type OptionName } from '../../../src/workbench/formOptions.ts'
import { EMPTY_FORM, type RunForm } from '../../../src/workbench/runForm.ts'

const commandOf = (kind: RunKind) => FORM_KINDS[kind].command ?? (kind as Exclude<RunKind, 'live'>)

/** The commands, which only read: values stay texts, and those that repeat are gathered. */
const commands = new Map<RunKind, Command>()
beforeAll(async () => {
  for (const kind of KINDS) commands.set(kind, await COMMANDS[commandOf(kind)].load())
})

function read(words: readonly string[]): {
  readonly kind: string
  readonly options: Record<string, unknown>
} {
  const [kind = '', ...rest] = words
  const command = commands.get(kind as RunKind) as Command
  const found: Record<string, unknown> = {}
  for (const option of command.options) {
    option.parseArg = <T>(value: string | undefined, before: T) =>
      (option.defaultValue?.length === 0 ? [...(before as unknown as string[]), value] : value) as T
    option.choices = () => option
  }
  // What an earlier reading left is not a default of this one.
  for (const option of command.options) command.setOptionValue(option.attributeName(), option.defaultValue)
  command.exitOverride().action(() => {
    for (const { long } of command.options)
      if (command.getOptionValueSource(camel(long ?? '')) === 'cli')
        found[(long ?? '').slice(2)] = command.opts()[camel(long ?? '')]
  })
  command.parse([...rest], { from: 'user' })
  for (const option of command.options) command.setOptionValue(option.attributeName(), option.defaultValue)
  return { kind, options: found }
}

const camel = (long: string) => long.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** What a reader of the options takes them for. */
function formRead({ kind, options }: ReturnType<typeof read>): Partial<RunForm> {
  const listed = (name: string) => (options[name] ?? []) as string[]
  const pair = (item: string): [string, string] => [
    item.slice(0, item.indexOf('=')),
    item.slice(item.indexOf('=') + 1),
  ]
  const funding = new Map(listed('funding').map(pair))
  return {
    kind: options.live === undefined ? (kind as RunKind) : 'live',
    config: String(options.config ?? ''),
    strategy: String(options.strategy ?? ''),
    markets: listed('data').map((item) => {
      const [asset, data] = pair(item)
      return { asset, data, funding: funding.get(asset) ?? '' }
    }),
    parameters: Object.fromEntries(listed('param').map(pair)),
    vary: Object.fromEntries([...listed('vary'), ...listed('space')].map(pair)),
    options: Object.fromEntries(
      OPTION_NAMES.filter((name) => options[name] !== undefined).map((name) => [
        name,
        isSwitch(FORM_OPTIONS[name]) ? 'on' : String(options[name]),
      ]),
    ),
    rules: listed('rules'),
    out: String((options.live === undefined ? options.out : options.journal) ?? ''),
  }
}

/** Anything that can be typed, what looks like options and shells among it. */
const text = fc.oneof(
  fc.constantFrom(
    '--json',
    '-x',
    '--',
    '=',
    "it's",
    '$(id)',
    '`id`',
    '; id',
    '"',
    '\\',
    '*',
    'a b',
    '--out=x',
    '€',
  ),
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }).filter((value) => !value.includes('\0')),
)
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.]{0,8}$/)
const asset = fc.stringMatching(/^[A-Z0-9]{1,6}$/)

const forms: fc.Arbitrary<RunForm> = fc.constantFrom(...KINDS).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    config: fc.option(text, { nil: '' }),
    strategy: fc.option(text, { nil: '' }),
    markets: fc.uniqueArray(
      fc.record({
        asset,
        data: text,
        funding: kind === 'live' ? fc.constant('') : fc.option(text, { nil: '' }),
      }),
      {
        maxLength: 3,
        selector: (market) => market.asset,
      },
    ),
    parameters: fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }),
    vary: variesIn(kind) ? fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }) : fc.constant({}),
    options: fc
      .uniqueArray(fc.constantFrom(...OPTION_NAMES.filter((one) => FORM_OPTIONS[one].kinds.includes(kind))), {
        maxLength: 6,
      })
      .chain((names) =>
        fc.record(
          Object.fromEntries(
            names.map((one): [OptionName, fc.Arbitrary<string>] => [
              one,
              isSwitch(FORM_OPTIONS[one]) ? fc.constant('on') : text,
            ]),
          ),
        ),
      )
      // Where a run trades is what makes a live run of it.
      .chain((options) =>
        kind === 'live' ? text.map((live) => ({ ...options, live })) : fc.constant(options),
      ),
    rules: kind === 'evaluate' ? fc.array(text, { maxLength: 3 }) : fc.constant([]),
    out: fc.option(text, { nil: '' }),
  }),
)

describe('a form as a command', () => {
  test('is read as what the form says', () => {
    fc.assert(
      fc.property(forms, (form) => {
        expect(formRead(read(argumentsOf(form)))).toEqual(form)
      }),
      { numRuns: 400 },
    )
  })

  test('is the same words when a shell reads it', () => {
    const typed = fc.sample(forms, { numRuns: 40, seed: 7 })
    const script = typed.map((form) => `printf '%s\\0' ${typedText(form)}; printf '\\0'`).join('\n')
    const heard = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0\0').slice(0, -1)
    expect(heard.map((line) => line.split('\0').slice(2))).toEqual(typed.map(argumentsOf))
  })

  test('leaves out what is not of its kind', () => {
    const form: RunForm = {
      ...EMPTY_FORM,
      vary: { fast: '1,2' },
      rules: ['a.json'],
      options: { folds: '3', days: '2' },
    }
    expect(argumentsOf(form)).toEqual(['backtest', '--strategy', 'ema-cross', '--days', '2'])
    expect(argumentsOf({ ...form, kind: 'evaluate' })).toEqual([
      ...['evaluate', '--strategy', 'ema-cross', '--vary', 'fast=1,2', '--rules', 'a.json'],
    ])
    expect(typedParts(form)).toEqual(['npx margin-core backtest', '--strategy ema-cross', '--days 2'])
  })

  test.each(OPTION_NAMES)('--%s is an option of its commands, with the same choices', async (option) => {
    const own = FORM_OPTIONS[option]
    for (const kind of KINDS) {
      const { options } = await COMMANDS[commandOf(kind)].load()
      const found = options.find(({ long, hidden }) => long === `--${option}` && !hidden)
      if (own.kinds.includes(kind)) expect(found?.required ?? false).toBe(!isSwitch(own))
      if (own.choices !== undefined && !isSwitch(own) && found?.argChoices !== undefined)
        for (const choice of own.choices) expect(found.argChoices).toContain(choice)
    }
  })
})
