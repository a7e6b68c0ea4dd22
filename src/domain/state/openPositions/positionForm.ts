/** A position as rows, and back. What rows cannot say ({@link fitsRows}) stays an object: numbers beyond 63 bits. */

import { namesOf } from '../../../collections/table.ts'
import { ONE } from '../../../quantity/fp9.ts'
import type { Quote } from '../../../quantity/units.ts'
import { CLOSED_SETS } from '../../../terms/closedSets.ts'
import { POSITION_EVENTS, POSITION_STATUSES } from '../../../terms/positionStatus.ts'
import type { Position } from '../position.ts'
import type { Chunk } from '../rows/rowMemory.ts'
import {
  ADJUSTED,
  CLOSED_AT,
  CONTRIBUTED_MARGIN,
  DUE,
  EVENT_BITS,
  EVENT_MASK,
  EXCHANGED_BASE,
  EXCHANGED_QUOTE,
  FEE,
  FEE_IN_EVENT,
  FEE_RATE,
  FLAGS,
  FUNDING,
  FUNDING_IN_EVENT,
  HOLDING_TIME,
  LAST_INCREASE_AT,
  LAST_UPDATED_AT,
  MARGIN,
  NOTIONAL,
  OPENED_AT,
  PHASE,
  PNL,
  PNL_IN_EVENT,
  PROFIT_REFERENCE,
  RAW_PNL_IN_EVENT,
  REASON_BITS,
  REASON_MASK,
  ROE,
  SCALPING_COEFFICIENT,
  SEQUENCE,
  SHORT,
  SIZE,
  STATUS_BITS,
  STATUS_MASK,
  VERSION,
} from './positionLayout.ts'

const EVENT_NAMES = namesOf(POSITION_EVENTS)
const { closeReason: CLOSE_REASONS } = CLOSED_SETS
const PAYS_FUNDING = EVENT_NAMES.indexOf('payFunding') << EVENT_BITS
/** Of the upper half of a number: half of what it can be. */
const HALF = 2 ** 30

/** Whether all of a position follows from what its first row says (C6): nothing has happened to it but that it was opened. */
export function isOnlyOpened(position: Position): boolean {
  const { openedAt } = position
  return (
    position.version === 1 &&
    position.lastUpdatedAt === openedAt &&
    position.lastIncreaseAt === openedAt &&
    position.holdingTimeMs === null &&
    position.closedAt === null &&
    position.pnl === 0n &&
    position.funding === 0n &&
    position.exchangedQuote === position.notional &&
    position.exchangedBase === position.size &&
    position.pnlInEvent === 0n &&
    position.rawPnlInEvent === 0n &&
    position.feeInEvent === position.fee &&
    position.fundingInEvent === 0n &&
    position.roe === 0n &&
    position.scalpingCoefficient === ONE &&
    position.profitReference === 0n &&
    position.contributedMargin === position.margin
  )
}

/** Whether rows say all of its amounts; of one that has only been opened, its first row. */
export function fitsRows(position: Position, onlyOpened: boolean): boolean {
  return (
    fitsWord(position.size) &&
    fitsWord(position.notional) &&
    fitsWord(position.margin) &&
    fitsWord(position.fee) &&
    fitsWord(position.feeRate) &&
    (onlyOpened ||
      (fitsWord(position.pnl) &&
        fitsWord(position.funding) &&
        fitsWord(position.exchangedQuote) &&
        fitsWord(position.exchangedBase) &&
        fitsWord(position.pnlInEvent) &&
        fitsWord(position.rawPnlInEvent) &&
        fitsWord(position.feeInEvent) &&
        fitsWord(position.fundingInEvent) &&
        fitsWord(position.roe) &&
        fitsWord(position.scalpingCoefficient) &&
        fitsWord(position.profitReference) &&
        fitsWord(position.contributedMargin)))
  )
}

function fitsWord(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** Writes what {@link readRows} reads of a first row but for its lists, its id and its sequence. */
export function writeFirst({ ints, bigs, doubles }: Chunk, int: number, position: Position): void {
  const word = int >> 1
  let flags =
    ((ints[int + FLAGS] as number) & DUE) |
    (POSITION_STATUSES.indexOf(position.status) << STATUS_BITS) |
    (EVENT_NAMES.indexOf(position.eventName) << EVENT_BITS)
  if (position.closeReason !== null) flags |= (CLOSE_REASONS.indexOf(position.closeReason) + 1) << REASON_BITS
  if (position.direction === 'short') flags |= SHORT
  if (position.profitAdjustmentApplied) flags |= ADJUSTED
  ints[int + FLAGS] = flags
  ints[int + PHASE] = position.phaseOrdinal
  doubles[word + OPENED_AT] = position.openedAt
  bigs[word + SIZE] = position.size
  bigs[word + NOTIONAL] = position.notional
  bigs[word + MARGIN] = position.margin
  bigs[word + FEE] = position.fee
  bigs[word + FEE_RATE] = position.feeRate
}

export function writeSecond({ bigs, doubles }: Chunk, word: number, position: Position): void {
  doubles[word + VERSION] = position.version
  doubles[word + LAST_UPDATED_AT] = position.lastUpdatedAt
  doubles[word + LAST_INCREASE_AT] = position.lastIncreaseAt
  doubles[word + HOLDING_TIME] = position.holdingTimeMs ?? Number.NaN
  doubles[word + CLOSED_AT] = position.closedAt ?? Number.NaN
  bigs[word + PNL] = position.pnl
  bigs[word + FUNDING] = position.funding
  bigs[word + EXCHANGED_QUOTE] = position.exchangedQuote
  bigs[word + EXCHANGED_BASE] = position.exchangedBase
  bigs[word + PNL_IN_EVENT] = position.pnlInEvent
  bigs[word + RAW_PNL_IN_EVENT] = position.rawPnlInEvent
  bigs[word + FEE_IN_EVENT] = position.feeInEvent
  bigs[word + FUNDING_IN_EVENT] = position.fundingInEvent
  bigs[word + ROE] = position.roe
  bigs[word + SCALPING_COEFFICIENT] = position.scalpingCoefficient
  bigs[word + PROFIT_REFERENCE] = position.profitReference
  bigs[word + CONTRIBUTED_MARGIN] = position.contributedMargin
}

/** The second row of one that has only been opened, by its first. */
export function writeOpened(
  second: Chunk,
  at: number,
  first: Pick<Chunk, 'bigs' | 'doubles'>,
  from: number,
): void {
  const { bigs, doubles } = second
  const openedAt = first.doubles[from + OPENED_AT] as number
  doubles[at + VERSION] = 1
  doubles[at + LAST_UPDATED_AT] = openedAt
  doubles[at + LAST_INCREASE_AT] = openedAt
  doubles[at + HOLDING_TIME] = Number.NaN
  doubles[at + CLOSED_AT] = Number.NaN
  bigs[at + PNL] = 0n
  bigs[at + FUNDING] = 0n
  bigs[at + EXCHANGED_QUOTE] = first.bigs[from + NOTIONAL] as bigint
  bigs[at + EXCHANGED_BASE] = first.bigs[from + SIZE] as bigint
  bigs[at + PNL_IN_EVENT] = 0n
  bigs[at + RAW_PNL_IN_EVENT] = 0n
  bigs[at + FEE_IN_EVENT] = first.bigs[from + FEE] as bigint
  bigs[at + FUNDING_IN_EVENT] = 0n
  bigs[at + ROE] = 0n
  bigs[at + SCALPING_COEFFICIENT] = ONE
  bigs[at + PROFIT_REFERENCE] = 0n
  bigs[at + CONTRIBUTED_MARGIN] = first.bigs[from + MARGIN] as bigint
}

/** Whether margin and funding stay within 63 bits with another 62 added to them. */
export function hasRoom(first: Chunk, int: number, second: Chunk, word: number): boolean {
  const margin = first.ints[int + 2 * MARGIN + 1] as number
  const funding = second.ints[2 * (word + FUNDING) + 1] as number
  return margin < HALF && margin >= -HALF && funding < HALF && funding >= -HALF
}

/** An event of funding (E5), as `payFunding` of the reducers. Where {@link hasRoom}. */
export function writeFunding(
  first: Chunk,
  int: number,
  second: Chunk,
  word: number,
  amount: Quote,
  at: number,
): void {
  const { ints } = first
  const { bigs, doubles } = second
  const margin = (int >> 1) + MARGIN
  ints[int + FLAGS] =
    ((ints[int + FLAGS] as number) & ~((EVENT_MASK << EVENT_BITS) | ADJUSTED)) | PAYS_FUNDING
  first.bigs[margin] = BigInt.asIntN(64, (first.bigs[margin] as bigint) + amount)
  doubles[word + VERSION] = (doubles[word + VERSION] as number) + 1
  doubles[word + LAST_UPDATED_AT] = at
  doubles[word + HOLDING_TIME] = Number.NaN
  bigs[word + FUNDING] = BigInt.asIntN(64, (bigs[word + FUNDING] as bigint) + amount)
  bigs[word + FUNDING_IN_EVENT] = amount
  bigs[word + EXCHANGED_QUOTE] = 0n
  bigs[word + EXCHANGED_BASE] = 0n
  bigs[word + PNL_IN_EVENT] = 0n
  bigs[word + RAW_PNL_IN_EVENT] = 0n
  bigs[word + FEE_IN_EVENT] = 0n
  bigs[word + SCALPING_COEFFICIENT] = ONE
}

/** What of a position its rows do not say. */
export interface PositionNames {
  readonly id: string
  readonly accountId: string
  readonly marketId: string
}

/**
 * The position of rows, as an object of its own; `second` = null where it has only been opened. Both have their fields in the order of
 * `unopenedPosition`, so that all positions are alike to the compiler.
 */
export function readRows(
  first: Chunk,
  int: number,
  second: Chunk | null,
  word: number,
  names: PositionNames,
): Position {
  return second === null ? readOpened(first, int, names) : readChanged(first, int, second, word, names)
}

function readOpened({ ints, bigs, doubles }: Chunk, int: number, names: PositionNames): Position {
  const from = int >> 1
  const flags = ints[int + FLAGS] as number
  const openedAt = doubles[from + OPENED_AT] as number
  const size = bigs[from + SIZE] as bigint
  const notional = bigs[from + NOTIONAL] as bigint
  const margin = bigs[from + MARGIN] as bigint
  const fee = bigs[from + FEE] as bigint
  return {
    id: names.id,
    version: 1,
    openedAt,
    lastUpdatedAt: openedAt,
    closedAt: null,
    status: statusOf(flags),
    marketId: names.marketId,
    accountId: names.accountId,
    size,
    notional,
    margin,
    pnl: 0n,
    funding: 0n,
    fee,
    feeRate: bigs[from + FEE_RATE] as bigint,
    exchangedQuote: notional,
    exchangedBase: size,
    direction: (flags & SHORT) === 0 ? 'long' : 'short',
    eventName: eventNameOf(flags),
    pnlInEvent: 0n,
    rawPnlInEvent: 0n,
    profitAdjustmentApplied: (flags & ADJUSTED) !== 0,
    holdingTimeMs: null,
    feeInEvent: fee,
    fundingInEvent: 0n,
    roe: 0n,
    scalpingCoefficient: ONE,
    closeReason: reasonOf(flags),
    sequence: doubles[from + SEQUENCE] as number,
    phaseOrdinal: ints[int + PHASE] as number,
    profitReference: 0n,
    lastIncreaseAt: openedAt,
    contributedMargin: margin,
  }
}

function readChanged(
  { ints, bigs, doubles }: Chunk,
  int: number,
  second: Chunk,
  word: number,
  names: PositionNames,
): Position {
  const from = int >> 1
  const flags = ints[int + FLAGS] as number
  return {
    id: names.id,
    version: second.doubles[word + VERSION] as number,
    openedAt: doubles[from + OPENED_AT] as number,
    lastUpdatedAt: second.doubles[word + LAST_UPDATED_AT] as number,
    closedAt: maybe(second.doubles[word + CLOSED_AT] as number),
    status: statusOf(flags),
    marketId: names.marketId,
    accountId: names.accountId,
    size: bigs[from + SIZE] as bigint,
    notional: bigs[from + NOTIONAL] as bigint,
    margin: bigs[from + MARGIN] as bigint,
    pnl: second.bigs[word + PNL] as bigint,
    funding: second.bigs[word + FUNDING] as bigint,
    fee: bigs[from + FEE] as bigint,
    feeRate: bigs[from + FEE_RATE] as bigint,
    exchangedQuote: second.bigs[word + EXCHANGED_QUOTE] as bigint,
    exchangedBase: second.bigs[word + EXCHANGED_BASE] as bigint,
    direction: (flags & SHORT) === 0 ? 'long' : 'short',
    eventName: eventNameOf(flags),
    pnlInEvent: second.bigs[word + PNL_IN_EVENT] as bigint,
    rawPnlInEvent: second.bigs[word + RAW_PNL_IN_EVENT] as bigint,
    profitAdjustmentApplied: (flags & ADJUSTED) !== 0,
    holdingTimeMs: maybe(second.doubles[word + HOLDING_TIME] as number),
    feeInEvent: second.bigs[word + FEE_IN_EVENT] as bigint,
    fundingInEvent: second.bigs[word + FUNDING_IN_EVENT] as bigint,
    roe: second.bigs[word + ROE] as bigint,
    scalpingCoefficient: second.bigs[word + SCALPING_COEFFICIENT] as bigint,
    closeReason: reasonOf(flags),
    sequence: doubles[from + SEQUENCE] as number,
    phaseOrdinal: ints[int + PHASE] as number,
    profitReference: second.bigs[word + PROFIT_REFERENCE] as bigint,
    lastIncreaseAt: second.doubles[word + LAST_INCREASE_AT] as number,
    contributedMargin: second.bigs[word + CONTRIBUTED_MARGIN] as bigint,
  }
}

function statusOf(flags: number): Position['status'] {
  return POSITION_STATUSES[(flags >> STATUS_BITS) & STATUS_MASK] as Position['status']
}

function eventNameOf(flags: number): Position['eventName'] {
  return EVENT_NAMES[(flags >> EVENT_BITS) & EVENT_MASK] as Position['eventName']
}

function reasonOf(flags: number): Position['closeReason'] {
  return CLOSE_REASONS[((flags >> REASON_BITS) & REASON_MASK) - 1] ?? null
}

function maybe(number: number): number | null {
  return Number.isNaN(number) ? null : number
}
