/**
 * An example of what a schema describes, so that every answer can be shown: what the schema shows itself where it does, else put
 * together of its parts. Whatever it is, it fits the schema (test/host/description.test.ts).
 */

type Json = { readonly [key: string]: unknown }

/** What a text or a number of this name looks like, where its schema shows nothing. */
const BY_NAME: Json = {
  asset: 'BTC',
  baseAsset: 'BTC',
  ticker: 'BTC/USD',
  name: 'anna',
  userId: '00000000-0000-4000-8000-000000000001',
  url: 'https://desk.example/margin-core',
  event: 'orderExecuted',
  priceSource: 'index',
  seq: 1_200,
  head: 1_200,
  durableHead: 1_200,
}

/** The same of what may be anything: what the log holds (docs/events.md). */
const COMMAND = {
  type: 'setMarketStatus',
  marketId: '00000000-0000-4000-8000-00000000000b',
  status: 'paused',
}
const EVENT = { ...COMMAND, type: 'marketStatusChanged' }
const BY = { type: 'operator', name: 'anna' }
const OF_THE_LOG: Json = {
  command: COMMAND,
  event: EVENT,
  by: BY,
  data: { seq: 1_200, at: '2026-01-05T00:10:00.000Z', by: BY, command: COMMAND, events: [EVENT] },
}

export function exampleOf(schema: unknown, name = ''): unknown {
  const {
    examples,
    const: constant,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    ...own
  } = schema as Json & {
    readonly examples?: readonly unknown[]
    readonly enum?: readonly unknown[]
    readonly anyOf?: readonly Json[]
    readonly oneOf?: readonly Json[]
    readonly allOf?: readonly Json[]
  }
  if (examples?.[0] !== undefined) return examples[0]
  if (constant !== undefined) return constant
  if (values !== undefined) return values[0]
  const choice = anyOf ?? oneOf
  if (choice !== undefined) return exampleOfOne(choice, name)
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((part) => exampleOf(part, name)))
  return exampleOfType(own, name)
}

/** What may be null is, unless it is an amount or an id. */
function exampleOfOne(choice: readonly Json[], name: string): unknown {
  const [first = {}] = choice
  const mayBeNull = choice.some(({ type }) => type === 'null')
  const isCounted = first.title !== undefined && first.title !== 'Instant'
  return mayBeNull && !isCounted ? null : exampleOf(first, name)
}

function exampleOfType({ type, properties, items, minimum }: Json, name: string): unknown {
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Json).map(([key, field]) => [key, exampleOf(field, key)]),
    )
  if (type === 'array') return [exampleOf(items, SINGULAR[name] ?? name)]
  if (type === 'boolean') return true
  if (type === undefined) return OF_THE_LOG[name] ?? {}
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name]
  if (type === 'integer' || type === 'number') return minimum ?? 0
  return 'text'
}

const SINGULAR: Readonly<Record<string, string>> = { events: 'event', commands: 'command' }
