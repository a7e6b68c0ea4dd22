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
export const ANSWERS = {
  placeOrder: 'order',
  editOrder: 'order',
  cancelOrder: 'order',
  changeMargin: 'position',
  closeAll: 'closeAll',
  createEngine: 'nothing',
  updatePrice: 'nothing',
  advanceTime: 'nothing',
  configureMarket: 'nothing',
  setMarketStatus: 'nothing',
  setFundingRate: 'nothing',
  openAccount: 'nothing',
  adjustBalance: 'nothing',
  setApiTrading: 'nothing',
  setAccountLock: 'nothing',
  setAccountLoaded: 'nothing',
  stopAccount: 'nothing',
  unfreezeAccount: 'nothing',
  forceClosePosition: 'nothing',
  weeklySessionRiskClose: 'nothing',
  registerApiKey: 'nothing',
  refreshApiKey: 'nothing',
  revokeApiKey: 'nothing',
  amendApiKey: 'nothing',
  withdrawApiKey: 'nothing',
} as const satisfies Record<Command['type'], keyof Values>

interface Values {
  readonly order: OrderRecord
  readonly position: PositionRecord
  readonly closeAll: CloseAllValue
  readonly nothing: null
}

/** What a command answers with when it is accepted: the record or records it is about, or null. */
export type ValueOf<C extends Command> = Values[(typeof ANSWERS)[C['type']]]

/** What an accepted command answers with. */
export interface Accepted<Value> {
  readonly ok: true
  /** The record or records the command is about, as they are after it; null where there are none. */
  readonly value: Value
  /** What happened; empty when the command changed nothing. */
  readonly events: readonly Event[]
  /** Sequence of the command's commit; of the last one before it when it changed nothing. */
  readonly seq: number
  /**
   * Set when this repeats the stored outcome of an earlier command with the same idempotency key: when that completed,
   * epoch ms.
   */
  readonly replayedFrom?: number
}

/** What a refused command answers with. It has changed nothing, not even the sequence. */
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
