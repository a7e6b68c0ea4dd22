/** What the API description shows: taken from a venue, a test holds each to its schema. */
import type { PlaceableOrderType } from '../terms/orderTypes.ts'

const ACCOUNT_ID = '00000000-0000-4000-8000-000000000002'
const MARKET_ID = '00000000-0000-4000-8000-00000000000b'
const POSITION_ID = 'f87f971a-2337-49fa-919f-a535c84507e8'

/** A long of 1,000 USD at 5x, filled at 50,000, with a stop-loss and a take-profit. */
export const EXECUTED_ORDER = {
  id: 'e5350835-0f96-4b32-a14d-6c5af1afa68a',
  trader: ACCOUNT_ID,
  market: MARKET_ID,
  status: 'executed',
  type: 'market',
  direction: 'long',
  triggerPrice: '0',
  requestedTriggerPrice: null,
  stopPrice: '0',
  limitPrice: '0',
  stopTriggerPrice: '45000000000000',
  takeTriggerPrice: '60000000000000',
  trailingStopActivationPrice: '0',
  trailingStopOffset: '0',
  trailingStopOffsetPercent: '0',
  leverage: '5000000000',
  positionId: null,
  parentOrderId: null,
  amount: '1000000000000',
  indexPrice: '50000000000000',
  createdAt: '2026-01-05T00:10:00.000Z',
  realizedPnl: null,
  rawRealizedPnl: null,
  profitAdjustmentApplied: false,
  sizeMode: 'quote',
  baseSize: null,
  reservedAmount: null,
  errorCode: null,
  reason: null,
}

/** What that order opened. */
export const OPEN_POSITION = {
  idx: POSITION_ID,
  version: 1,
  openedAt: '2026-01-05T00:10:00.000Z',
  lastUpdatedAt: '2026-01-05T00:10:00.000Z',
  closedAt: null,
  status: 'opened',
  market: MARKET_ID,
  trader: ACCOUNT_ID,
  size: '99500000',
  notional: '4975000000000',
  margin: '995000000000',
  pnl: '0',
  funding: '0',
  fee: '5000000000',
  feeRate: '1000000',
  exchangedQuote: '4975000000000',
  exchangedBase: '99500000',
  direction: 'long',
  eventName: 'increasePosition',
  pnlInEvent: '0',
  rawPnlInEvent: '0',
  profitAdjustmentApplied: false,
  holdingTimeMs: null,
  feeInEvent: '5000000000',
  fundingInEvent: '0',
  roe: '0',
  scalpingCoefficient: '1000000000',
  closeReason: null,
}

export const ACCOUNT = {
  accountId: ACCOUNT_ID,
  status: 'active',
  apiTrading: true,
  type: 'demo',
  currentPhase: 'active_evaluation',
  initialAccountBalance: '10000000000000',
  accountBalance: '9995000000000',
  maxDailyDrawdown: '50000000',
  maxTotalDrawdown: '100000000',
  profitTarget: '50000000',
  profitableDays: 0,
  minTradingDays: 3,
}

export const RISK_STATUS = {
  currentEquity: '9995000000000',
  currentBalance: '9995000000000',
  freeBalance: '9000000000000',
  dayStartEquity: '10000000000000',
  periodStartEquity: '10000000000000',
  maxPeriodDailyEquityDelta: '0',
  consistencyRuleApplies: false,
  consistencyRuleMet: true,
  consistencyRuleRatio: null,
  consistencyRuleLimit: null,
  dailyLossFloor: '9500000000000',
  dailyLossRemaining: '495000000000',
  totalLossFloor: '9000000000000',
  totalLossRemaining: '995000000000',
  drawdownMode: 'static',
  nextDayAt: '2026-01-06T00:00:00.000Z',
}

export const MARKET = {
  id: MARKET_ID,
  config: {
    baseAsset: 'BTC',
    ticker: 'BTC/USD',
    category: 'crypto',
    minLeverage: '1000000000',
    maxLeverage: '10000000000',
    feeRate: '1000000',
    spread: '0',
    minNotional: '10000000000',
    maxOpenNotionalLong: null,
    maxOpenNotionalShort: null,
    minStopDistance: '1000000',
    scalpingWindowMs: 180000,
    scalpingCoefficient: '1500000000',
    maintenanceMarginRate: '5000000',
  },
  settings: { isPaused: false, isCloseOnly: false },
  state: {
    indexPrice: '50000000000000',
    updatedAt: '2026-01-05T00:10:00.000Z',
    fundingRate: '100000',
    nextFundingAt: '2026-01-05T08:00:00.000Z',
  },
}

export const API_KEY = {
  id: '2d8040e5-4fd5-4264-b92e-8993d51a6a5c',
  name: 'bot',
  prefix: 'mtk_5xTOeBYm',
  createdAt: '2026-01-05T00:10:00.000Z',
  expiresAt: '2026-04-05T00:10:00.000Z',
}

const entry = { accountId: ACCOUNT_ID, marketId: MARKET_ID, direction: 'long', leverage: '5000000000' }
const exit = { accountId: ACCOUNT_ID, marketId: MARKET_ID, direction: 'long', positionId: POSITION_ID }

interface PlacementExample {
  readonly summary: string
  readonly value: object
}

/** A placement of each type, on a market at 50,000 USD. */
export const PLACEMENTS: { readonly [Type in PlaceableOrderType]: PlacementExample } = {
  market: {
    summary: 'Open a long of 1,000 USD at 5x now, with a stop-loss at 45,000',
    value: { ...entry, type: 'market', amount: '1000000000000', stopTriggerPrice: '45000000000000' },
  },
  limit: {
    summary: 'Open with 1,000 USD at 5x once the price is down at 48,000',
    value: { ...entry, type: 'limit', amount: '1000000000000', triggerPrice: '48000000000000' },
  },
  stop_market: {
    summary: 'Open with 1,000 USD at 5x once the price is up at 52,000',
    value: { ...entry, type: 'stop_market', amount: '1000000000000', triggerPrice: '52000000000000' },
  },
  stop_limit: {
    summary: 'Once the price is up at 52,000, leave a limit order at 51,500',
    value: {
      ...entry,
      type: 'stop_limit',
      amount: '1000000000000',
      triggerPrice: '52000000000000',
      stopLimitPrice: '51500000000000',
    },
  },
  take: {
    summary: 'Close 0.0995 BTC of the position now: triggerPrice 0',
    value: { ...exit, type: 'take', amount: '99500000', triggerPrice: '0' },
  },
  stop: {
    summary: 'Close 0.0995 BTC of the position once the price is down at 46,000',
    value: { ...exit, type: 'stop', amount: '99500000', triggerPrice: '46000000000000' },
  },
  trailing_stop: {
    summary: 'Close 0.0995 BTC of the position once the price is 2% below its best',
    value: { ...exit, type: 'trailing_stop', amount: '99500000', trailingStopOffsetPercent: '20000000' },
  },
}
