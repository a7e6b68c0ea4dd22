/** An account as streams tell it. */
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { AccountStanding } from '../../projections/reader.ts'

/** An account as it is told: its resource, and the two switches that it leaves out. */
export interface ToldAccount {
  readonly record: AccountRecord
  readonly standing: AccountStanding
}
