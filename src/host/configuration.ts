/** The venue configuration: a JSON file, checked to the last key. */

import { firstRepeated } from '../collections/firstRepeated.ts'
import type { AccountConfiguration, MarketConfiguration } from '../events/command.ts'
import { ACCOUNT_FIELDS } from '../events/commandTable.ts'
import type { Rate } from '../quantity/units.ts'
import { partsOf, type Quantity } from '../terms/fieldKinds.ts'
import { testOf } from '../terms/fieldValues.ts'
import { MAX_API_KEYS_PER_USER } from './apiKeyLimit.ts'
import { requireVenueFile } from './configurationForm.ts'
import {
  DEFAULT_FEED,
  DEFAULT_INDEX,
  DEFAULT_SHARDS,
  DEFAULT_SOURCE,
  LISTED_MARKET_FIELDS,
  type SourceFile,
  type VenueFile,
} from './configurationSchema.ts'
import { type ConfigurationText, MalformedConfiguration, readConfigurationText } from './configurationText.ts'
import { expectedForm, JSON_FORMS, shown } from './expectedForm.ts'
import { EXCHANGES } from './feed/exchanges.ts'
import type { TickerFormat } from './feed/ticker.ts'
import { FieldFault, missingKey, objectFromJson, otherForm, type QuantityReader } from './fieldsFromJson.ts'
import { parseInstant } from './instant.ts'
import { type OperatorToken, SINGLE_OPERATOR } from './operators.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from './rateLimit.ts'
import type { WebhookConfiguration } from './webhooks/webhook.ts'
import { doubtAbout, readWritten, writtenForms } from './writtenQuantity.ts'

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

/** A ticker stream of an exchange. */
export interface SourceConfiguration {
  readonly name: string
  readonly url: string
  readonly format: TickerFormat
  readonly symbols: readonly { readonly symbol: string; readonly marketId: string }[]
  /** What it said counts for so long, ms. */
  readonly maxAgeMs: number
  /** Without any price for so long it is connected anew, ms. */
  readonly silenceMs: number
}

/** Prices of one ticker stream, or the median of several. */
export interface IndexFeedConfiguration {
  readonly kind: 'websocket' | 'index'
  readonly sources: readonly SourceConfiguration[]
  /** A source further from the median than this fraction of it is left out. */
  readonly maxDeviation: Rate
  /** With fewer that count there is no price. */
  readonly minSources: number
  /** Milliseconds between two prices of a market. */
  readonly intervalMs: number
}

/** Where the prices of a venue come from. */
export type FeedConfiguration = SimulatedFeedConfiguration | ReplayFeedConfiguration | IndexFeedConfiguration

/** A user of a venue, with their keys; a session may do all that the user may (J29). Secrets are as in the file. */
export interface UserConfiguration {
  readonly id: string
  readonly sessionToken: string | null
  /** `expiresAt` in epoch ms; null = never. */
  readonly apiKeys: readonly { readonly key: string; readonly expiresAt: number | null }[]
}

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string
  /** A port of TCP, 0 to 65535; 0 picks a free one. */
  readonly port: number
}

/** A venue as its file describes it. */
export interface VenueConfiguration {
  /** Seeds the engine's ids; null = a random one. */
  readonly seed: string | null
  /** A manual clock starts at `start`, epoch ms; null = when the venue is first started. */
  readonly clock: { readonly mode: 'manual' | 'system'; readonly start: number | null }
  /** An admin called `operator`. */
  readonly operatorToken: string | null
  readonly operatorTokens: readonly OperatorToken[]
  /** Where the operator surface is served, and nowhere else (K10); null = beside the traders'. */
  readonly operatorListen: ListenAddress | null
  /** Who is told of what happens. */
  readonly webhooks: readonly WebhookConfiguration[]
  readonly feed: FeedConfiguration | null
  readonly rateLimit: RateLimits | null
  /** Live API keys that a user may come to have (K3). Configured ones count, and are never too many. */
  readonly maxApiKeysPerUser: number
  /** Of a venue on several nodes; null = it is on one host. */
  readonly cluster: {
    /** How many there are: fixed when the cluster is made. */
    readonly shards: number
    /** Authenticates nodes to each other. */
    readonly secret: string
  } | null
  readonly markets: readonly MarketConfiguration[]
  readonly users: readonly UserConfiguration[]
  readonly accounts: readonly AccountConfiguration[]
}

/** The configuration is not one; the message names the path of the key at fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/**
 * Reads the text of a configuration file: JSON with comments, amounts as fp9 or as decimals with their unit
 * (docs/configuration.md). `onDoubt` is told of every amount that is hardly meant as it stands.
 *
 * ```ts
 * const text = '{ "markets": [{ "id": "' + BTC + '", "baseAsset": "BTC", "ticker": "BTC/USD", "category": "crypto" }] }'
 * readConfiguration(new TextEncoder().encode(text)).markets?.length // → 1
 * ```
 *
 * @throws ConfigurationError which names the line, the key, its value and what was expected
 */
export function readConfiguration(
  bytes: Uint8Array,
  onDoubt: (doubt: string) => void = () => {},
): VenueConfiguration {
  const { value, lineOf } = textOf(bytes)
  const about = (path: string, told: string) => `configuration: line ${lineOf(path)}: ${told}`
  try {
    return configurationOf(value, (path, doubt) => onDoubt(about(path, `${path}: ${doubt}`)))
  } catch (error) {
    if (error instanceof FieldFault) throw new ConfigurationError(about(error.path, error.message))
    throw error
  }
}

function textOf(bytes: Uint8Array): ConfigurationText {
  try {
    return readConfigurationText(bytes)
  } catch (error) {
    if (error instanceof MalformedConfiguration)
      throw new ConfigurationError(`configuration: ${error.message}`)
    throw error
  }
}

type OnDoubt = (path: string, doubt: string) => void

function configurationOf(file: unknown, onDoubt: OnDoubt): VenueConfiguration {
  requireVenueFile(file)
  const mode = file.clock?.mode ?? 'system'
  if (mode === 'manual' && file.feed != null) throw new FieldFault('feed', 'a feed needs the system clock')
  if (mode === 'system' && file.clock?.start != null)
    throw new FieldFault('clock.start', 'the system clock starts now')
  const quantities = quantitiesAsWritten(onDoubt)
  const configuration: VenueConfiguration = {
    seed: file.seed ?? null,
    clock: { mode, start: instant(file.clock?.start, 'clock.start') },
    operatorToken: file.operatorToken ?? null,
    operatorTokens: file.operatorTokens ?? [],
    operatorListen: listenAddressOf(file),
    webhooks: (file.webhooks ?? []).map(webhookOf),
    feed: feedOf(file.feed, quantities),
    rateLimit: rateLimitOf(file),
    maxApiKeysPerUser: file.maxApiKeysPerUser ?? MAX_API_KEYS_PER_USER,
    cluster:
      file.cluster == null
        ? null
        : { shards: file.cluster.shards ?? DEFAULT_SHARDS, secret: file.cluster.secret },
    markets: (file.markets ?? []).map((market, at) =>
      objectFromJson<MarketConfiguration>(market, LISTED_MARKET_FIELDS, `markets[${at}]`, quantities),
    ),
    users: (file.users ?? []).map(userOf),
    accounts: (file.accounts ?? []).map((account, at) =>
      objectFromJson<AccountConfiguration>(account, ACCOUNT_FIELDS, `accounts[${at}]`, quantities),
    ),
  }
  refuseRepeatedIds(configuration)
  refuseRepeatedSecrets(configuration)
  refuseUnfilledSecrets(configuration)
  doubtOwners(configuration, onDoubt)
  return configuration
}

/** Reads what people write, within the bound of its field, and tells what they hardly mean. */
function quantitiesAsWritten(onDoubt: OnDoubt): QuantityReader {
  const read: QuantityReader['read'] = (json, kind, path) => {
    const quantity = kind.stem as Quantity
    const value = exactly(json, quantity, path)
    if (value === undefined || !testOf(kind)(value)) return undefined
    const doubt = doubtAbout(json, quantity)
    if (doubt !== null) onDoubt(path, doubt)
    return value
  }
  return { read, form: writtenForms }
}

function exactly(json: unknown, quantity: Quantity, path: string): bigint | undefined {
  try {
    return readWritten(json, quantity)
  } catch (error) {
    throw new FieldFault(path, `${shown(json)} ${(error as Error).message}`)
  }
}

function instant(text: string | null | undefined, path: string): number | null {
  if (text == null) return null
  const at = parseInstant(text)
  if (at === undefined) throw otherForm(path, text, JSON_FORMS.instant)
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

function feedOf(feed: VenueFile['feed'], quantities: QuantityReader): FeedConfiguration | null {
  if (feed == null) return null
  if (feed.kind === 'replay')
    return {
      kind: 'replay',
      file: feed.file,
      marketId: feed.marketId.toLowerCase(),
      speed: feed.speed ?? 1,
    }
  if (feed.kind === 'websocket')
    return {
      kind: 'websocket',
      sources: [sourceOf(feed, 'feed')],
      maxDeviation: 0n,
      minSources: 1,
      intervalMs: feed.intervalMs ?? DEFAULT_FEED.intervalMs,
    }
  if (feed.kind === 'index') return indexOf(feed, quantities)
  return {
    kind: 'simulated',
    seed: feed.seed ?? DEFAULT_FEED.seed,
    intervalMs: feed.intervalMs ?? DEFAULT_FEED.intervalMs,
    step: feed.step == null ? DEFAULT_FEED.step : fractionOf(feed.step, 'feed.step', quantities),
  }
}

function fractionOf(json: string, path: string, quantities: QuantityReader): Rate {
  const fraction = quantities.read(json, partsOf(FRACTION), path)
  if (fraction === undefined) throw otherForm(path, json, expectedForm(FRACTION, quantities.form))
  return fraction
}

const FRACTION = 'rate >= 0'

type IndexFile = Extract<NonNullable<VenueFile['feed']>, { readonly kind: 'index' }>

function indexOf(feed: IndexFile, quantities: QuantityReader): IndexFeedConfiguration {
  const { maxDeviation, minSources = null, intervalMs } = feed
  const sources = feed.sources.map((source, at) => sourceOf(source, `feed.sources[${at}]`))
  const repeated = firstRepeated(sources.map(({ name }) => name))
  if (repeated !== null) throw new FieldFault(`feed.sources[${repeated}].name`, 'another one has this name')
  const least = minSources ?? DEFAULT_INDEX.minSources
  for (const marketId of new Set(sources.flatMap(({ symbols }) => symbols.map((one) => one.marketId)))) {
    const count = sources.filter(({ symbols }) => symbols.some((one) => one.marketId === marketId)).length
    if (count < least)
      throw new FieldFault(
        'feed.minSources',
        `is ${least}; of market ${marketId} there is no more than ${count}`,
      )
  }
  return {
    kind: 'index',
    sources,
    maxDeviation:
      maxDeviation == null
        ? DEFAULT_INDEX.maxDeviation
        : fractionOf(maxDeviation, 'feed.maxDeviation', quantities),
    minSources: least,
    intervalMs: intervalMs ?? DEFAULT_FEED.intervalMs,
  }
}

function sourceOf(source: SourceFile, path: string): SourceConfiguration {
  const { exchange, format } = source
  if ((exchange == null) === (format == null))
    throw new FieldFault(`${path}.exchange`, 'name one, or give a format of your own, not both')
  const known = exchange == null ? null : EXCHANGES[exchange]
  const url = source.url ?? known?.url
  if (url === undefined) throw missingKey(`${path}.url`, 'an address')
  const protocol = URL.canParse(url) ? new URL(url).protocol : null
  if (protocol !== 'wss:' && protocol !== 'ws:') throw otherForm(`${path}.url`, url, 'an address')
  if (source.symbols.length === 0) throw new FieldFault(`${path}.symbols`, 'there is none')
  const symbols = source.symbols.map(({ symbol, marketId }) => ({ symbol, marketId: marketId.toLowerCase() }))
  for (const of of [
    symbols.map(({ symbol }) => symbol.toLowerCase()),
    symbols.map(({ marketId }) => marketId),
  ]) {
    const repeated = firstRepeated(of)
    if (repeated !== null) throw new FieldFault(`${path}.symbols[${repeated}]`, 'another one is the same')
  }
  return {
    name: source.name ?? exchange ?? new URL(url).host,
    url,
    format: known?.format ?? formatOf(format as NonNullable<typeof format>),
    symbols,
    maxAgeMs: source.maxAgeMs ?? DEFAULT_SOURCE.maxAgeMs,
    silenceMs: source.silenceMs ?? DEFAULT_SOURCE.silenceMs,
  }
}

function formatOf(format: NonNullable<SourceFile['format']>): TickerFormat {
  const { rows = null, time = null, ping = null, pingMs, ...named } = format
  return { ...named, rows, time, ping, pingMs: pingMs ?? DEFAULT_SOURCE.pingMs }
}

function webhookOf(webhook: WebhookConfiguration, at: number): WebhookConfiguration {
  const path = `webhooks[${at}]`
  const address = URL.canParse(webhook.url) ? new URL(webhook.url) : null
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw otherForm(`${path}.url`, webhook.url, 'an address')
  // They are not sent, and what refuses them says them aloud.
  if (address.username !== '' || address.password !== '')
    throw new FieldFault(
      `${path}.url`,
      'has a user or a password; a receiver knows by its signature who tells it',
    )
  if (webhook.types.length === 0) throw new FieldFault(`${path}.types`, 'there is none')
  return webhook
}

function listenAddressOf({ operatorListen, operatorToken, operatorTokens }: VenueFile): ListenAddress | null {
  if (operatorListen == null) return null
  if (operatorToken == null && !operatorTokens?.length)
    throw new FieldFault('operatorListen', 'there is no operator token')
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(operatorListen) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) throw otherForm('operatorListen', operatorListen, '"HOST:PORT"')
  return { host: (bracketed ?? plain) as string, port }
}

/** An account may belong to somebody whose keys the log keeps, but a user who is not in the file is mostly an id mistyped. */
function doubtOwners({ users, accounts }: VenueConfiguration, onDoubt: OnDoubt): void {
  const known = new Set(users.map(({ id }) => id.toLowerCase()))
  for (const [at, { userId }] of accounts.entries())
    if (!known.has(userId.toLowerCase()))
      onDoubt(
        `accounts[${at}].userId`,
        'there is no such user in this file, so that no key in it reaches the account',
      )
}

function refuseRepeatedIds({ markets, users, accounts, operatorTokens }: VenueConfiguration): void {
  for (const [name, list] of Object.entries({ markets, users, accounts })) {
    const repeated = firstRepeated((list as readonly { readonly id: string }[]).map(({ id }) => id))
    if (repeated !== null) throw new FieldFault(`${name}[${repeated}].id`, 'another one has this id')
  }
  const named = [SINGLE_OPERATOR, ...operatorTokens.map(({ name }) => name)]
  const repeated = firstRepeated(named)
  if (repeated !== null)
    throw new FieldFault(`operatorTokens[${repeated - 1}].name`, 'another one has this name')
}

/** One secret stands for one thing (K10): a token that is also a key would be both of two people. */
function refuseRepeatedSecrets(configuration: VenueConfiguration): void {
  const given = secretsOf(configuration)
  const repeated = firstRepeated(given.map(([, secret]) => secret))
  if (repeated !== null)
    throw new FieldFault(given[repeated]?.[0] as string, 'one secret is used for two things')
}

/** A template that was not filled in: everybody who has read it would know the secret. */
function refuseUnfilledSecrets(configuration: VenueConfiguration): void {
  for (const [path, secret] of secretsOf(configuration))
    if (/\$\{\w+\}/.test(secret))
      throw new FieldFault(path, 'names a variable; fill the template in first (docs/deployment.md)')
}

/** Every secret with its place. */
function secretsOf(configuration: VenueConfiguration): [path: string, secret: string][] {
  const { operatorToken, operatorTokens, webhooks, cluster, users } = configuration
  const secrets: [path: string, secret: string | null][] = [
    ['operatorToken', operatorToken],
    ['cluster.secret', cluster?.secret ?? null],
    ...operatorTokens.map(({ token }, at): [string, string] => [`operatorTokens[${at}].token`, token]),
    ...webhooks.map(({ secret }, at): [string, string] => [`webhooks[${at}].secret`, secret]),
  ]
  for (const [at, { sessionToken, apiKeys }] of users.entries()) {
    secrets.push([`users[${at}].sessionToken`, sessionToken])
    for (const [index, { key }] of apiKeys.entries())
      secrets.push([`users[${at}].apiKeys[${index}].key`, key])
  }
  return secrets.flatMap(([path, secret]) => (secret === null ? [] : [[path, secret]]))
}
