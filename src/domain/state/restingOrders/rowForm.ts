/** An order as a row, and back. What a row cannot say (`fitsRow`) stays an object: numbers beyond 63 bits, and trailing stops, whose peaks are objects. */

import { knownUuid, knownWords, textOf } from '../../../events/codec/uuidWords.ts'
import { isTrailing, ORDER_TYPES, type OrderType } from '../../../terms/orderTypes.ts'
import type { Order } from '../order.ts'
import type { Chunk } from '../rows/rowMemory.ts'
import {
  AMOUNT,
  BASE,
  CREATED_AT,
  EXPECTED,
  FLAGS,
  HAS_BASE,
  HAS_EXPECTED,
  HAS_LEVERAGE,
  HAS_PARENT,
  HAS_REQUESTED,
  HAS_STOP,
  HAS_TAKE,
  LEVERAGE,
  LIMIT,
  OF_BASE,
  OWN_LIMIT,
  PARENT,
  PHASE,
  RESERVES,
  SEQUENCE,
  SHORT,
  SHOWS_RESERVE,
  STOP,
  STOP_ENTRY,
  TAKE,
  TRIGGER,
  TYPE_MASK,
} from './rowLayout.ts'

const TYPES = Object.keys(ORDER_TYPES) as OrderType[]
const NUMBERS = Object.fromEntries(TYPES.map((type, number) => [type, number])) as Record<OrderType, number>

/** Of the flags what a row's type is. */
export function typeOf(flags: number): OrderType {
  return TYPES[flags & TYPE_MASK] as OrderType
}

export function typeFlags({ orderType, direction }: Pick<Order, 'orderType' | 'direction'>): number {
  return NUMBERS[orderType] | (direction === 'short' ? SHORT : 0)
}

/** Whether a row says all of a resting order. Written out, because orders come by the million. */
export function fitsRow(order: Order): boolean {
  const { amount, triggerPrice, positionId } = order
  return (
    !isTrailing(order.orderType) &&
    order.status === 'active' &&
    (order.reserve === 0n || order.reserve === amount) &&
    (order.reservedAmount === null || order.reservedAmount === amount) &&
    (order.stopPrice === 0n || order.stopPrice === triggerPrice) &&
    (order.requestedTriggerPrice === null || order.stopTriggerPrice === 0n) &&
    (positionId === null || (order.takeTriggerPrice === 0n && order.leverage === null)) &&
    (order.parentOrderId === null || knownUuid(order.parentOrderId) >= 0) &&
    order.trailingStopActivationPrice === 0n &&
    order.trailingStopOffset === 0n &&
    order.trailingStopOffsetPercent === 0n &&
    order.peak === null &&
    order.indexPrice === null &&
    order.realizedPnl === null &&
    order.rawRealizedPnl === null &&
    !order.profitAdjustmentApplied &&
    order.errorCode === null &&
    order.reason === null &&
    fitsWord(amount) &&
    fitsWord(triggerPrice) &&
    fitsWord(order.limitPrice) &&
    fitsWord(order.stopTriggerPrice) &&
    fitsWord(order.takeTriggerPrice) &&
    fitsWord(order.expectedAmount) &&
    (order.requestedTriggerPrice === null || fitsWord(order.requestedTriggerPrice)) &&
    (order.leverage === null || fitsWord(order.leverage)) &&
    (order.baseSize === null || fitsWord(order.baseSize))
  )
}

function fitsWord(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Writes what {@link readRow} reads but the ids of the order, its account, market and position. Gives its flags. */
export function writeRow({ ints, bigs, doubles }: Chunk, int: number, word: number, order: Order): number {
  const { amount, triggerPrice, requestedTriggerPrice, leverage, baseSize, parentOrderId } = order
  let flags = typeFlags(order)
  bigs[word + TRIGGER] = triggerPrice
  bigs[word + AMOUNT] = amount
  if (order.limitPrice !== triggerPrice) {
    flags |= OWN_LIMIT
    bigs[word + LIMIT] = order.limitPrice
  }
  if (requestedTriggerPrice !== null) {
    flags |= HAS_REQUESTED
    bigs[word + STOP] = requestedTriggerPrice
  } else if (order.stopTriggerPrice !== 0n) {
    flags |= HAS_STOP
    bigs[word + STOP] = order.stopTriggerPrice
  }
  if (order.takeTriggerPrice !== 0n) {
    flags |= HAS_TAKE
    bigs[word + TAKE] = order.takeTriggerPrice
  }
  if (leverage !== null) {
    flags |= HAS_LEVERAGE
    bigs[word + LEVERAGE] = leverage
  }
  if (baseSize !== null) {
    flags |= HAS_BASE
    bigs[word + BASE] = baseSize
  }
  if (order.expectedAmount !== 0n) {
    flags |= HAS_EXPECTED
    bigs[word + EXPECTED] = order.expectedAmount
  }
  if (order.reserve !== 0n) flags |= RESERVES
  if (order.reservedAmount !== null) flags |= SHOWS_RESERVE
  if (order.stopPrice !== 0n) flags |= STOP_ENTRY
  if (order.sizeMode === 'base') flags |= OF_BASE
  if (parentOrderId !== null) {
    flags |= HAS_PARENT
    copyWords(ints, int + PARENT, knownUuid(parentOrderId))
  }
  ints[int + PHASE] = order.phaseOrdinal
  doubles[word + CREATED_AT] = order.createdAt
  doubles[word + SEQUENCE] = order.sequence
  return flags
}

/** Of an id that is no uuid. */
export function hashOfText(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0
  return hash
}

/** The words of a uuid that was asked for last. */
export function copyWords(ints: Int32Array, to: number, known: number): void {
  ints[to] = knownWords[known] as number
  ints[to + 1] = knownWords[known + 1] as number
  ints[to + 2] = knownWords[known + 2] as number
  ints[to + 3] = knownWords[known + 3] as number
}

/** What of an order its row does not say. */
export interface RowNames {
  readonly id: string
  readonly accountId: string
  readonly marketId: string
  readonly positionId: string | null
}

/** The order of a row, as an object of its own. */
export function readRow(
  { ints, bigs, doubles }: Chunk,
  int: number,
  word: number,
  row: number,
  { id, accountId, marketId, positionId }: RowNames,
): Order {
  const flags = ints[int + FLAGS] as number
  const triggerPrice = bigs[word + TRIGGER] as bigint
  const amount = bigs[word + AMOUNT] as bigint
  return {
    id,
    accountId,
    marketId,
    status: 'active',
    orderType: typeOf(flags),
    direction: (flags & SHORT) === 0 ? 'long' : 'short',
    triggerPrice,
    requestedTriggerPrice: (flags & HAS_REQUESTED) === 0 ? null : (bigs[word + STOP] as bigint),
    stopPrice: (flags & STOP_ENTRY) === 0 ? 0n : triggerPrice,
    limitPrice: (flags & OWN_LIMIT) === 0 ? triggerPrice : (bigs[word + LIMIT] as bigint),
    stopTriggerPrice: (flags & HAS_STOP) === 0 ? 0n : (bigs[word + STOP] as bigint),
    takeTriggerPrice: (flags & HAS_TAKE) === 0 ? 0n : (bigs[word + TAKE] as bigint),
    trailingStopActivationPrice: 0n,
    trailingStopOffset: 0n,
    trailingStopOffsetPercent: 0n,
    leverage: (flags & HAS_LEVERAGE) === 0 ? null : (bigs[word + LEVERAGE] as bigint),
    positionId,
    parentOrderId: (flags & HAS_PARENT) === 0 ? null : textOf(ints, int + PARENT),
    amount,
    indexPrice: null,
    createdAt: doubles[word + CREATED_AT] as number,
    realizedPnl: null,
    rawRealizedPnl: null,
    profitAdjustmentApplied: false,
    sizeMode: (flags & OF_BASE) === 0 ? 'quote' : 'base',
    baseSize: (flags & HAS_BASE) === 0 ? null : (bigs[word + BASE] as bigint),
    reservedAmount: (flags & SHOWS_RESERVE) === 0 ? null : amount,
    errorCode: null,
    reason: null,
    sequence: doubles[word + SEQUENCE] as number,
    phaseOrdinal: ints[int + PHASE] as number,
    reserve: (flags & RESERVES) === 0 ? 0n : amount,
    expectedAmount: (flags & HAS_EXPECTED) === 0 ? 0n : (bigs[word + EXPECTED] as bigint),
    peak: null,
    row,
  }
}
