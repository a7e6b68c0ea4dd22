/** A form as a person would type it: the words of one process, which no shell reads. */
import { commandText } from '../backtest/plan/commandText.ts'
import { FORM_KINDS } from './formKinds.ts'
import { FORM_OPTIONS, isSwitch, OPTION_NAMES } from './formOptions.ts'
import type { RunForm } from './runForm.ts'

/** What is typed after the name of the program. What is not of the kind, and what is empty, is left out. */
export function argumentsOf(form: RunForm): string[] {
  const { kind, config, strategy, markets, parameters, vary, options, rules, out } = form
  const { tries, command = kind, savedBy = '--out' } = FORM_KINDS[kind]
  return [
    command,
    ...option('--config', config),
    ...markets.flatMap((market) => option('--data', ofMarket(market.asset, market.data))),
    ...(kind === 'live' ? [] : markets).flatMap((market) =>
      option('--funding', ofMarket(market.asset, market.funding)),
    ),
    ...option('--strategy', strategy),
    ...named('--param', parameters),
    ...(tries === undefined ? [] : named(tries, vary)),
    ...OPTION_NAMES.flatMap((name) => {
      const own = FORM_OPTIONS[name]
      const value = options[name] ?? ''
      if (!own.kinds.includes(kind) || value === '') return []
      return isSwitch(own) ? [`--${name}`] : [`--${name}`, value]
    }),
    ...(kind === 'evaluate' ? rules.flatMap((file) => option('--rules', file)) : []),
    ...option(savedBy, out),
  ]
}

/** The whole line, for a shell. */
export function typedText(form: RunForm): string {
  return typedParts(form).join(' ')
}

/** The same in parts that stay on a line: an option with its value. */
export function typedParts(form: RunForm): string[] {
  const parts: string[][] = [['margin-core']]
  for (const word of argumentsOf(form)) {
    if (word.startsWith('--')) parts.push([word])
    else parts.at(-1)?.push(word)
  }
  return parts.map(([first = '', ...rest], at) => (at === 0 ? 'npx ' : '') + commandText(first, rest))
}

function option(name: string, value: string): string[] {
  return value === '' ? [] : [name, value]
}

function ofMarket(asset: string, file: string): string {
  return file === '' ? '' : `${asset}=${file}`
}

function named(name: string, values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([parameter, value]) =>
    value === '' ? [] : [name, `${parameter}=${value}`],
  )
}
