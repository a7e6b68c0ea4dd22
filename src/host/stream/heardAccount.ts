/** An account that somebody listens to. */
import type { AccountFold } from './accountFold.ts'
import type { Listener } from './listener.ts'

export interface HeardAccount {
  readonly accountId: string
  readonly fold: AccountFold
  readonly listeners: Set<Listener>
  /** Of what was told of the account itself. */
  fingerprint: string
  /** As it was told. */
  equity: string
}
