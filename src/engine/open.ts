/** Making an engine: new in memory, or from a store with what is in it. */
import { nanoid } from 'nanoid'
import type { Command } from '../domain/command.ts'
import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import { MemoryStore } from '../store/memoryStore.ts'
import type { Store } from '../store/store.ts'
import { Engine, EngineStopped, type Genesis } from './engine.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import { GroupCommit, MemoryJournal } from './journal.ts'
import { Subscriptions } from './subscriptions.ts'

export interface EngineOptions extends Genesis {
  /** How resting levels are kept; every implementation gives the same results. */
  readonly triggers?: TriggersFactory
}

const DEFAULT_TRIGGERS: TriggersFactory = (world) => new LevelTriggers(world)

/**
 * An engine in memory. Its log lives and dies with it.
 *
 * @throws RangeError when a configured market or account is refused.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const store = new MemoryStore()
  const triggers = options.triggers ?? DEFAULT_TRIGGERS
  const journal = new MemoryJournal(store, store.openNow())
  const engine = new Engine({
    folded: new Folded(triggers),
    store,
    journal,
    triggers,
    subscriptions: new Subscriptions(),
  })
  begin(engine, options)
  return engine
}

/**
 * An engine on a store: replays what is there, or begins a new log. The log is the truth: of the configuration only
 * ids the log does not know are added.
 *
 * @throws RangeError when a configured market or account is refused.
 */
export async function openEngine(options: EngineOptions & { readonly store: Store }): Promise<Engine> {
  const { store } = options
  const triggers = options.triggers ?? DEFAULT_TRIGGERS
  const session = await store.open()
  const folded = new Folded(triggers)
  for await (const run of store.read(1)) for (const commit of run) folded.fold(commit)
  const subscriptions = new Subscriptions()
  const journal = new GroupCommit(store, session, {
    onDurable: (commits) => {
      for (const commit of commits) subscriptions.publish(commit)
      subscriptions.deliver()
    },
    onFailure: (error) => engine.stop(new EngineStopped('the log could not be written', { cause: error })),
  })
  const engine: Engine = new Engine({ folded, store, journal, triggers, subscriptions })
  begin(engine, options)
  return engine
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
  if (engine.head === 0) give({ type: 'createEngine', seed: seed ?? nanoid() })
  for (const market of markets)
    if (engine.read.market(market.id) === undefined) give({ type: 'configureMarket', market })
  for (const account of accounts)
    if (engine.read.account(account.id) === undefined) give({ type: 'openAccount', account })
}
