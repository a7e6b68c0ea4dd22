/** The venue configuration: a JSON file, checked to the last key. */
import { Type } from 'typebox'
import type { AccountConfiguration, MarketConfiguration } from '../events/command.ts'
import { ACCOUNT_FIELDS, MARKET_FIELDS } from '../events/commandTable.ts'
import type { FieldKinds } from '../terms/fieldKinds.ts'
import { MARKET_PARAMETERS } from '../terms/parameterFields.ts'
import { OPERATOR_ROLES } from './access.ts'
import { MAX_API_KEYS_PER_USER } from './apiKeyLimit.ts'
import { FieldFault, objectFromJson } from './fieldsFromJson.ts'
import { parseInstant } from './instant.ts'
import { type OperatorToken, SINGLE_OPERATOR } from './operators.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './rateLimit.ts'
import { closed, Fp9, optional, Uuid } from './schemas/fields.ts'
import { parseStrictJson } from './strictJson.ts'
import { ValidationFault, validatorOf } from './validation.ts'

/** Seeded random walks, one per priced market. */
export interface SimulatedFeedConfiguration {
  readonly kind: 'simulated'
  readonly seed: string
  /** Milliseconds between ticks of a market. */
  readonly intervalMs: number
  /** Largest move of one tick, as a fraction of the price. */
  readonly step: bigint
}

/** Prices of one market from a CSV file of `ms,price`, at the pace they were recorded. */
export interface ReplayFeedConfiguration {
  readonly kind: 'replay'
  readonly file: string
  readonly marketId: string
  /** How many times faster than recorded. */
  readonly speed: number
}

/** Where the prices of a venue come from. */
export type FeedConfiguration = SimulatedFeedConfiguration | ReplayFeedConfiguration

/** A user of a venue, with their keys. Secrets are as in the file. */
export interface UserConfiguration {
  readonly id: string
  readonly sessionToken: string | null
  readonly apiKeys: readonly { readonly key: string; readonly expiresAt: number | null }[]
}

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
}

/** A venue as its file describes it. */
export interface VenueConfiguration {
  /** Seeds the engine's ids; null = a random one. */
  readonly seed: string | null
  /** A manual clock starts at `start`; null = when the venue is first started. */
  readonly clock: { readonly mode: 'manual' | 'system'; readonly start: number | null }
  /** An admin called `operator`. */
  readonly operatorToken: string | null
  readonly operatorTokens: readonly OperatorToken[]
  /** Where the operator surface is served, and nowhere else (K10); null = beside the traders'. */
  readonly operatorListen: ListenAddress | null
  readonly feed: FeedConfiguration | null
  readonly rateLimit: RateLimits | null
  /** Live API keys that a user may come to have (K3). Configured ones count, and are never too many. */
  readonly maxApiKeysPerUser: number
  readonly markets: readonly MarketConfiguration[]
  readonly users: readonly UserConfiguration[]
  readonly accounts: readonly AccountConfiguration[]
}

/** The configuration is not one; the message names the path of the key at fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

const Text = Type.String({ minLength: 1, maxLength: 255 })
/** Printable, because it stands in the log. */
const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$',
})
const Positive = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

const VenueFile = closed({
  seed: optional(Text),
  clock: optional(
    closed({ mode: optional(Type.Enum(['manual', 'system'])), start: optional(Type.String()) }),
  ),
  operatorToken: optional(Text),
  operatorTokens: optional(
    Type.Array(closed({ name: Name, token: Text, role: Type.Enum([...OPERATOR_ROLES]) })),
  ),
  operatorListen: optional(Text),
  feed: optional(
    Type.Union([
      closed({
        kind: Type.Literal('simulated'),
        seed: optional(Text),
        intervalMs: optional(Positive),
        step: optional(Fp9),
      }),
      closed({
        kind: Type.Literal('replay'),
        file: Text,
        marketId: Uuid,
        speed: optional(Type.Number({ exclusiveMinimum: 0 })),
      }),
    ]),
  ),
  rateLimit: optional(closed({ perSecond: optional(Positive), perMinute: optional(Positive) })),
  maxApiKeysPerUser: optional(Positive),
  markets: optional(Type.Array(Type.Unknown())),
  users: optional(
    Type.Array(
      closed({
        id: Uuid,
        sessionToken: optional(Text),
        apiKeys: optional(Type.Array(closed({ key: Text, expiresAt: optional(Type.String()) }))),
      }),
    ),
  ),
  accounts: optional(Type.Array(Type.Unknown())),
})

type VenueFile = Type.Static<typeof VenueFile>

const validate = validatorOf(VenueFile)

/** What a market must name; the rest has defaults. */
const LISTED_MARKET_FIELDS: FieldKinds = {
  ...MARKET_FIELDS,
  baseAsset: MARKET_PARAMETERS.baseAsset,
  ticker: MARKET_PARAMETERS.ticker,
  category: MARKET_PARAMETERS.category,
}

/** Reads the text of a configuration file. @throws ConfigurationError */
export function readConfiguration(bytes: Uint8Array): VenueConfiguration {
  try {
    return configurationOf(parseStrictJson(bytes))
  } catch (error) {
    throw new ConfigurationError(`configuration: ${(error as Error).message}`)
  }
}

function configurationOf(json: unknown): VenueConfiguration {
  const checked = validate(json)
  if (checked.error instanceof ValidationFault) throw new FieldFault(bracketed(checked.error.paths))
  const file = json as VenueFile
  const mode = file.clock?.mode ?? 'system'
  if (mode === 'manual' && file.feed != null) throw new FieldFault('feed (a feed needs the system clock)')
  if (mode === 'system' && file.clock?.start != null)
    throw new FieldFault('clock.start (the system clock starts now)')
  const configuration: VenueConfiguration = {
    seed: file.seed ?? null,
    clock: { mode, start: instant(file.clock?.start, 'clock.start') },
    operatorToken: file.operatorToken ?? null,
    operatorTokens: file.operatorTokens ?? [],
    operatorListen: listenAddressOf(file),
    feed: feedOf(file.feed),
    rateLimit: rateLimitOf(file),
    maxApiKeysPerUser: file.maxApiKeysPerUser ?? MAX_API_KEYS_PER_USER,
    markets: (file.markets ?? []).map((market, at) => marketOf(market, `markets[${at}]`)),
    users: (file.users ?? []).map(userOf),
    accounts: (file.accounts ?? []).map((account, at) => accountOf(account, `accounts[${at}]`)),
  }
  refuseRepeatedIds(configuration)
  refuseRepeatedSecrets(configuration)
  return configuration
}

/** The deepest path: the schema also names the objects around it. */
function bracketed(paths: readonly string[]): string {
  const deepest = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))
  return deepest.map((path) => path.replace(/\.(\d+)/g, '[$1]')).join(', ')
}

function instant(text: string | null | undefined, path: string): number | null {
  if (text == null) return null
  const at = parseInstant(text)
  if (at === undefined) throw new FieldFault(path)
  return at
}

/** Null switches the limits off; omitted means the documented ones. */
function rateLimitOf({ rateLimit }: VenueFile): RateLimits | null {
  if (rateLimit === null) return null
  return {
    perSecond: rateLimit?.perSecond ?? DEFAULT_RATE_LIMITS.perSecond,
    perMinute: rateLimit?.perMinute ?? DEFAULT_RATE_LIMITS.perMinute,
  }
}

function marketOf(json: unknown, path: string): MarketConfiguration {
  return objectFromJson<MarketConfiguration>(json, LISTED_MARKET_FIELDS, path)
}

function accountOf(json: unknown, path: string): AccountConfiguration {
  return objectFromJson<AccountConfiguration>(json, ACCOUNT_FIELDS, path)
}

function userOf(user: NonNullable<VenueFile['users']>[number], at: number): UserConfiguration {
  return {
    id: user.id.toLowerCase(),
    sessionToken: user.sessionToken ?? null,
    apiKeys: (user.apiKeys ?? []).map(({ key, expiresAt }, index) => ({
      key,
      expiresAt: instant(expiresAt, `users[${at}].apiKeys[${index}].expiresAt`),
    })),
  }
}

const DEFAULT_FEED = { seed: 'demo', intervalMs: 1_000, step: 500_000n }

function feedOf(feed: VenueFile['feed']): FeedConfiguration | null {
  if (feed == null) return null
  if (feed.kind === 'replay')
    return {
      kind: 'replay',
      file: feed.file,
      marketId: feed.marketId.toLowerCase(),
      speed: feed.speed ?? 1,
    }
  return {
    kind: 'simulated',
    seed: feed.seed ?? DEFAULT_FEED.seed,
    intervalMs: feed.intervalMs ?? DEFAULT_FEED.intervalMs,
    step: feed.step == null ? DEFAULT_FEED.step : BigInt(feed.step),
  }
}

function listenAddressOf({ operatorListen, operatorToken, operatorTokens }: VenueFile): ListenAddress | null {
  if (operatorListen == null) return null
  if (operatorToken == null && !operatorTokens?.length)
    throw new FieldFault('operatorListen (there is no operator token)')
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(operatorListen) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) throw new FieldFault('operatorListen')
  return { host: (bracketed ?? plain) as string, port }
}

function refuseRepeatedIds({ markets, users, accounts, operatorTokens }: VenueConfiguration): void {
  for (const [name, list] of Object.entries({ markets, users, accounts })) {
    const repeated = firstRepeated((list as readonly { readonly id: string }[]).map(({ id }) => id))
    if (repeated !== null) throw new FieldFault(`${name}[${repeated}].id`)
  }
  const named = [SINGLE_OPERATOR, ...operatorTokens.map(({ name }) => name)]
  const repeated = firstRepeated(named)
  if (repeated !== null) throw new FieldFault(`operatorTokens[${repeated - 1}].name`)
}

/** One secret stands for one thing (K10): a token that is also a key would be both of two people. */
function refuseRepeatedSecrets({ operatorToken, operatorTokens, users }: VenueConfiguration): void {
  const secrets: [path: string, secret: string | null][] = [
    ['operatorToken', operatorToken],
    ...operatorTokens.map(({ token }, at): [string, string] => [`operatorTokens[${at}].token`, token]),
  ]
  for (const [at, { sessionToken, apiKeys }] of users.entries()) {
    secrets.push([`users[${at}].sessionToken`, sessionToken])
    for (const [index, { key }] of apiKeys.entries())
      secrets.push([`users[${at}].apiKeys[${index}].key`, key])
  }
  const given = secrets.filter(([, secret]) => secret !== null)
  const repeated = firstRepeated(given.map(([, secret]) => secret as string))
  if (repeated !== null) throw new FieldFault(`${given[repeated]?.[0]} (one secret is used for two things)`)
}

/** Where a text stands that stood before; null when each is there once. */
function firstRepeated(texts: readonly string[]): number | null {
  const seen = new Set<string>()
  for (const [at, text] of texts.entries()) {
    if (seen.has(text)) return at
    seen.add(text)
  }
  return null
}
