/**
 * Positions and their events as JSON text, written field by field: everybody who listens to an account is told each event, and a
 * generic serializer takes ten times as long. A test holds it equal to `JSON.stringify(wirePositionEvent(event))`.
 */
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import { formatInstant } from '../projections/wire.ts'
import { textJson } from './jsonField.ts'
import { orderJson } from './orderJson.ts'

export function positionJson(position: PositionRecord): string {
  return `{${fieldsOf(position)}}`
}

/** With the order behind it. */
export function positionEventJson(event: PositionEventRecord): string {
  return `{${fieldsOf(event)},"order":${event.order === null ? 'null' : orderJson(event.order)}}`
}

function fieldsOf(position: PositionRecord): string {
  return `"idx":${textJson(position.id)},"version":${position.version},"openedAt":"${formatInstant(position.openedAt)}","lastUpdatedAt":"${formatInstant(position.lastUpdatedAt)}","closedAt":${instant(position.closedAt)},"status":"${position.status}","market":${textJson(position.marketId)},"trader":${textJson(position.accountId)},"size":"${position.size}","notional":"${position.notional}","margin":"${position.margin}","pnl":"${position.pnl}","funding":"${position.funding}","fee":"${position.fee}","feeRate":"${position.feeRate}","exchangedQuote":"${position.exchangedQuote}","exchangedBase":"${position.exchangedBase}","direction":"${position.direction}","eventName":"${position.eventName}","pnlInEvent":"${position.pnlInEvent}","rawPnlInEvent":"${position.rawPnlInEvent}","profitAdjustmentApplied":${position.profitAdjustmentApplied},"holdingTimeMs":${duration(position.holdingTimeMs)},"feeInEvent":"${position.feeInEvent}","fundingInEvent":"${position.fundingInEvent}","roe":"${position.roe}","scalpingCoefficient":"${position.scalpingCoefficient}","closeReason":${textJson(position.closeReason)}`
}

function instant(at: number | null): string {
  return at === null ? 'null' : `"${formatInstant(at)}"`
}

function duration(ms: number | null): string {
  return ms === null ? 'null' : `"${ms}"`
}
