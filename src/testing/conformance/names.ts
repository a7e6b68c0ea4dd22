/** The names a play gives: the same on both sides, and never twice on one host. */
import { createHash } from 'node:crypto'
import type { Lookup } from './exchange.ts'

/** Who the two traders are. */
export interface Users {
  readonly user: string
  readonly other: string
}

/**
 * `account…`, `market…` and `unknown` stand for uuids, in capitals for the same uuids in capitals, `asset…` for a ticker, `user`
 * and `other` for the traders; all but the users follow from `nonce`.
 */
export class Names {
  readonly #nonce: string
  readonly #users: Users
  readonly #ids = new Map<string, string>()

  constructor(nonce: string, users: Users) {
    this.#nonce = nonce
    this.#users = users
  }

  /** Undefined for a name that is no name of the stage. */
  readonly of: Lookup = (name) => {
    if (name === 'user' || name === 'other') return this.#users[name]
    if (/^(account|market|unknown)\w*$/.test(name)) return this.#id(name)
    if (/^(ACCOUNT|MARKET|UNKNOWN)\w*$/.test(name)) return this.#id(name.toLowerCase()).toUpperCase()
    return /^asset\w*$/.test(name) ? `C${this.#digest(name).slice(0, 9).toUpperCase()}` : undefined
  }

  /** Every id given so far, by its name. */
  get ids(): ReadonlyMap<string, string> {
    return this.#ids
  }

  #id(name: string): string {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const hex = this.#digest(name)
    const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    this.#ids.set(name, id)
    return id
  }

  #digest(name: string): string {
    return createHash('sha256').update(`${this.#nonce} ${name}`).digest('hex')
  }
}
