/**
 * Every key of a venue configuration: what it holds, what it is where it is left out, and what it means. The check of a file,
 * what a message says was expected, and docs/configuration.md all come from here.
 */

import { type Static, type TSchema, Type } from 'typebox'
import { MARKET_FIELDS } from '../events/commandTable.ts'
import { closed, optional, UUID_PATTERN } from '../resources/fields.ts'
import type { FieldKinds } from '../terms/fieldKinds.ts'
import { MARKET_PARAMETERS } from '../terms/parameterFields.ts'
import { OPERATOR_ROLES } from './access.ts'
import { MAX_API_KEYS_PER_USER } from './apiKeyLimit.ts'
import { anyOf, JSON_FORMS } from './expectedForm.ts'
import { EXCHANGE_NAMES } from './feed/exchanges.ts'
import { DEFAULT_RATE_LIMITS } from './rateLimit.ts'
import { WEBHOOK_TYPES } from './webhooks/webhookEvents.ts'
import { written, writtenForms } from './writtenQuantity.ts'

export const DEFAULT_FEED = { seed: 'demo', intervalMs: 1_000, step: 500_000n }
export const DEFAULT_SOURCE = { maxAgeMs: 10_000, silenceMs: 30_000, pingMs: 20_000 }
/** Engines of a cluster. */
export const DEFAULT_SHARDS = 16
export const DEFAULT_INDEX = { maxDeviation: 10_000_000n, minSources: 2 }

/** What is said of a key beside what it can hold. */
interface About {
  /** What it means; ids of rules in brackets. */
  readonly description: string
  /** Where it is left out, as people write it. */
  readonly default?: string
}

/** `form` says what a key holds, in the words of a message and of the page. */
const text = (about: About) => Type.String({ minLength: 1, maxLength: 255, form: JSON_FORMS.text, ...about })
const long = (about: About) =>
  Type.String({ minLength: 1, maxLength: 4_096, form: 'a text of 1 to 4096 characters', ...about })
/** Printable, because it stands in the log. */
const name = (about: About) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$',
    form: '1 to 255 printable characters',
    ...about,
  })
/** What it holds is repeated in no message. */
const secret = (about: About) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    form: JSON_FORMS.text,
    writeOnly: true,
    ...about,
  })
const positive = (about: About) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    form: 'a whole number from 1 to 1000000000',
    ...about,
  })
const id = (about: About) => Type.String({ pattern: UUID_PATTERN, form: JSON_FORMS.id, ...about })
/** Whether it is one is found out where it is read. */
const instant = (about: About) => Type.String({ form: JSON_FORMS.instant, ...about })
const fraction = (about: About) => Type.String({ form: writtenForms('rate'), quantity: 'rate', ...about })
const word = <const Word extends string>(words: readonly Word[], about: About) =>
  Type.Enum([...words], { form: anyOf(words), ...about })
const kind = <const Kind extends string>(of: Kind, description: string) =>
  Type.Literal(of, { form: JSON.stringify(of), description })
const section = <Fields extends Record<string, TSchema>>(fields: Fields, description: string) =>
  closed(fields, { form: 'an object', description } as { description: string })
const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { form: 'a list', description })

const duration = (description: string, ms: number) =>
  optional(positive({ description: `${description}, ms.`, default: String(ms) }))

/** Where a ticker stream is, how it speaks, and what it is about. */
const SOURCE_FIELDS = {
  exchange: optional(
    word(EXCHANGE_NAMES, {
      description: 'Whose stream it is; its address and format are known.',
      default: 'one of your own: `format`',
    }),
  ),
  name: optional(
    name({ description: 'What it is called in metrics and to operators.', default: 'the exchange' }),
  ),
  url: optional(
    text({
      description: 'Its address, `wss://` or `ws://`.',
      default: "the exchange's; needed with `format`",
    }),
  ),
  format: optional(
    section(
      {
        subscribe: long({
          description:
            'What asks for tickers, with `{arguments}` for the arguments of up to ten symbols, parted by commas.',
        }),
        argument: text({ description: 'One of them, with `{symbol}`, or `{lower}` for it in lower case.' }),
        rows: optional(
          text({
            description: 'Where a list of tickers stands: names and places, parted by dots.',
            default: 'a frame is a ticker',
          }),
        ),
        symbol: text({ description: 'Where in a ticker its symbol stands.' }),
        price: text({ description: 'Where its price stands: a decimal, as text or as a number.' }),
        time: optional(
          text({
            description: 'Where its time stands: ISO 8601, or milliseconds since 1970.',
            default: 'when it came',
          }),
        ),
        ping: optional(text({ description: 'What is said to it from time to time.', default: 'nothing' })),
        pingMs: duration('How often', DEFAULT_SOURCE.pingMs),
      },
      'How a stream of your own speaks.',
    ),
  ),
  symbols: listOf(
    section(
      {
        symbol: text({ description: 'As the exchange calls it.' }),
        marketId: id({ description: 'The market whose price it is.' }),
      },
      'A symbol and its market.',
    ),
    'What it is asked for, at least one.',
  ),
  maxAgeMs: duration('What it said counts for so long', DEFAULT_SOURCE.maxAgeMs),
  silenceMs: duration('Without any price for so long it is connected anew', DEFAULT_SOURCE.silenceMs),
}

/** Its keys are those of a table of the engine. */
const checkedByTable = Type.Unknown()

const { perSecond, perMinute } = DEFAULT_RATE_LIMITS

export const VenueFile = section(
  {
    seed: optional(text({ description: 'Seeds the ids that the engine makes.', default: 'random' })),
    clock: optional(
      section(
        {
          mode: optional(
            word(['manual', 'system'], {
              description:
                '`system`: the time of the machine (K12). `manual`: it moves only when an operator moves it.',
              default: 'system',
            }),
          ),
          start: optional(
            instant({
              description: 'Where a manual clock starts.',
              default: 'when the venue is first started',
            }),
          ),
        },
        'What the time of the venue is.',
      ),
    ),
    operatorToken: optional(
      secret({
        description: 'The token of an admin called `operator`.',
        default: 'none; without any operator token the operator surface is off',
      }),
    ),
    operatorTokens: optional(
      listOf(
        section(
          {
            name: name({ description: 'Stands in the log behind each of their commands.' }),
            token: secret({ description: 'The token; one secret stands for one thing.' }),
            role: word(OPERATOR_ROLES, { description: 'What it may do: look, act on accounts, everything.' }),
          },
          'Somebody who runs the venue.',
        ),
        'Everybody who runs the venue, by name (K10).',
      ),
    ),
    operatorListen: optional(
      text({
        description: 'Where the operator surface is served, and nowhere else: `HOST:PORT` (K10).',
        default: "beside the traders'",
      }),
    ),
    webhooks: optional(
      listOf(
        section(
          {
            url: text({
              description: 'Where it listens: `https://` or `http://`. It is known by this address.',
            }),
            secret: secret({ description: 'Signs what it is told; one secret stands for one thing.' }),
            types: listOf(
              word(WEBHOOK_TYPES, { description: 'What it is told of (docs/operating.md).' }),
              'What it is told of, at least one.',
            ),
          },
          'A receiver of what happens.',
        ),
        'Who is told of what happens, as it becomes durable (docs/operating.md).',
      ),
    ),
    feed: optional(
      Type.Union(
        [
          section(
            {
              kind: kind('simulated', 'A seeded random walk for each priced market.'),
              seed: optional(
                text({ description: 'The same seed gives the same prices.', default: DEFAULT_FEED.seed }),
              ),
              intervalMs: optional(
                positive({
                  description: 'Milliseconds between two prices of a market.',
                  default: String(DEFAULT_FEED.intervalMs),
                }),
              ),
              step: optional(
                fraction({
                  description: 'Largest move of a price.',
                  default: written(DEFAULT_FEED.step, 'rate'),
                }),
              ),
            },
            'Prices that are simulated.',
          ),
          section(
            {
              kind: kind('replay', 'The prices of a file, at the pace they were recorded.'),
              file: text({ description: 'A CSV file of `ms,price`, the price as a decimal.' }),
              marketId: id({ description: 'The market whose prices they are.' }),
              speed: optional(
                Type.Number({
                  exclusiveMinimum: 0,
                  form: 'a number above 0',
                  description: 'How many times as fast as recorded.',
                  default: '1',
                }),
              ),
            },
            'Prices that were recorded.',
          ),
          section(
            {
              kind: kind('websocket', 'The ticker stream of an exchange.'),
              ...SOURCE_FIELDS,
              intervalMs: duration('Between two prices of a market', DEFAULT_FEED.intervalMs),
            },
            'Prices of an exchange.',
          ),
          section(
            {
              kind: kind('index', 'The median of several ticker streams.'),
              sources: listOf(section(SOURCE_FIELDS, 'A ticker stream.'), 'Where prices are heard.'),
              maxDeviation: optional(
                fraction({
                  description: 'A source further from the median is left out.',
                  default: written(DEFAULT_INDEX.maxDeviation, 'rate'),
                }),
              ),
              minSources: optional(
                positive({
                  description: 'With fewer that count there is no price, and the last one grows old (B7).',
                  default: String(DEFAULT_INDEX.minSources),
                }),
              ),
              intervalMs: duration('Between two prices of a market', DEFAULT_FEED.intervalMs),
            },
            'Prices of several exchanges.',
          ),
        ],
        {
          description:
            'Where prices come from; only with the system clock. Null or left out: from the operator.',
        },
      ),
    ),
    rateLimit: optional(
      section(
        {
          perSecond: optional(positive({ description: 'Requests in a second.', default: String(perSecond) })),
          perMinute: optional(positive({ description: 'Requests in a minute.', default: String(perMinute) })),
        },
        'Requests of each API key, reading and writing each (I5). Null: no limit; left out: the defaults.',
      ),
    ),
    maxApiKeysPerUser: optional(
      positive({
        description: 'Live API keys that a user may come to have (K3).',
        default: String(MAX_API_KEYS_PER_USER),
      }),
    ),
    cluster: optional(
      section(
        {
          shards: optional(
            positive({
              description: 'Engines that users are spread over; fixed when the cluster is made.',
              default: String(DEFAULT_SHARDS),
            }),
          ),
          secret: secret({ description: 'Authenticates nodes to each other.' }),
        },
        'A venue on several nodes over PostgreSQL (docs/cluster.md). Left out: on one host.',
      ),
    ),
    markets: optional(listOf(checkedByTable, 'The markets of the venue.')),
    users: optional(
      listOf(
        section(
          {
            id: id({ description: 'Names the user for good.' }),
            sessionToken: optional(
              secret({ description: 'Stands for the interactive session of the user.', default: 'none' }),
            ),
            apiKeys: optional(
              listOf(
                section(
                  {
                    key: secret({
                      description:
                        'An API key in clear; only its SHA-256 is stored (I6). The file is the truth about it (K11).',
                    }),
                    expiresAt: optional(instant({ description: 'When it ends.', default: 'never' })),
                  },
                  'An API key.',
                ),
                'The API keys of the user.',
              ),
            ),
          },
          'A user.',
        ),
        'Who trades here.',
      ),
    ),
    accounts: optional(listOf(checkedByTable, 'The accounts of the users.')),
  },
  'A venue.',
)

export type VenueFile = Static<typeof VenueFile>

/** A ticker stream as a file describes it. */
export type SourceFile = Static<ReturnType<typeof closed<typeof SOURCE_FIELDS>>>

/** What a market must name; the rest has defaults. */
export const LISTED_MARKET_FIELDS: FieldKinds = {
  ...MARKET_FIELDS,
  baseAsset: MARKET_PARAMETERS.baseAsset,
  ticker: MARKET_PARAMETERS.ticker,
  category: MARKET_PARAMETERS.category,
}
