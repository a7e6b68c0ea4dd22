// The reference of every event, docs/events.md: what happened, to what, and every field of it, from the table of events;
// what they mean from the docstrings of their types.

import { EVENT_TYPES, EVENTS, type EventsOn } from '../../src/events/eventTable.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isOptional,
} from '../../src/terms/fieldKinds.ts'
import { ACCOUNT_PARAMETERS, MARKET_PARAMETERS } from '../../src/terms/parameterFields.ts'
import { formOf } from './fieldForms.ts'
import { linked, meaningOf, tableOf } from './referenceText.ts'
import type { EntrySurface, Page } from './report.ts'
import type { Declared, Member } from './surface.ts'

/** In the order of the page. */
const TITLES: { readonly [On in keyof EventsOn]: string } = {
  venue: 'The venue',
  market: 'Markets',
  account: 'Accounts',
  order: 'Orders',
  position: 'Positions',
  apiKey: 'API keys',
}

/** What another page lists. */
const ELSEWHERE = new Map<FieldKind, string>([
  [MARKET_PARAMETERS, "all of [a market's parameters](commands.md#a-markets-configuration)"],
  [ACCOUNT_PARAMETERS, "all of [an account's parameters](commands.md#an-accounts-configuration)"],
])

export function eventPage(surface: readonly EntrySurface[]): Page {
  const core = surface.find(({ entry }) => entry === 'margin-core')
  const declared = [...(core?.exports ?? []).map((one) => one.declared), ...(core?.unexported ?? [])]
  /** Other files may use the name of a type for another: an event is built from types of its own file. */
  const typeOf = (name: string, file = 'events/'): Declared => {
    const found = declared.find((one) => one.name === name && one.key.startsWith(file))
    if (found === undefined) throw new Error(`${name} is not in the surface`)
    return found
  }
  const membersOf = (one: Declared): readonly Member[] => {
    const bases = /\bextends ([\w, ]+)/.exec(one.text)?.[1]?.split(',') ?? []
    return [...bases.flatMap((base) => membersOf(typeOf(base.trim(), one.key.split('#')[0]))), ...one.members]
  }
  const sectionOf = (type: keyof typeof EVENTS): string => {
    const event = typeOf(`${type[0]?.toUpperCase()}${type.slice(1)}`)
    const docs = new Map(membersOf(event).map((member) => [member.name, member]))
    const rows = Object.entries<FieldKind>(EVENTS[type].fields).map(([field, kind]) => [
      `\`${field}\``,
      formIn(kind),
      meaningOf(field, docs.get(field)),
    ])
    return [
      `### ${type}`,
      `${event.doc?.replaceAll(/\{@link (\w+)\}/g, '`$1`').replaceAll('\n', ' ')}`,
      ...(rows.length === 0 ? [] : [tableOf(['field', 'form', 'meaning'], rows)]),
    ].join('\n\n')
  }
  const sections = Object.entries(TITLES).flatMap(([on, title]) => [
    `## ${title}`,
    ...EVENT_TYPES.filter((type) => EVENTS[type].on === on).map(sectionOf),
  ])
  const text = [
    '# Events',
    'Everything that can happen, and every field of it: what a read model of your own is told, what `engine.follow` gives, what the log holds. `npm run api -- --accept` writes this page: the fields and their forms are those of the table that the stored form is made from, the meanings are the docstrings of the types, and a test holds the page to both. An event says what was decided, with every amount, so that folding it never decides anything; its time is that of its commit.',
    'An fp9 quantity is a whole number scaled by 10^9: `1_000_000_000n` is 1.',
    ...sections,
  ]
  return { path: 'docs/events.md', text: `${linked(text.join('\n\n'))}\n` }
}

function formIn(kind: FieldKind): string {
  const form = ELSEWHERE.get(kind) ?? (isNested(kind) ? objectOf(fieldsIn(kind)) : formOf(kind))
  return isOptional(kind) ? `${form}; or null` : form
}

function objectOf(kinds: FieldKinds): string {
  const fields = Object.entries(kinds).map(([field, kind]) => `\`${field}\` (${formIn(kind)})`)
  return `an object: ${fields.join('; ')}`
}
