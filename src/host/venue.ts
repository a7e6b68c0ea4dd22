/** A venue: an engine with its clock, users and keys, begun from a configuration or resumed from a log. */

import type { Engine } from '../engine/engine.ts'
import { createEngine, openEngine } from '../engine/open.ts'
import type { RecoveryProgress } from '../engine/recovery.ts'
import type { Command } from '../events/command.ts'
import type { Store } from '../store/store.ts'
import type { Session } from './authentication.ts'
import { type Clock, manualClock, systemClock } from './clock.ts'
import { ConfigurationError, type VenueConfiguration } from './configuration.ts'
import {
  configuredKeys,
  type KeyTerms,
  keyChanges,
  keyDifferences,
  unwrittenKey,
  unwrittenKeys,
} from './configuredKeys.ts'
import { differences } from './differences.ts'
import { gapBefore, LogBehind } from './gap.ts'
import { refused } from './refusedConfiguration.ts'
import { hashOf } from './secret.ts'

/** An engine with what a host needs beside it. */
export interface Venue {
  readonly engine: Engine
  readonly clock: Clock
  readonly sessions: readonly Session[]
  /** What is configured and the log knows otherwise: the log is the truth, it was not applied. */
  readonly ignored: readonly string[]
  /** What the configuration makes of API keys, where nothing can be written; otherwise empty: the log says so (K11). */
  readonly unwrittenKeys: ReadonlyMap<string, KeyTerms | null>
}

/** How {@link openVenue} opens a venue, and where its log is. */
export interface VenueOptions {
  /** Goes on with a log however long ago it ends (K12). */
  readonly acceptGap?: boolean
  /** Null or omitted = the log is in memory. */
  readonly store?: Store | null
  /** Is told what an operator may want to know about the recovery of the log. */
  readonly onNotice?: (notice: string) => void
  /** Is told how a long recovery goes along. */
  readonly onRecovery?: (progress: RecoveryProgress) => void
  /** How many commits lie between two snapshots; default: as the engine has it. */
  readonly snapshotEvery?: number
}

/**
 * The configuration seeds an empty log. On a later start the log is the truth: ids it knows are left as they are, new
 * ones are added. Of API keys the configuration is the truth (K11). Where nothing can be written nothing is added, what
 * would have been is told in `ignored`, and the engine only reads.
 *
 * ```ts
 * const venue = await openVenue(demoVenue().configuration)
 * venue.engine.read.markets().length // → 4
 * ```
 *
 * @throws ConfigurationError when the engine refuses a configured market or account, or a token is somebody's API key; LogBehind
 * where the log ends more than seven days ago, unless the gap is accepted (K12); and what {@link openEngine} throws.
 */
export async function openVenue(
  configuration: VenueConfiguration,
  { acceptGap = false, store, onNotice = () => {}, onRecovery = () => {}, snapshotEvery }: VenueOptions = {},
): Promise<Venue> {
  const { seed, clock: terms } = configuration
  const genesis = { ...(seed !== null && { seed }), at: terms.start ?? Date.now() }
  const engine =
    store == null
      ? createEngine({ ...genesis, onNotice })
      : await openEngine({
          ...{ ...genesis, store, onNotice, onRecovery },
          ...(snapshotEvery !== undefined && { snapshotEvery }),
        })
  try {
    return await configured(engine, configuration, { acceptGap, onNotice })
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

async function configured(
  engine: Engine,
  configuration: VenueConfiguration,
  { acceptGap, onNotice }: { readonly acceptGap: boolean; readonly onNotice: (notice: string) => void },
): Promise<Venue> {
  const manual = configuration.clock.mode === 'manual'
  const writable = engine.unwritable === null
  // An engine that only reads goes on with nothing.
  const gap = manual || !writable ? null : gapBefore(engine, Date.now())
  if (gap !== null && !acceptGap) throw new LogBehind(`${gap}; to do so, start with --accept-gap`)
  if (gap !== null) onNotice(gap)
  const clock = manual ? manualClock(engine) : systemClock(engine, { onNotice })
  const keys = configuredKeys(configuration.users)
  if (writable) {
    await giveAll(engine, clock, missing(configuration, engine))
    await giveAll(engine, clock, keyChanges(keys, engine.read))
  }
  refuseTokensThatAreKeys(configuration, engine)
  const unapplied = writable ? [] : keyChanges(keys, engine.read)
  return {
    engine,
    clock,
    sessions: sessionsOf(configuration),
    ignored: [
      ...differences(configuration, engine.read),
      ...keyDifferences(keys, engine.read),
      ...unapplied.map(unwrittenKey),
    ],
    unwrittenKeys: unwrittenKeys(unapplied, engine.read),
  }
}

interface Change {
  readonly command: Command
  /** Where it stands in the file. */
  readonly path: string
}

/** What of the configuration the log does not know yet. */
function* missing({ markets, accounts }: VenueConfiguration, { read }: Engine): Generator<Change> {
  for (const [at, market] of markets.entries())
    if (read.marketStatus(market.id) === undefined)
      yield { command: { type: 'configureMarket', market }, path: `markets[${at}]` }
  for (const [at, account] of accounts.entries())
    if (read.accountParameters(account.id) === undefined)
      yield { command: { type: 'openAccount', account }, path: `accounts[${at}]` }
}

/** Commands decided before the disk is waited for: a large configuration is not one flush for each of its lines. */
const COMMANDS_PER_FLUSH = 1_000

async function giveAll(engine: Engine, clock: Clock, changes: Iterable<Change>): Promise<void> {
  let given = 0
  for (const { command, path } of changes) {
    const outcome = engine.dispatch(command, { at: clock.now() })
    if (!outcome.ok) throw refused(path, command, outcome.error)
    given += 1
    if (given % COMMANDS_PER_FLUSH === 0) await engine.whenDurable()
  }
  await engine.whenDurable()
}

/** One secret stands for one thing (K10); that the file itself names none twice has been checked. */
function refuseTokensThatAreKeys(configuration: VenueConfiguration, { read }: Engine): void {
  const { operatorToken, operatorTokens, users } = configuration
  const tokens: [path: string, token: string | null][] = [
    ['operatorToken', operatorToken],
    ...operatorTokens.map(({ token }, at): [string, string] => [`operatorTokens[${at}].token`, token]),
    ...users.map(({ sessionToken }, at): [string, string | null] => [
      `users[${at}].sessionToken`,
      sessionToken,
    ]),
  ]
  for (const [path, token] of tokens)
    if (token !== null && read.apiKeyWithHash(hashOf(token)) !== undefined)
      throw new ConfigurationError(`configuration: ${path} is an API key`)
}

function sessionsOf({ users }: VenueConfiguration): Session[] {
  return users.flatMap(({ id, sessionToken }) =>
    sessionToken === null ? [] : [{ userId: id, token: sessionToken }],
  )
}
