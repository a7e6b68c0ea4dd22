// The reference of every event, docs/events.md: what happened, to what, and every field of it, from the types and their
// docstrings.

import { linked, meaningOf, tableOf } from './referenceText.ts'
import type { EntrySurface, Page } from './report.ts'
import type { Declared, Member } from './surface.ts'

/** The unions of events, in the order of the page. */
const GROUPS = [
  ['EngineEvent', 'The venue'],
  ['MarketEvent', 'Markets'],
  ['AccountEvent', 'Accounts'],
  ['OrderEvent', 'Orders'],
  ['PositionEvent', 'Positions'],
  ['ApiKeyEvent', 'API keys'],
] as const

const UNITS: Readonly<Record<string, string>> = {
  Price: 'fp9; quote per base',
  Quote: 'fp9; quote',
  Base: 'fp9; base',
  Rate: 'fp9; fraction',
  Leverage: 'fp9; multiple',
  bigint: 'fp9; quote or base',
  string: 'text',
  number: 'number',
  boolean: 'true or false',
}

export function eventPage(surface: readonly EntrySurface[]): Page {
  const core = surface.find(({ entry }) => entry === 'margin-core')
  const declared = [...(core?.exports ?? []).map((one) => one.declared), ...(core?.unexported ?? [])]
  const byKey = new Map(declared.map((one) => [one.key, one]))
  const byName = new Map(declared.map((one) => [one.name, one]))
  const typeOf = (name: string): Declared => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`${name} is not in the surface`)
    return found
  }
  const membersOf = (one: Declared): readonly Member[] => {
    const bases = /\bextends ([\w, ]+)/.exec(one.text)?.[1]?.split(',') ?? []
    return [...bases.flatMap((base) => membersOf(typeOf(base.trim()))), ...one.members]
  }
  const eventsOf = (union: string): Declared[] =>
    typeOf(union).names.flatMap((key) => {
      const one = byKey.get(key) as Declared
      return one.members.some(({ name }) => name === 'type') ? [one] : eventsOf(one.name)
    })
  const sectionOf = (event: Declared): string => {
    const fields = membersOf(event).filter(({ name }) => name !== 'type')
    const type = /'(\w+)'/.exec(event.members.find(({ name }) => name === 'type')?.type ?? '')?.[1]
    const rows = fields.map((field) => [
      `\`${field.name}\``,
      formOf(field.type),
      meaningOf(field.name, field),
    ])
    return [
      `### ${type}`,
      `${event.doc?.replaceAll(/\{@link (\w+)\}/g, '`$1`').replaceAll('\n', ' ')}`,
      ...(rows.length === 0 ? [] : [tableOf(['field', 'form', 'meaning'], rows)]),
    ].join('\n\n')
  }
  const sections = GROUPS.flatMap(([union, title]) => [`## ${title}`, ...eventsOf(union).map(sectionOf)])
  const text = [
    '# Events',
    'Everything that can happen, and every field of it: what a read model of your own is told, what `engine.follow` gives, what the log holds. `npm run api -- --accept` writes this page from the types and their docstrings, and a test holds it to them. An event says what was decided, with every amount, so that folding it never decides anything; its time is that of its commit.',
    'An fp9 quantity is a whole number scaled by 10^9: `1_000_000_000n` is 1.',
    ...sections,
  ]
  return { path: 'docs/events.md', text: `${linked(text.join('\n\n'))}\n` }
}

function formOf(type: string): string {
  const parts = type.split('|').map((part) => part.trim())
  const isNullable = parts.includes('null')
  const shown = parts
    .filter((part) => part !== 'null')
    .map((part) => UNITS[part] ?? (part.startsWith("'") ? `\`${part.slice(1, -1)}\`` : `\`${part}\``))
  return `${shown.join(', ')}${isNullable ? ', or null' : ''}`
}
