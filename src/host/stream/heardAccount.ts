/** An account that somebody listens to. */
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { AccountStanding } from '../../projections/reader.ts'
import type { AccountFold } from './accountFold.ts'
import type { Listener } from './listener.ts'

export interface HeardAccount {
  readonly accountId: string
  readonly fold: AccountFold
  readonly listeners: Set<Listener>
  /** The account itself; null where the next look is to tell it. */
  told: ToldAccount | null
  /** As it was told. */
  equity: string
}

/** An account as it is told: its resource, and the two switches that it leaves out. */
export interface ToldAccount {
  readonly record: AccountRecord
  readonly standing: AccountStanding
}
