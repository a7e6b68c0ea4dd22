// The reference of the venue configuration, docs/configuration.md: every key from the schema that checks a file, those of
// markets and accounts from the engine's tables of fields, what the latter mean from the docstrings of their types.

import { ACCOUNT_FIELDS } from '../../src/events/commandTable.ts'
import { type Schema, sectionsOf, VENUE_SCHEMA } from '../../src/host/configurationForm.ts'
import { LISTED_MARKET_FIELDS } from '../../src/host/configurationSchema.ts'
import { JSON_FORMS } from '../../src/host/expectedForm.ts'
import { unitsOf, written } from '../../src/host/writtenQuantity.ts'
import { ACCOUNT_DEFAULTS, MARKET_DEFAULTS } from '../../src/index.ts'
import { CLOSED_SETS } from '../../src/terms/closedSets.ts'
import {
  type FieldKinds,
  isNested,
  isOptional,
  isQuantity,
  isSetName,
  partsOf,
  type Quantity,
} from '../../src/terms/fieldKinds.ts'
import { linked, meaningOf, tableOf } from './referenceText.ts'
import type { EntrySurface, Page } from './report.ts'
import type { Member } from './surface.ts'

const HEAD = ['key', 'kind', 'unit', 'default', 'meaning']
const REQUIRED = '*required*'

const ABOUT = `A venue is described by one JSON file: \`margin-core serve --config venue.json\`. \`margin-core init venue.json\` writes one to begin with, \`margin-core check venue.json\` says whether a venue would start with it. Comments (\`//\` and \`/* */\`) and a comma after the last entry are let pass; a key that is not below is refused, and so are a key that is given twice and a value of another form, each with its line. \`null\` and a key left out mean the same where no meaning of \`null\` is given. \`npm run api -- --accept\` writes this page from the schema that checks the file, and a test holds it to that.

## Amounts

An amount is written in one of two ways.

| kind | with its unit | as fp9 |
|---|---|---|
| money | \`"10000 USD"\` | \`"10000000000000"\` |
| price | \`"65000 USD"\` | \`"65000000000000"\` |
| rate | \`"0.1%"\`, \`"10 bp"\` | \`"1000000"\` |
| leverage | \`"50x"\` | \`"50000000000"\` |

A decimal has its unit, and is read exactly: one that would need more than nine decimals of 1 is refused, and so is a unit that the
kind does not have. A whole number without a unit is fp9, scaled by 10^9 (A1), as it is on the wire: \`"10000"\` is 0.00001 USD. What is hardly meant as it stands is told on stderr at the start, with what it
is and what to write. A JSON number is no amount.`

export function configurationPage(surface: readonly EntrySurface[]): Page {
  const core = surface.find(({ entry }) => entry === 'margin-core')?.exports ?? []
  const membersOf = (type: string) => core.find(({ name }) => name === type)?.declared.members ?? []
  const docsOf = (...types: string[]): ReadonlyMap<string, Member> =>
    new Map(types.flatMap(membersOf).map((member) => [member.name, member]))
  const text = [
    '# The venue configuration',
    ABOUT,
    '## The venue',
    tableOf(HEAD, rowsOf(VENUE_SCHEMA, '')),
    '## A market: `markets[]`',
    tableOf(
      HEAD,
      tableRows(LISTED_MARKET_FIELDS, docsOf('MarketParameters', 'MarketConfiguration'), MARKET_DEFAULTS),
    ),
    '## An account: `accounts[]`',
    tableOf(
      HEAD,
      tableRows(ACCOUNT_FIELDS, docsOf('AccountParameters', 'AccountConfiguration'), ACCOUNT_DEFAULTS),
    ),
  ]
  return { path: 'docs/configuration.md', text: `${linked(text.join('\n\n'))}\n` }
}

/** A row for each key, those of sections and of lists of them under it. */
function rowsOf(section: Schema, path: string): string[][] {
  return Object.entries(section.properties ?? {}).flatMap(([field, outer]) => {
    const at = path === '' ? field : `${path}.${field}`
    const sections = sectionsOf(outer)
    const [first] = sections
    const items = first?.items === undefined ? [] : sectionsOf(first.items)
    const inner = sections.flatMap((one) => kindRows(one, at))
    return [
      [
        `\`${at}\``,
        kindOf(sections),
        unitOf(first),
        defaultOf(outer, sections),
        (outer.description ?? first?.description) as string,
      ],
      ...inner,
      ...items.flatMap((item) => kindRows(item, `${at}[]`)),
    ]
  })
}

/** Of a section that is one of several its kind stands before its keys. */
function kindRows(section: Schema, path: string): string[][] {
  const kind = section.properties?.kind?.const
  return rowsOf(section, path).map(([key = '', ...cells]) =>
    kind === undefined || key.endsWith('.kind`') ? [key, ...cells] : [`${key} (${kind})`, ...cells],
  )
}

function kindOf([first, ...others]: readonly Schema[]): string {
  if (first?.quantity !== undefined) return KINDS[first.quantity]
  return others.length > 0 ? 'an object of one of the kinds below' : (first?.form ?? 'as below')
}

const KINDS: { readonly [Name in Quantity]: string } = {
  quote: 'money',
  price: 'price',
  rate: 'rate',
  leverage: 'leverage',
  base: 'base units',
  amount: 'money or base units',
}

function unitOf(schema: Schema | undefined): string {
  return schema?.quantity === undefined ? '' : unitsOf(schema.quantity).join(', ')
}

function defaultOf(outer: Schema, [first]: readonly Schema[]): string {
  if (first?.default !== undefined) return first.default
  if (first?.properties !== undefined) return ''
  return outer.anyOf === undefined ? REQUIRED : 'none'
}

function tableRows(kinds: FieldKinds, docs: ReadonlyMap<string, Member>, defaults: object): string[][] {
  return Object.entries(kinds).map(([field, kind]) => {
    if (isNested(kind)) throw new TypeError(`${field} is an object of its own`)
    const { stem, bound } = partsOf(kind)
    const least = bound === null ? '' : { '>= 0': ', at least 0', '> 0': ', above 0' }[bound]
    const form = isQuantity(stem)
      ? `${KINDS[stem]}${least}`
      : isSetName(stem)
        ? CLOSED_SETS[stem].map((word) => `\`${word}\``).join(', ')
        : JSON_FORMS[stem].replace(/^an? /, '')
    const unit = isQuantity(stem) ? unitsOf(stem).join(', ') : stem === 'ms' ? 'ms' : ''
    const value = isOptional(kind) ? defaultIn(defaults, field, stem) : REQUIRED
    return [`\`${field}\``, form, unit, value, meaningOf(field, docs.get(field)).replace(', epoch ms', '')]
  })
}

/** Where the table has none, the meaning says what it is. */
function defaultIn(defaults: object, field: string, stem: string): string {
  const value: unknown = (defaults as Readonly<Record<string, unknown>>)[field]
  if (value === undefined) return ''
  if (typeof value === 'bigint') return written(value, stem as Quantity)
  return Array.isArray(value) ? value.join(', ') : String(value)
}
