/** Making an engine: new in memory, or from a store with what is in it. */
import { nanoid } from 'nanoid'
import { RULES, type Rules } from '../domain/state/venueRules.ts'
import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Command } from '../events/command.ts'
import type { EventLog } from '../history/loggedRecords.ts'
import type { Projection } from '../projections/projection.ts'
import { MemoryStore } from '../store/memoryStore.ts'
import { NoStore } from '../store/noStore.ts'
import type { Store } from '../store/store.ts'
import { Audience } from './audience.ts'
import { Engine } from './engine.ts'
import { EngineStopped } from './engineStopped.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import type { Genesis } from './genesis.ts'
import { GroupCommit, type Journal, MemoryJournal, NoJournal } from './journal.ts'
import { carefully, type Notify, reasonOf } from './notices.ts'
import { inMemory, kept } from './ownProjections.ts'
import { Projections } from './projections.ts'
import { noticesOf, type RecoveryProgress, recover } from './recovery.ts'
import { SnapshotSchedule } from './snapshotSchedule.ts'

/** What every engine is made with. */
export interface EngineOptions extends Genesis {
  /** How resting levels are kept; every implementation gives the same results. */
  readonly triggers?: TriggersFactory
  /** Read models of one's own, which the engine folds and serves: `engine.projection`. */
  readonly projections?: readonly Projection<unknown>[]
  /** Is told, in a sentence, what an operator may want to know and nothing depends on. What it throws goes unheard. */
  readonly onNotice?: (notice: string) => unknown
}

/** What an engine in memory is made with. */
export interface MemoryEngineOptions extends EngineOptions {
  /**
   * `false` keeps no log, for backtests that only want to know how things stand at the end: `commits` and `asOf` throw.
   * Default: the log is kept in memory.
   */
  readonly log?: boolean
  /** Rules that differ from the venue's own, for a what-if. Only without a log, which would not say so. */
  readonly rules?: Partial<Rules>
}

const DEFAULT_TRIGGERS: TriggersFactory = (world) => new LevelTriggers(world)

/**
 * An engine in memory. Its log lives and dies with it.
 *
 * ```ts
 * const venue = createEngine({
 *   at: Date.UTC(2026, 0, 5),
 *   markets: [{ id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') }],
 * })
 * venue.read.markets().length // → 1
 * ```
 *
 * @throws RangeError when a configured market or account is refused, or for other rules with a log.
 */
export function createEngine(options: MemoryEngineOptions = {}): Engine {
  const triggers = options.triggers ?? DEFAULT_TRIGGERS
  const notify = carefully(options.onNotice)
  const { store, journal, log } = options.log === false ? noLog() : memoryLog()
  const projections = new Projections(inMemory(log), given(options), notify)
  const folded = new Folded(triggers, projections)
  if (options.rules !== undefined) {
    if (options.log !== false) throw new RangeError('other rules need an engine without a log')
    folded.world.rules = { ...RULES, ...options.rules }
  }
  const engine = new Engine({
    store,
    log,
    journal,
    folded,
    triggers,
    audience: audienceOf(store, () => journal, projections, notify),
    snapshots: null,
    recovery: null,
    unwritable: null,
    notify,
  })
  begin(engine, options)
  return engine
}

/** What an engine on a store is made with. */
export interface StoredEngineOptions extends EngineOptions {
  readonly store: Store
  /** How many commits lie between two snapshots; one is kept on closing too. Null = never. Default 100,000. */
  readonly snapshotEvery?: number | null
  /** Is told how a long recovery goes along. */
  readonly onRecovery?: (progress: RecoveryProgress) => void
}

/**
 * An engine on a store: recovers what is there, or begins a new log. The log is the truth: of the configuration only
 * ids the log does not know are added. Where nothing can be appended the engine only reads: `engine.unwritable` and
 * `onNotice` say why, and nothing of the configuration is added. The store is the engine's: it is closed with it, and
 * also where this is refused.
 *
 * ```ts
 * const durable = new MemoryStore() // or openLmdbStore(directory)
 * const first = await openEngine({ store: durable, seed: 'mine', at })
 * await first.send({ type: 'advanceTime' }, { at: at + 60_000 })
 * const { head } = first
 * const second = await openEngine({ store: durable }) // takes over what is there
 * second.head === head // → true
 * ```
 *
 * @throws RangeError without a store and when a configured market or account is refused; StoreDamaged naming the first commit that cannot be
 * read, and CommitsArchived where they begin later; StoreConflict when another has opened the store meanwhile; EngineStopped
 * when nothing can be appended and there is nothing to read.
 */
export async function openEngine(options: StoredEngineOptions): Promise<Engine> {
  const store = options?.store as Store | undefined
  if (store === undefined)
    throw new RangeError(
      'openEngine needs a store; an engine that keeps everything in memory is createEngine',
    )
  const notify = carefully(options.onNotice)
  try {
    const engine = await recovered(options, notify)
    if (engine.unwritable === null) await beginStored(engine, options)
    else if (engine.head === 0)
      throw new EngineStopped(`there is no log to be read, and none can be begun: ${engine.unwritable}`)
    else notify(`commands are refused, and what is there is served to be read: ${engine.unwritable}`)
    return engine
  } catch (error) {
    await store.close().catch((fault: unknown) => notify(`the store could not be closed: ${reasonOf(fault)}`))
    throw error
  }
}

async function recovered(options: StoredEngineOptions, notify: Notify): Promise<Engine> {
  const { store, snapshotEvery = SNAPSHOT_EVERY } = options
  const triggers = options.triggers ?? DEFAULT_TRIGGERS
  const session = await store.open()
  const projections = new Projections(await kept(store, session.epoch), given(options), notify)
  const { unwritable } = session
  const { folded, recovery } = await recover({ store, session, projections }, triggers, options.onRecovery)
  for (const notice of noticesOf(recovery)) notify(notice)
  const audience = audienceOf(store, () => journal, projections, notify)
  const snapshots =
    snapshotEvery === null || unwritable !== null
      ? null
      : new SnapshotSchedule(store, folded, snapshotEvery, recovery.snapshotSeq, notify)
  const stopped = (reason: string, cause: unknown) => {
    const error = new EngineStopped(reason, { cause })
    engine.stop(error)
    return error
  }
  const journal = new GroupCommit(store, session, {
    room: () => projections.room(),
    onDurable: (commits) => {
      projections.durable(journal.durableHead)
      for (const commit of commits) audience.tell(commit)
      audience.deliver()
      snapshots?.consider(journal)
    },
    onFailure: (cause) => stopped('the log could not be written', cause),
  })
  // The rules ask them: without them the engine cannot go on.
  projections.failed.catch(({ message, cause }: Error) => journal.fail(stopped(message, cause)))
  const engine: Engine = new Engine({
    folded,
    store,
    log: null,
    journal,
    triggers,
    audience,
    snapshots,
    recovery,
    unwritable,
    notify,
  })
  return engine
}

/** Where something is refused, what was given before it is written before anybody lets go of the store. */
async function beginStored(engine: Engine, genesis: Genesis): Promise<void> {
  try {
    begin(engine, genesis)
  } catch (error) {
    await engine.whenDurable().catch(() => {})
    throw error
  }
}

const SNAPSHOT_EVERY = 100_000

/** @throws RangeError for two projections of one name. */
function given({ projections = [] }: EngineOptions): readonly Projection<unknown>[] {
  if (new Set(projections.map(({ name }) => name)).size < projections.length)
    throw new RangeError('two projections have one name')
  return projections
}

/** The journal tells them, and is not there before they are. */
function audienceOf(
  store: Store,
  journal: () => Journal,
  projections: Projections,
  notify: Notify,
): Audience {
  const log = {
    get durableHead() {
      return journal().durableHead
    },
    read: (from: number) => store.read(from),
  }
  return new Audience(log, projections, notify)
}

interface InMemory {
  readonly store: Store
  readonly journal: Journal
  /** What of the log history lists are read from. */
  readonly log: EventLog | null
}

function memoryLog(): InMemory {
  const store = new MemoryStore()
  return { store, journal: new MemoryJournal(store, store.openNow()), log: store.log }
}

function noLog(): InMemory {
  return { store: new NoStore(), journal: new NoJournal(), log: null }
}

function begin(engine: Engine, { seed, at, markets = [], accounts = [] }: Genesis): void {
  const time = at === undefined ? {} : { at: Math.max(at, engine.now) }
  const give = (command: Command) => {
    const outcome = engine.dispatch(command, time)
    if (!outcome.ok)
      throw new RangeError(
        `${command.type} refused: ${outcome.error.code} ${outcome.error.details?.join() ?? ''}`,
      )
  }
  if (engine.head === 0) give({ type: 'createEngine', seed: seed ?? nanoid(), dayBoundary: 'venue' })
  for (const market of markets)
    if (engine.read.market(market.id) === undefined) give({ type: 'configureMarket', market })
  for (const account of accounts)
    if (engine.read.account(account.id) === undefined) give({ type: 'openAccount', account })
}
