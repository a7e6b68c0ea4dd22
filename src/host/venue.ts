/** A venue: an engine with its clock, users and keys, begun from a configuration or resumed from a log. */
import { createHash } from 'node:crypto'
import type { RegisterApiKey } from '../domain/command.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngine, openEngine } from '../engine/open.ts'
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

/**
 * The configuration seeds an empty log. On a later start the log is the truth: ids it knows are left as they are, new
 * ones are added.
 *
 * @throws ConfigurationError when the engine refuses a configured market or account.
 */
export async function openVenue(configuration: VenueConfiguration, store: Store | null): Promise<Venue> {
  const engine = await openEngineOf(configuration, store)
  const clock = configuration.clock.mode === 'manual' ? manualClock(engine) : systemClock(engine)
  for (const user of configuration.users) await registerKeys(engine, clock, user)
  return { engine, clock, sessions: sessionsOf(configuration), ignored: differences(configuration, engine) }
}

async function openEngineOf(configuration: VenueConfiguration, store: Store | null): Promise<Engine> {
  const { seed, clock, markets, accounts } = configuration
  const at = clock.start ?? Date.now()
  const genesis = { ...(seed !== null && { seed }), at, markets, accounts }
  try {
    return store === null ? createEngine(genesis) : await openEngine({ ...genesis, store })
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigurationError(`configuration: ${error.message}`)
    throw error
  }
}

function sessionsOf({ users }: VenueConfiguration): Session[] {
  return users.flatMap(({ id, sessionToken }) =>
    sessionToken === null ? [] : [{ userId: id, token: sessionToken }],
  )
}

/** A configured key keeps its id over restarts, so that one revoked or refreshed since is not brought back. */
async function registerKeys(engine: Engine, clock: Clock, { id, apiKeys }: UserConfiguration): Promise<void> {
  for (const { key, expiresAt } of apiKeys) {
    const hash = hashOf(key)
    const keyId = idOf(hash)
    if (engine.read.apiKey(keyId) !== undefined) continue
    const terms = { keyId, userId: id, name: 'configured', hash, prefix: shownPrefix(key), expiresAt }
    const command: RegisterApiKey = { type: 'registerApiKey', ...terms }
    const outcome = await engine.send(command, { at: clock.now() })
    if (!outcome.ok) throw new ConfigurationError('configuration: an API key is given to two users')
  }
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
    const wanted = (configured as unknown as Record<string, unknown>)[field]
    const same = wanted == null || String(wanted) === String(value)
    return same
      ? []
      : [`${kind} ${configured.id}: ${field} is ${value} in the log, ${wanted} was not applied`]
  })
}
