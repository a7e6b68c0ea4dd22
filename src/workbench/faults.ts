/** Which field of a form a message of the command line speaks of. */
import { FORM_OPTIONS, type OptionName } from './formOptions.ts'
import type { RunForm } from './runForm.ts'

/** A mistake as the command told it; `field` as the form names it, null where it is of the whole. */
export interface Fault {
  readonly field: string | null
  readonly message: string
}

/** The lines that a command ended with, those of `error:` by the field they belong to. */
export function faultsOf(lines: readonly string[], form: RunForm): Fault[] {
  return lines.flatMap((line) => {
    const [, message] = /^error: (.+)$/.exec(line) ?? []
    return message === undefined ? [] : [{ field: fieldOf(message, form), message }]
  })
}

/** `--param`, `--vary` and a parameter's own name lead to its field, any other option to that of its name. */
function fieldOf(message: string, form: RunForm): string | null {
  const parameter = parameterIn(message, form)
  if (parameter !== null) return parameter
  for (const [, option = ''] of message.matchAll(/--([a-z][a-z-]*)/g)) {
    if (Object.hasOwn(FORM_OPTIONS, option)) return `options.${option as OptionName}`
    const place = PLACES[option]
    if (place !== undefined) return place
  }
  return [form.strategy, form.config, ...form.rules, ...form.markets.map(({ data }) => data)].reduce<
    string | null
  >((found, file) => found ?? (file !== '' && message.includes(file) ? placeOf(file, form) : null), null)
}

const PLACES: Readonly<Record<string, string>> = {
  config: 'config',
  data: 'markets',
  funding: 'markets',
  strategy: 'strategy',
  rules: 'rules',
  out: 'out',
  journal: 'out',
}

function placeOf(file: string, { strategy, config, rules }: RunForm): string {
  if (file === strategy) return 'strategy'
  if (file === config) return 'config'
  return rules.includes(file) ? 'rules' : 'markets'
}

/** A parameter that stands in the message as a word of its own: `fast has to be 1 or more`. */
function parameterIn(message: string, { parameters, vary }: RunForm): string | null {
  const words = new Set(message.match(/[A-Za-z_][\w.]*/g) ?? [])
  const found = (values: Readonly<Record<string, string>>) =>
    Object.keys(values).find((name) => values[name] !== '' && words.has(name))
  const name = found(parameters)
  if (name !== undefined) return `parameters.${name}`
  const varied = found(vary)
  return varied === undefined ? null : `vary.${varied}`
}
