/** A form as it comes from a page, held to what a form may say before anything is made of it. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { STRATEGY_NAMES } from '../backtest/strategies/catalogue.ts'
import { isScript } from '../backtest/strategies/importFile.ts'
import { type LiveAllowance, liveFaults } from './askedLive.ts'
import { newPlaceIn, Outside, placeIn } from './confined.ts'
import type { Fault } from './faults.ts'
import { KINDS } from './formKinds.ts'
import { FORM_OPTIONS, isSwitch, OPTION_NAMES, type OptionName } from './formOptions.ts'
import type { RunForm } from './runForm.ts'
import { hasKey } from './venueKeys.ts'

const text = Type.String({ maxLength: 1_024, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const values = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$' }), text, {
  maxProperties: 64,
  additionalProperties: false,
})

const Asked = Type.Object(
  {
    kind: Type.Union(KINDS.map((kind) => Type.Literal(kind))),
    config: text,
    strategy: text,
    markets: Type.Array(
      Type.Object(
        { asset: Type.String({ pattern: '^[A-Za-z0-9]{1,20}$' }), data: text, funding: text },
        { additionalProperties: false },
      ),
      { maxItems: 32 },
    ),
    parameters: values,
    vary: values,
    options: Type.Object(Object.fromEntries(OPTION_NAMES.map((name) => [name, Type.Optional(text)])), {
      additionalProperties: false,
    }),
    rules: Type.Array(text, { maxItems: 16 }),
    out: text,
  },
  { additionalProperties: false },
)

/** What is not to be run, each with its field. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ message }) => message).join('\n'))
    this.faults = faults
  }
}

/**
 * The form, whose paths are all in the folder.
 *
 * @throws Refused with every fault.
 */
export async function askedRun(home: string, body: unknown, allowed: LiveAllowance): Promise<RunForm> {
  if (!Check(Asked, body)) {
    const [fault] = Errors(Asked, body)
    const field = fault?.instancePath.slice(1).replaceAll('/', '.') ?? ''
    throw new Refused([{ field: field === '' ? null : field, message: fault?.message ?? 'it is no form' }])
  }
  const withKey = keyFaults(body)
  if (withKey.length > 0) throw new Refused(withKey)
  const form = formOf(body)
  const faults = [...typedFaults(form), ...liveFaults(form, allowed), ...(await pathFaults(home, form))]
  if (faults.length > 0) throw new Refused(faults)
  return form
}

/** A key stays out of the page, out of what it lists, and out of the command that everybody sees. */
function keyFaults(body: unknown): Fault[] {
  const message = 'a key is written nowhere here: name the file that holds it'
  return hasKey(JSON.stringify(body)) ? [{ field: null, message }] : []
}

function formOf({ options, ...rest }: Static<typeof Asked>): RunForm {
  const typed = Object.entries(options as Readonly<Record<string, string | undefined>>)
  const given = typed.filter(([, value]) => value !== undefined && value !== '')
  return { ...rest, options: Object.fromEntries(given) as RunForm['options'] }
}

/** No value looks like an option: the program would take it as a value, and whoever reads the line would not. */
function typedFaults({ options, parameters, vary }: RunForm): Fault[] {
  const typed = [
    ...Object.entries(options).map(([name, value]) => [`options.${name}`, value] as const),
    ...Object.entries(parameters).map(([name, value]) => [`parameters.${name}`, value] as const),
    ...Object.entries(vary).map(([name, value]) => [`vary.${name}`, value] as const),
  ]
  return typed.flatMap(([field, value]) => {
    if (value.startsWith('--')) return [{ field, message: `${value} is an option, not a value` }]
    const { choices, ...own } = FORM_OPTIONS[field.slice('options.'.length) as OptionName] ?? {}
    if (choices === undefined || choices.includes(value)) return []
    const what = isSwitch({ ...(own as (typeof FORM_OPTIONS)[OptionName]), choices })
      ? 'on, or nothing'
      : choices.join(', ')
    return [{ field, message: `${value} is not among ${what}` }]
  })
}

async function pathFaults(home: string, form: RunForm): Promise<Fault[]> {
  const { config, strategy, markets, rules, out } = form
  const there: (readonly [string, string])[] = [
    ...(config === '' ? [] : [['config', config] as const]),
    ...(strategy === '' || STRATEGY_NAMES.includes(strategy) ? [] : [['strategy', strategy] as const]),
    ...markets.flatMap(({ data, funding }) =>
      [data, funding].filter((place) => place !== '').map((place) => ['markets', place] as const),
    ),
    ...rules.map((place) => ['rules', place] as const),
    ...optionPaths(form, 'there'),
  ]
  const made = optionPaths(form, 'new')
  const found = await Promise.all([
    ...there.map(([field, place]) => faultOf(field, () => placeIn(home, place))),
    ...made.map(([field, place]) => faultOf(field, () => newPlaceIn(home, place))),
  ])
  const isScripted = strategy === '' || STRATEGY_NAMES.includes(strategy) || isScript(strategy)
  return [
    ...found.flat(),
    ...(isScripted
      ? []
      : [{ field: 'strategy', message: `${strategy} is no strategy: a name, or a script` }]),
    ...(out === ''
      ? [{ field: 'out', message: 'a run of this page is saved: name a folder' }]
      : await outFaults(home, form)),
  ]
}

function optionPaths({ options }: RunForm, path: 'there' | 'new'): (readonly [string, string])[] {
  return OPTION_NAMES.flatMap((name) => {
    const place = options[name]
    return FORM_OPTIONS[name].path === path && place !== undefined ? [[`options.${name}`, place]] : []
  })
}

/** Nothing that is there is written over; a live run goes on with its journal. */
async function outFaults(home: string, { kind, out }: RunForm): Promise<Fault[]> {
  const faults = await faultOf('out', () => newPlaceIn(home, out))
  if (faults.length > 0) return faults
  const found = await stat(path.resolve(home, out)).catch(() => null)
  if (found === null || (kind === 'live' && found.isFile())) return []
  return [
    { field: 'out', message: `${out} is there already: name another ${kind === 'live' ? 'file' : 'folder'}` },
  ]
}

async function faultOf(field: string, look: () => Promise<string>): Promise<Fault[]> {
  try {
    await look()
    return []
  } catch (error) {
    if (error instanceof Outside) return [{ field, message: error.message }]
    throw error
  }
}
