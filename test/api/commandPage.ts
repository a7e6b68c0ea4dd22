// The reference of every command, docs/commands.md: fields, forms and units from the table of commands, what they mean
// from their docstrings, and which order type a field of a placement means something to.

import { COMMAND_FIELDS } from '../../src/events/commandTable.ts'
import { ACCOUNT_DEFAULTS, MARKET_DEFAULTS, PLACEMENT_USES } from '../../src/index.ts'
import { formatDecimal } from '../../src/quantity/decimal.ts'
import { type FieldKinds, isOptional } from '../../src/terms/fieldKinds.ts'
import { formOf } from './fieldForms.ts'
import { linked, meaningOf, tableOf } from './referenceText.ts'
import type { EntrySurface, Page } from './report.ts'
import type { Declared, Member } from './surface.ts'

const ASKED_BY = [
  ['TraderCommand', 'Traders'],
  ['PlatformCommand', 'The operator'],
  ['SessionCommand', "A user's session"],
  ['ConfigurationCommand', 'The host, when its configuration has changed'],
  ['ClusterCommand', 'A cluster, of its shards'],
] as const

/** What is documented of a field. */
type Docs = ReadonlyMap<string, Member>

export function commandPage(surface: readonly EntrySurface[]): Page {
  const core = surface.find(({ entry }) => entry === 'margin-core')?.exports ?? []
  const types = new Map(core.map(({ name, declared }) => [name, declared]))
  const typeOf = (name: string): Declared => {
    const declared = types.get(name)
    if (declared === undefined) throw new Error(`${name} is not exported`)
    return declared
  }
  const membersOf = (name: string): readonly Member[] => {
    const type = typeOf(name)
    const inherited = /\bextends Repeatable\b/.test(type.text) ? membersOf('Repeatable') : []
    return [...type.members, ...inherited]
  }
  const docsOf = (...names: string[]): Docs =>
    new Map(names.flatMap(membersOf).map((member) => [member.name, member] as const))
  const sections = Object.entries<FieldKinds>(COMMAND_FIELDS).map(([command, kinds]) => {
    const name = `${command[0]?.toUpperCase()}${command.slice(1)}`
    const asked = ASKED_BY.filter(([union]) => typeOf(union).names.some((key) => key.endsWith(`#${name}`)))
    const who = asked.map(([, by]) => by).join('; ') || 'The engine itself, once'
    const isPlacement = name === 'PlaceOrder'
    return [
      `## ${command}`,
      `${typeOf(name)
        .doc?.replaceAll(/\{@link (\w+)\}/g, '`$1`')
        .replaceAll('\n', ' ')}`,
      `Asked by: ${who.charAt(0).toLowerCase()}${who.slice(1)}.`,
      table(kinds, docsOf(isPlacement ? 'Placement' : name)),
      ...(isPlacement ? [usesTable()] : []),
    ].join('\n\n')
  })
  const { market } = COMMAND_FIELDS.configureMarket
  const { account } = COMMAND_FIELDS.openAccount
  const text = [
    '# Commands',
    'Everything the engine can be asked to do, and every field of it. `npm run api -- --accept` writes this page: the fields and their forms are those that the check reads, the meanings are the docstrings of the types, and a test holds the page to both. What the values mean together is checked by the rules, with the codes of [errors.md](errors.md).',
    'An fp9 quantity is a whole number scaled by 10^9: `1_000_000_000n` is 1. `null` and omitted mean the same (A6) where no meaning of `null` is given; a field that is in no table is refused.',
    ...sections,
    `## A market's configuration\n\n${table(market, docsOf('MarketParameters', 'MarketConfiguration'), MARKET_DEFAULTS)}`,
    `## An account's configuration\n\n${table(account, docsOf('AccountParameters', 'AccountConfiguration'), ACCOUNT_DEFAULTS)}`,
  ]
  return { path: 'docs/commands.md', text: `${linked(text.join('\n\n'))}\n` }
}

function table(kinds: FieldKinds, docs: Docs, defaults?: object): string {
  const rows = Object.entries(kinds).map(([field, kind]) => {
    const member = docs.get(field)
    const needed = isOptional(kind) ? '' : 'required'
    const cells = [`\`${field}\``, formOf(kind), needed, meaningOf(field, member)]
    return [...cells, ...(defaults === undefined ? [] : [defaultOf(defaults, field)])]
  })
  const head = ['field', 'form', '', 'meaning', ...(defaults === undefined ? [] : ['default'])]
  return tableOf(head, rows)
}

function defaultOf(defaults: object, field: string): string {
  if (!Object.hasOwn(defaults, field)) return ''
  const value: unknown = defaults[field as keyof typeof defaults]
  return typeof value === 'bigint'
    ? formatDecimal(value)
    : Array.isArray(value)
      ? value.join(', ')
      : String(value)
}

/** A row for each field, a column for each order type. */
function usesTable(): string {
  const types = Object.entries<Readonly<Record<string, string>>>(PLACEMENT_USES)
  const fields = Object.keys(COMMAND_FIELDS.placeOrder).filter((field) =>
    types.some(([, uses]) => uses[field] !== undefined),
  )
  return `Which order types a field means something to; others ignore it, and refuse \`triggerPrice\` (F6), \`baseSize\` and \`sizeMode\` \`base\`. Of those marked \`one of\` exactly one is given; \`with base\` is with \`sizeMode\` \`base\`, and only then.\n\n${tableOf(
    ['field', ...types.map(([type]) => `\`${type}\``)],
    fields.map((field) => [`\`${field}\``, ...types.map(([, uses]) => uses[field] ?? '')]),
  )}`
}
