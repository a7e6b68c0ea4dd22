/** A venue: an engine with its clock, users and keys, begun from a configuration or resumed from a log. */
import { createHash } from 'node:crypto'
import type { Command, RegisterApiKey } from '../domain/command.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine, openEngine } from '../engine/open.ts'
import type { RecoveryProgress } from '../engine/recovery.ts'
import type { Store } from '../store/store.ts'
import type { Session } from './authentication.ts'
import { type Clock, manualClock, systemClock } from './clock.ts'
import { ConfigurationError, type UserConfiguration, type VenueConfiguration } from './configuration.ts'
import { hashOf, shownPrefix } from './secret.ts'

export interface Venue {
  readonly engine: Engine
  readonly clock: Clock
  readonly sessions: readonly Session[]
  /** Configured parameters that the log knows otherwise: the log is the truth, they were not applied. */
  readonly ignored: readonly string[]
}

export interface VenueOptions {
  /** Null or omitted = the log is in memory. */
  readonly store?: Store | null
  /** Is told what an operator may want to know about the recovery of the log. */
  readonly onNotice?: (notice: string) => void
  /** Is told how a long recovery goes along. */
  readonly onRecovery?: (progress: RecoveryProgress) => void
}

/**
 * The configuration seeds an empty log. On a later start the log is the truth: ids it knows are left as they are, new
 * ones are added.
 *
 * @throws ConfigurationError when the engine refuses a configured market or account.
 */
export async function openVenue(
  configuration: VenueConfiguration,
  { store, onNotice = () => {}, onRecovery = () => {} }: VenueOptions = {},
): Promise<Venue> {
  const { seed, clock: terms } = configuration
  const genesis = { ...(seed !== null && { seed }), at: terms.start ?? Date.now() }
  const engine =
    store == null ? createEngine(genesis) : await openEngine({ ...genesis, store, onNotice, onRecovery })
  const clock = terms.mode === 'manual' ? manualClock(engine) : systemClock(engine)
  try {
    for (const { command, path } of missing(configuration, engine)) await give(engine, clock, command, path)
  } catch (error) {
    await engine.close()
    throw error
  }
  return { engine, clock, sessions: sessionsOf(configuration), ignored: differences(configuration, engine) }
}

/** What of the configuration the log does not know yet, and where it stands in the file. */
function* missing(
  { markets, accounts, users }: VenueConfiguration,
  { read }: Engine,
): Generator<{ command: Command; path: string }> {
  for (const [at, market] of markets.entries())
    if (read.market(market.id) === undefined)
      yield { command: { type: 'configureMarket', market }, path: `markets[${at}]` }
  for (const [at, account] of accounts.entries())
    if (read.account(account.id) === undefined)
      yield { command: { type: 'openAccount', account }, path: `accounts[${at}]` }
  for (const [at, user] of users.entries())
    for (const [index, key] of user.apiKeys.entries()) {
      const command = registration(user.id, key)
      if (read.apiKey(command.keyId) === undefined) yield { command, path: `users[${at}].apiKeys[${index}]` }
    }
}

async function give(engine: Engine, clock: Clock, command: Command, path: string): Promise<void> {
  const outcome = await engine.send(command, { at: clock.now() })
  if (outcome.ok) return
  const [detail = outcome.error.code] = outcome.error.details ?? []
  throw new ConfigurationError(`configuration: refused: ${path}${detail.replace(/^[^.]*/, '')}`)
}

/** A configured key keeps its id over restarts, so that one revoked or refreshed since is not brought back. */
function registration(
  userId: string,
  { key, expiresAt }: UserConfiguration['apiKeys'][number],
): RegisterApiKey {
  const hash = hashOf(key)
  const prefix = shownPrefix(key)
  return { type: 'registerApiKey', keyId: idOf(hash), userId, name: 'configured', hash, prefix, expiresAt }
}

function sessionsOf({ users }: VenueConfiguration): Session[] {
  return users.flatMap(({ id, sessionToken }) =>
    sessionToken === null ? [] : [{ userId: id, token: sessionToken }],
  )
}

/** A uuid v4 in form, from a hash of the key's hash. */
function idOf(hash: string): string {
  const hex = createHash('sha256').update(`api key ${hash}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function differences({ markets, accounts }: VenueConfiguration, { read }: Engine): string[] {
  return [
    ...markets.flatMap((market) => differing('market', market, read.marketParameters(market.id))),
    ...accounts.flatMap((account) => differing('account', account, read.accountParameters(account.id))),
  ]
}

function differing(kind: string, configured: { readonly id: string }, known: object | undefined): string[] {
  return Object.entries(known ?? {}).flatMap(([field, value]) => {
    const wanted = (configured as Record<string, unknown>)[field]
    const same = wanted == null || String(wanted) === String(value)
    return same
      ? []
      : [`${kind} ${configured.id}: ${field} is ${value} in the log, ${wanted} was not applied`]
  })
}
