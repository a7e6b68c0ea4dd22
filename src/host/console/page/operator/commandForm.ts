// A platform command as text in fields, along the engine's own table of what its fields hold.
import { COMMAND_FIELDS } from '../../../../events/commandTable.ts'
import { formatFp9 } from '../../../../quantity/fp9.ts'
import { MEANINGS } from '../../../../resources/meanings.ts'
import { CLOSED_SETS } from '../../../../terms/closedSets.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isQuantity,
  isSetName,
  partsOf,
} from '../../../../terms/fieldKinds.ts'
import { COMMAND_ROLES } from '../../../platformCommand.ts'
import { NOT_A_NUMBER, typed, typedPercent } from '../shared/writtenAmounts.ts'

export type CommandType = keyof typeof COMMAND_ROLES

export const COMMAND_TYPES = Object.keys(COMMAND_ROLES) as readonly CommandType[]

export interface CommandField {
  /** Where it stands in the command: `status`, `market.spread`. */
  readonly path: string
  readonly meaning: string
  readonly isOptional: boolean
  /** What can be chosen; null: it is typed. */
  readonly options: readonly string[] | null
  /** The JSON of what was typed. @throws RangeError where it is nothing of the kind. */
  readonly read: (text: string) => unknown
  /** What it has to be, in a sentence. */
  readonly form: string
}

export function fieldsOf(type: CommandType): readonly CommandField[] {
  return fieldsOfKinds(COMMAND_FIELDS[type], MEANINGS[type], '')
}

function fieldsOfKinds(
  kinds: FieldKinds,
  meanings: Readonly<Record<string, string>>,
  within: string,
): readonly CommandField[] {
  return Object.entries<FieldKind>(kinds).flatMap(([name, kind]) => {
    if (isNested(kind))
      return fieldsOfKinds(fieldsIn(kind), MEANINGS[name as 'market' | 'account'], `${name}.`)
    const { stem, isOptional } = partsOf(kind)
    const options = isSetName(stem)
      ? CLOSED_SETS[stem].map(String)
      : stem === 'flag'
        ? ['true', 'false']
        : null
    const read = isQuantity(stem) ? readQuantity : (READINGS[stem] ?? ((text: string) => text))
    const form = isQuantity(stem) ? A_QUANTITY : (FORMS[stem] ?? 'This cannot be read.')
    return { path: within + name, meaning: meanings[name] ?? '', isOptional, options, read, form }
  })
}

function readQuantity(text: string): string {
  const value = text.endsWith('%') ? typedPercent(text) : typed(text.replace(/\s*x$/, ''))
  if (value == null) throw new RangeError('a quantity')
  return formatFp9(value)
}

const READINGS: Readonly<Record<string, (text: string) => unknown>> = {
  flag: (text) => text === 'true',
  ms: wholeNumber,
  count: wholeNumber,
  categories: (text) => text.split(/[,\s]+/),
}

const A_QUANTITY = NOT_A_NUMBER.replace(/\.$/, ' or 0.1%.')

const FORMS: Readonly<Record<string, string>> = {
  ms: 'This is not a whole number of milliseconds.',
  count: 'This is not a whole number.',
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new RangeError('a whole number')
  return Number(text)
}

export type WrittenCommand =
  | { readonly command: object; readonly faults: null }
  /** What is missing or malformed, a sentence to each path. */
  | { readonly command: null; readonly faults: ReadonlyMap<string, string> }

/** Empty fields are left out. */
export function writtenCommand(type: CommandType, texts: Readonly<Record<string, string>>): WrittenCommand {
  const command: Record<string, unknown> = { type }
  const faults = new Map<string, string>()
  for (const { path, meaning, isOptional, read, form } of fieldsOf(type)) {
    const text = (texts[path] ?? '').trim()
    if (text === '') {
      if (!isOptional) faults.set(path, `This is needed. ${meaning}`.trim())
      continue
    }
    try {
      const [first = '', nested] = path.split('.')
      if (nested === undefined) command[first] = read(text)
      else command[first] = { ...(command[first] as object | undefined), [nested]: read(text) }
    } catch {
      faults.set(path, form)
    }
  }
  return faults.size > 0 ? { command: null, faults } : { command, faults: null }
}
