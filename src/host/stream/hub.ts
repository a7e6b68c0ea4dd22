/**
 * Everybody who hears the venue. A commit is looked at while the state is as it left it, once for each account that somebody
 * listens to, and told when it is durable (delivery.ts): what is told can never be taken back. Whoever ordered waits for the look, so
 * that it takes note only of what is gone with the next commit; what follows from the events alone is made when it is told.
 */

import type { Engine } from '../../engine/engine.ts'
import { openOf, readCommits, seeCommits } from '../../engine/internals.ts'
import type { AccountOpened } from '../../events/accountEvents.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { EndReason } from '../../resources/stream.ts'
import { toJson } from '../json.ts'
import { AccountFold } from './accountFold.ts'
import { accountJson } from './accountJson.ts'
import { Broadcasts } from './broadcasts.ts'
import { Delivery, type Tell } from './delivery.ts'
import type { HeardAccount } from './heardAccount.ts'
import type { Listener } from './listener.ts'
import { changeMessage, isToldAnew, Message, messageNow } from './message.ts'
import type { ToldAccount } from './toldAccount.ts'

/** Between two looks at equities, and at who may still listen, ms. */
const BEAT_MS = 1_000
/** Accounts, or listeners, that are looked at in one go. */
const LOOKED_AT_A_TURN = 128

export class StreamHub {
  readonly #engine: Engine
  readonly #delivery: Delivery
  readonly #heard = new Map<string, HeardAccount>()
  readonly #onFailure: (error: unknown) => void
  #running: Running | null = null

  /** `onFailure` is told what kept it from telling: everybody's stream has then ended. */
  constructor(engine: Engine, onFailure: (error: unknown) => void) {
    this.#engine = engine
    this.#onFailure = onFailure
    this.#delivery = new Delivery(engine, {
      guarded: (task) => this.#guarded(task),
      letGo: (listener) => this.end(listener, 'slow_consumer'),
    })
  }

  /** How many listen. */
  get size(): number {
    return this.#delivery.listeners.size
  }

  countOf(userId: string): number {
    let count = 0
    for (const listener of this.#delivery.listeners.keys()) if (listener.userId === userId) count += 1
    return count
  }

  /** From now on it is told of every commit after the engine's head. */
  add(listener: Listener): void {
    this.#running ??= this.#run()
    this.#delivery.admit(listener)
    for (const accountId of listener.accountIds) this.#hear(accountId).listeners.add(listener)
  }

  /** As if it were added now. */
  restart(listener: Listener): void {
    if (!this.#delivery.listeners.has(listener)) return
    listener.restart()
    this.#delivery.admit(listener)
  }

  /** Its connection is gone. */
  remove(listener: Listener): void {
    listener.leave()
    this.#forget(listener)
  }

  /** Ends a stream, and says why. */
  end(listener: Listener, reason: EndReason): void {
    this.#forget(listener)
    const last = messageNow(this.#engine, 'end', () => JSON.stringify({ reason }))
    listener.end(last, reason)
  }

  /** Does something once everything up to the engine's head is durable, after that has been told. */
  whenDurable(task: () => void): void {
    this.#delivery.push(task)
  }

  /** The venue closes. */
  close(): void {
    for (const listener of [...this.#delivery.listeners.keys()]) this.end(listener, 'closing')
  }

  #hear(accountId: string): HeardAccount {
    const known = this.#heard.get(accountId)
    if (known !== undefined) return known
    const heard: HeardAccount = {
      accountId,
      fold: new AccountFold(openOf(this.#engine, accountId)),
      listeners: new Set(),
      seenAt: 0,
      told: this.#accountNow(accountId),
      equity: '',
      equitySeenAt: 0,
    }
    this.#heard.set(accountId, heard)
    return heard
  }

  /** Whoever hears of all accounts of a user hears of a new one. */
  #hearOpened({ accountId, parameters: { userId } }: AccountOpened): void {
    for (const listener of this.#delivery.listeners.keys()) {
      if (!listener.hearsAll || listener.userId !== userId) continue
      listener.accountIds.add(accountId)
      const heard = this.#hear(accountId)
      heard.told = null
      heard.listeners.add(listener)
    }
  }

  #forget(listener: Listener): void {
    if (!this.#delivery.forget(listener)) return
    for (const accountId of listener.accountIds) {
      const heard = this.#heard.get(accountId)
      heard?.listeners.delete(listener)
      if (heard?.listeners.size === 0) this.#heard.delete(accountId)
    }
    if (this.#delivery.listeners.size > 0) return
    this.#running?.stop()
    this.#running = null
  }

  #run(): Running {
    const unsee = seeCommits(this.#engine, (commit) => this.#guarded(() => this.#see(commit)))
    const broadcasts = new Broadcasts(this.#engine, this.#delivery, this.#heard, (task) =>
      this.#guarded(task),
    )
    const told = ({ command }: Commit) => {
      if (command.type === 'updatePrice') broadcasts.priceMoved()
      this.#delivery.schedule()
    }
    const subscription = readCommits(this.#engine, told, 'streams')
    const beat = () => {
      this.#lookAtListeners()
      broadcasts.beat()
    }
    const beating = setInterval(() => this.#guarded(beat), BEAT_MS).unref()
    return {
      stop: () => {
        unsee()
        subscription.unsubscribe()
        clearInterval(beating)
        broadcasts.stop()
        this.#delivery.clear()
      },
    }
  }

  /** What goes wrong here is nobody's business but the listeners': no command fails for it. */
  #guarded(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#onFailure(error)
      this.close()
    }
  }

  /**
   * The state is as the commit left it, and whoever ordered waits: what is gone with the next commit is noted, everything else
   * is for when it is told.
   */
  #see({ seq, at, events }: Commit): void {
    const noted: Noted = { seq, at, changes: [], markets: [], accounts: [] }
    let areKeysChanged = false
    for (const event of events) {
      if (event.type === 'accountOpened') this.#hearOpened(event)
      if (event.type === 'dayBegan') this.#lookAtAccounts()
      if ('accountId' in event) this.#note(event, noted)
      else if (MARKET_EVENTS.has(event.type)) this.#noteMarket((event as MarketEvent).marketId, noted)
      else areKeysChanged ||= KEY_EVENTS.has(event.type)
    }
    if (areKeysChanged) this.#delivery.push(() => this.#look())
    if (noted.changes.length === 0 && noted.markets.length === 0) return
    this.#delivery.push((tell) => this.#tell(noted, tell))
  }

  #note(event: AboutAccount, { seq, changes, accounts }: Noted): void {
    const heard = this.#heard.get(event.accountId)
    if (heard === undefined) return
    changes.push({ heard, event })
    if (heard.seenAt === seq) return
    heard.seenAt = seq
    const account = this.#accountNow(event.accountId)
    if (account !== null) accounts.push({ heard, account })
  }

  #noteMarket(marketId: string, { markets }: Noted): void {
    const market = this.#engine.read.market(marketId)
    if (market !== undefined && markets.every(({ id }) => id !== marketId)) markets.push(market)
  }

  #tell({ changes, seq, at, markets, accounts }: Noted, tell: Tell): void {
    for (const { heard, event } of changes) {
      const message = changeMessage(heard.fold.apply(event, at), seq, at)
      if (message !== null) tell(message, heard.listeners)
    }
    for (const market of markets)
      tell(new Message({ type: 'market', seq, at, data: () => toJson(market) }), null)
    for (const { heard, account } of accounts) this.#tellAccount(heard, account, { seq, at }, tell)
  }

  /** Tells an account where it is another than was told. */
  #tellAccount(heard: HeardAccount, account: ToldAccount, when: Moment, tell: Tell): void {
    if (!isToldAnew(account, heard.told)) return
    heard.told = account
    const { accountId, listeners } = heard
    tell(new Message({ type: 'account', ...when, accountId, data: () => accountJson(account) }), listeners)
    if (!account.standing.apiTrading) this.#look(listeners)
  }

  #accountNow(accountId: string): ToldAccount | null {
    const record = this.#engine.read.account(accountId)
    const standing = this.#engine.read.accountStanding(accountId)
    return record === undefined || standing === undefined ? null : { record, standing }
  }

  #lookAtAccounts(): void {
    inTurns([...this.#heard.values()], LOOKED_AT_A_TURN, (accounts) =>
      this.#guarded(() => {
        for (const heard of accounts) this.#lookAtAccount(heard)
      }),
    )
  }

  #lookAtAccount(heard: HeardAccount): void {
    const { head: seq, now: at } = this.#engine
    const account = this.#accountNow(heard.accountId)
    if (account !== null) this.#delivery.push((tell) => this.#tellAccount(heard, account, { seq, at }, tell))
  }

  #lookAtListeners(): void {
    inTurns([...this.#delivery.listeners.keys()], LOOKED_AT_A_TURN, (listeners) =>
      this.#guarded(() => this.#look(listeners)),
    )
  }

  /** Ends whoever may listen no longer. */
  #look(listeners: Iterable<Listener> = this.#delivery.listeners.keys()): void {
    const stopped = this.#engine.failure !== null
    for (const listener of listeners) {
      const reason = stopped ? 'engine_stopped' : listener.obstacle
      if (reason !== null) this.end(listener, reason)
    }
  }
}

/** What a commit is told from. */
interface Noted extends Moment {
  readonly changes: { readonly heard: HeardAccount; readonly event: AboutAccount }[]
  /** As the commit left them. */
  readonly markets: MarketRecord[]
  readonly accounts: { readonly heard: HeardAccount; readonly account: ToldAccount }[]
}

type AboutAccount = Extract<Event, { readonly accountId: string }>
type MarketEvent = Event & { readonly marketId: string }

/** A commit, and engine time, epoch ms. */
interface Moment {
  readonly seq: number
  readonly at: number
}

/** What keeps the hub in step with its engine, while somebody listens. */
interface Running {
  stop(): void
}

const KEY_EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'apiKeyRefreshed',
  'apiKeyRevoked',
  'apiKeyAmended',
  'apiKeyForgotten',
])
const MARKET_EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'marketListed',
  'marketConfigured',
  'marketStatusChanged',
  'fundingRateChanged',
])

/** Does something with all of many, some in each turn of the loop. */
function inTurns<T>(items: readonly T[], most: number, task: (some: readonly T[]) => void, from = 0): void {
  task(items.slice(from, from + most))
  if (from + most < items.length) setImmediate(() => inTurns(items, most, task, from + most))
}
