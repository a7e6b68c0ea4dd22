/**
 * Somebody who hears a stream: what is theirs is gathered in the order of the log and handed to their connection, and who
 * does not read is let go of (K4).
 */
import type { EndReason } from '../../resources/stream.ts'
import { Allowance, MOST_UNSENT, patienceFor } from './allowance.ts'
import type { Message } from './message.ts'

/** A connection that messages go out on. */
export interface Outlet {
  /** Bytes that its reader has not taken. */
  readonly unsent: number
  /** Sends messages, whole commits but for the last: after it everything up to commit `complete` has been; null where more of it follows. */
  send(messages: readonly Message[], complete: number | null): void
  /** Resolves once what was sent has been taken, to true; false where it takes longer than `ms`, or nobody is there. */
  taken(ms: number): Promise<boolean>
  /** Ends it, with what has been sent still on its way for a moment. */
  end(reason: EndReason): void
}

/** One with somebody at its other end. */
export interface StreamConnection extends Outlet {
  /** Is called when they have gone. */
  onGone: () => void
}

/** Bytes of a beginning that are sent at a time. */
const PORTION = 262_144

export class Listener {
  readonly userId: string
  /** Accounts it hears of; with {@link hearsAll} also those that its user gets later. */
  readonly accountIds: Set<string>
  readonly hearsAll: boolean
  readonly #outlet: Outlet
  /** Why it may listen no longer; null while it may. */
  readonly #obstacle: () => EndReason | null
  /**
   * What waits for the next {@link flush}; null: nothing does. A list that lasts from one to the next would be of the old generation, and all that
   * was ever in it with it.
   */
  #gathered: Message[] | null = null
  #gatheredBytes = 0
  readonly #allowance = new Allowance()
  #state: 'waiting' | 'hearing' | 'ended' = 'waiting'

  constructor(terms: ListenerTerms) {
    this.userId = terms.userId
    this.accountIds = new Set(terms.accountIds)
    this.hearsAll = terms.hearsAll
    this.#outlet = terms.outlet
    this.#obstacle = terms.obstacle
  }

  get hasEnded(): boolean {
    return this.#state === 'ended'
  }

  get obstacle(): EndReason | null {
    return this.#obstacle()
  }

  /**
   * Sends what it begins with, up to commit `complete`, and what was gathered since: a portion when the one before has been
   * taken. False where one is not taken in time.
   */
  async begin(messages: readonly Message[], complete: number): Promise<boolean> {
    if (this.#state !== 'waiting') return true
    let portion: Message[] = []
    let bytes = 0
    for (const message of messages) {
      if (bytes >= PORTION) {
        const told = portion.at(-1)?.seq ?? null
        this.#outlet.send(portion, told === message.seq ? null : told)
        if (!(await this.#isTaken(bytes))) return false
        if (this.hasEnded) return true
        portion = []
        bytes = 0
      }
      portion.push(message)
      bytes += message.json.length
    }
    this.#state = 'hearing'
    const gathered = this.#gathered ?? []
    this.#outlet.send([...portion, ...gathered], gathered.at(-1)?.seq ?? complete)
    this.#gathered = null
    this.#allowance.extend(this.#outlet.unsent)
    return this.#isTaken(bytes)
  }

  #isTaken(bytes: number): Promise<boolean> {
    return this.#outlet.taken(patienceFor(bytes))
  }

  /** Keeps a message for the next {@link flush}; false where it has ended, or was let go of with this. */
  take(message: Message): boolean {
    if (this.#state === 'ended') return false
    if (this.#gathered === null) this.#gathered = [message]
    else this.#gathered.push(message)
    if (this.#state === 'hearing') return true
    this.#gatheredBytes += message.json.length
    return this.#gatheredBytes <= MOST_UNSENT
  }

  /** Sends what was gathered, whole commits always. False where nobody reads it. */
  flush(): boolean {
    const gathered = this.#gathered
    const last = gathered?.at(-1)
    if (this.#state !== 'hearing' || gathered === null || last === undefined) return true
    const { unsent: before } = this.#outlet
    this.#outlet.send(gathered, last.seq)
    this.#gathered = null
    return this.#allowance.covers(this.#outlet.unsent, before)
  }

  /** Begins anew: what was gathered is part of another beginning. */
  restart(): void {
    this.#gathered = null
    this.#gatheredBytes = 0
  }

  end(last: Message, reason: EndReason): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#gathered = null
    this.#outlet.send([last], null)
    this.#outlet.end(reason)
  }

  /** Its connection is gone. */
  leave(): void {
    this.#state = 'ended'
    this.#gathered = null
  }
}

interface ListenerTerms {
  readonly userId: string
  readonly accountIds: Iterable<string>
  readonly hearsAll: boolean
  readonly outlet: Outlet
  readonly obstacle: () => EndReason | null
}
