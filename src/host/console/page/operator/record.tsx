// A command or an event, field by field, along the engine's own tables of what each holds: amounts as people read them.
import { COMMAND_FIELDS } from '../../../../events/commandTable.ts'
import { EVENTS } from '../../../../events/eventTable.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isQuantity,
  partsOf,
} from '../../../../terms/fieldKinds.ts'
import { exact, percent, quantity, times } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { words } from '../shared/names.ts'

type Typed = { readonly type?: unknown; readonly [field: string]: unknown }

interface Props {
  readonly of: object
  /** What its fields hold; default: as the table of commands or events has it. */
  readonly kinds?: FieldKinds
}

export function Record({ of, kinds }: Props) {
  const { type, ...fields } = of as Typed
  return (
    <dl class="record">
      {linesOf(fields, kinds ?? kindsOf(type), '').map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function linesOf(
  fields: { readonly [field: string]: unknown },
  kinds: FieldKinds,
  within: string,
): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const kind = kinds[name]
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const inner = kind !== undefined && isNested(kind) ? fieldsIn(kind) : {}
      return linesOf(value as { readonly [field: string]: unknown }, inner, `${within}${words(name)}: `)
    }
    return [[within + words(name), shown(value, kind)] as const]
  })
}

function kindsOf(type: unknown): FieldKinds {
  if (typeof type !== 'string') return {}
  if (Object.hasOwn(EVENTS, type)) return EVENTS[type as keyof typeof EVENTS].fields
  return Object.hasOwn(COMMAND_FIELDS, type) ? COMMAND_FIELDS[type as keyof typeof COMMAND_FIELDS] : {}
}

function shown(value: unknown, kind: FieldKind | undefined): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value !== 'string' || kind === undefined || isNested(kind)) return String(value)
  const { stem } = partsOf(kind)
  if (stem === 'rate') return percent(quantity(value), 4)
  if (stem === 'leverage') return times(quantity(value))
  if (isQuantity(stem)) return exact(quantity(value))
  if (stem === 'instant') return moment(value)
  return value
}
