/** The accounts of a venue, by id and by user. They are opened and never removed. */
import { Registry } from '../../collections/registry.ts'
import type { Account } from './account.ts'

export class Accounts extends Registry<Account> {
  readonly #byUser = new Map<string, Account[]>()
  readonly #inOrder: Account[] = []

  /** `account` is new: accounts change in place. */
  override set(id: string, account: Account): this {
    const ofUser = this.#byUser.get(account.userId)
    if (ofUser === undefined) this.#byUser.set(account.userId, [account])
    else ofUser.push(account)
    this.#inOrder.push(account)
    return super.set(id, account)
  }

  /** All of them, oldest first. */
  get inOrder(): readonly Account[] {
    return this.#inOrder
  }

  /** Oldest first. */
  ofUser(userId: string): readonly Account[] {
    return this.#byUser.get(userId) ?? []
  }
}
