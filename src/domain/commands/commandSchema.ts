/**
 * The form of every command (A1, A6): which fields it has and of what kind. A field nobody declared is rejected, because
 * a misspelt stop-loss must not be dropped silently; what the values mean is checked by the rules, not here.
 */

import type { Command } from '../../events/command.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import { PLACEABLE_ORDER_TYPES } from '../../terms/orderTypes.ts'
import { MARKET_FIELDS } from './configureMarket.ts'
import { FieldCheck, type KindsOf } from './fieldKinds.ts'
import { ACCOUNT_FIELDS } from './openAccount.ts'

export const COMMAND_FIELDS: {
  readonly [Type in Command['type']]: KindsOf<Omit<Extract<Command, { type: Type }>, 'type'>>
} = {
  createEngine: { seed: 'text', dayBoundary: ['account', 'venue', null] },
  placeOrder: {
    accountId: 'id',
    marketId: 'id',
    orderType: PLACEABLE_ORDER_TYPES,
    direction: ['long', 'short'],
    amount: 'fp9',
    positionId: 'id?',
    expectedAmount: 'unsigned?',
    leverage: 'fp9?',
    triggerPrice: 'fp9?',
    stopTriggerPrice: 'fp9?',
    takeTriggerPrice: 'fp9?',
    trailingStopActivationPrice: 'fp9?',
    trailingStopOffset: 'fp9?',
    trailingStopOffsetPercent: 'fp9?',
    stopLimitPrice: 'fp9?',
    sizeMode: ['quote', 'base', null],
    baseSize: 'fp9?',
    idempotencyKey: 'key?',
  },
  editOrder: {
    orderId: 'id',
    triggerPrice: 'fp9?',
    amount: 'fp9?',
    expectedAmount: 'unsigned?',
    baseSize: 'fp9?',
  },
  cancelOrder: { orderId: 'id' },
  changeMargin: { positionId: 'id', marginChange: 'fp9' },
  closeAll: { accountId: 'id' },
  updatePrice: { marketId: 'id', indexPrice: 'positive' },
  advanceTime: { ms: 'ms' },
  configureMarket: { market: MARKET_FIELDS },
  setMarketStatus: { marketId: 'id', status: ['open', 'paused', 'close_only'] },
  setFundingRate: { marketId: 'id', fundingRate: 'fp9', fundingRateShort: 'fp9?' },
  openAccount: { account: ACCOUNT_FIELDS },
  adjustBalance: { accountId: 'id', amount: 'fp9' },
  setApiTrading: { accountId: 'id', enabled: 'flag' },
  setAccountLock: { accountId: 'id', locked: 'flag' },
  setAccountLoaded: { accountId: 'id', loaded: 'flag' },
  stopAccount: { accountId: 'id', reason: ['fail', 'freeze', 'promote', 'manual'] },
  unfreezeAccount: { accountId: 'id' },
  forceClosePosition: { positionId: 'id' },
  weeklySessionRiskClose: { marketId: 'id' },
  registerApiKey: {
    keyId: 'id',
    userId: 'id',
    name: 'text',
    hash: 'text',
    prefix: 'text',
    expiresAt: 'ms?',
    maxLive: 'count?',
  },
  refreshApiKey: {
    keyId: 'id',
    userId: 'id',
    hash: 'text',
    prefix: 'text',
    expiresAt: 'ms?',
    maxLive: 'count?',
  },
  revokeApiKey: { keyId: 'id?', hash: 'digest?', userId: 'id?' },
  amendApiKey: { keyId: 'id', userId: 'id', expiresAt: 'ms?' },
  withdrawApiKey: { keyId: 'id' },
}

const CHECKS = new Map(
  Object.entries(COMMAND_FIELDS).map(([type, kinds]) => [type as Command['type'], new FieldCheck(kinds)]),
)

/** `validation_failed` naming the first field at fault, or null. Takes anything: programs are not always typed. */
export function schemaRejection(command: Command): Rejection | null {
  if (typeof command !== 'object' || command === null) return invalid('command')
  const check = CHECKS.get(command.type)
  if (check === undefined) return invalid('type')
  const fault = check.fault(command, 'type')
  return fault === null ? null : invalid(fault)
}
