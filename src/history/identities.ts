/** What of orders and positions no event says, and all events of a log together do: their creation sequence and phase. */
import type { Account } from '../domain/state/account.ts'
import type { AccountOpened } from '../events/accountEvents.ts'
import type { Identity } from './pastEvents.ts'

export class Identities {
  /** Accounts, orders and positions are counted as one (I10). */
  #created = 0
  /** By account: the phase it is in. */
  readonly #phases = new Map<string, number>()
  /** The account asked for last: mostly the one asked for next. */
  #last: { readonly accountId: string; readonly phase: number } | null = null

  get created(): number {
    return this.#created
  }

  accountOpened({ accountId, phase }: AccountOpened): void {
    this.#created += 1
    this.#set(accountId, phase === null ? 0 : 1)
  }

  /** Gives the phase that begins (H7). */
  accountPromoted(accountId: string): number {
    const phase = this.#phaseOf(accountId) + 1
    this.#set(accountId, phase)
    return phase
  }

  /** Of an order or a position that an account creates. */
  next(accountId: string): Identity {
    this.#created += 1
    return { sequence: this.#created, phaseOrdinal: this.#phaseOf(accountId) }
  }

  /** Goes on after so many; the accounts there are follow one by one. */
  restore(created: number): void {
    this.#created = created
    this.#phases.clear()
    this.#last = null
  }

  restoreAccount({ id, phaseOrdinal }: Account): void {
    this.#set(id, phaseOrdinal)
  }

  #set(accountId: string, phase: number): void {
    this.#phases.set(accountId, phase)
    this.#last = null
  }

  #phaseOf(accountId: string): number {
    if (this.#last !== null && this.#last.accountId === accountId) return this.#last.phase
    const phase = this.#phases.get(accountId)
    if (phase === undefined) throw new ReferenceError(`no account ${accountId}`)
    this.#last = { accountId, phase }
    return phase
  }
}
