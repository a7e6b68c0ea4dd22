/** An account that somebody listens to. */
import type { AccountFold } from './accountFold.ts'
import type { Listener } from './listener.ts'
import type { ToldAccount } from './toldAccount.ts'

export interface HeardAccount {
  readonly accountId: string
  readonly fold: AccountFold
  readonly listeners: Set<Listener>
  /** The commit that touched it last. */
  seenAt: number
  /** The account itself; null where the next look is to tell it. */
  told: ToldAccount | null
  /** As it was told. */
  equity: string
  /** In which second it was looked at last, as beats are counted. */
  equitySeenAt: number
}
