/** What a command answers. Rejections are values; exceptions are for broken invariants only. */

import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionRecord } from '../domain/state/position.ts'
import type { Command } from '../events/command.ts'
import type { Event } from '../events/event.ts'
import type { Rejection } from '../terms/errors.ts'

/** The answer of a close-all: the closing takes, oldest position first, and what could not be closed (I9). */
export interface CloseAllValue {
  readonly orders: readonly OrderRecord[]
  readonly failed: readonly { readonly positionId: string; readonly error: Rejection }[]
}

/** What each command is about, and answers with when it is accepted. */
interface Answers {
  readonly placeOrder: 'order'
  readonly editOrder: 'order'
  readonly cancelOrder: 'order'
  readonly changeMargin: 'position'
  readonly closeAll: 'closeAll'
  readonly createEngine: 'nothing'
  readonly updatePrice: 'nothing'
  readonly advanceTime: 'nothing'
  readonly configureMarket: 'nothing'
  readonly setMarketStatus: 'nothing'
  readonly setFundingRate: 'nothing'
  readonly openAccount: 'nothing'
  readonly adjustBalance: 'nothing'
  readonly setApiTrading: 'nothing'
  readonly setAccountLock: 'nothing'
  readonly setAccountLoaded: 'nothing'
  readonly stopAccount: 'nothing'
  readonly unfreezeAccount: 'nothing'
  readonly forceClosePosition: 'nothing'
  readonly weeklySessionRiskClose: 'nothing'
  readonly registerApiKey: 'nothing'
  readonly refreshApiKey: 'nothing'
  readonly revokeApiKey: 'nothing'
  readonly amendApiKey: 'nothing'
  readonly withdrawApiKey: 'nothing'
  readonly setNotionalQuota: 'nothing'
}

interface Values {
  readonly order: OrderRecord
  readonly position: PositionRecord
  readonly closeAll: CloseAllValue
  readonly nothing: null
}

/** What a command answers with when it is accepted: the record or records it is about, or null. */
export type ValueOf<C extends Command> = Values[Answers[C['type']]]

/** What an accepted command answers with: the records as the command leaves them (J25), the caller's to keep (K16). */
export interface Accepted<Value> {
  readonly ok: true
  /** The record or records the command is about, as they are after it; null where there are none. */
  readonly value: Value
  /** What happened; empty when the command changed nothing. */
  readonly events: readonly Event[]
  /** Sequence of the command's commit; of the last one before it when it changed nothing. */
  readonly seq: number
  /**
   * Set when this repeats the stored outcome of an earlier command with the same idempotency key or `commandId`: when that
   * completed, epoch ms.
   */
  readonly replayedFrom?: number
}

/** What a refused command answers with. It has changed nothing, not even the sequence but for one with a `commandId`. */
export interface Rejected {
  readonly ok: false
  readonly error: Rejection
}

/** What a command answers: rejections are values, and change nothing. */
export type Outcome<C extends Command> = Accepted<ValueOf<C>> | Rejected

/** What a feed of ticks led to. */
export interface FeedOutcome {
  /** How many ticks were accepted. */
  readonly accepted: number
  readonly rejections: readonly FeedRejection[]
}

/** A tick that was refused, by its row, and why. */
export interface FeedRejection {
  /** Its row in the columns, a count from 0. */
  readonly tick: number
  readonly error: Rejection
}
