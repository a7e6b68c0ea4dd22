// JSON written by hand says what the generic way says, and JSON read strictly refuses what JSON.parse lets through.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OrderRecord } from '../../src/domain/state/order.ts'
import type { PositionEventRecord } from '../../src/domain/state/position.ts'
import { toJson } from '../../src/host/json.ts'
import { orderJson } from '../../src/host/orderJson.ts'
import { positionEventJson, positionJson } from '../../src/host/positionJson.ts'
import { accountJson, equityJson } from '../../src/host/stream/accountJson.ts'
import type { ToldAccount } from '../../src/host/stream/toldAccount.ts'
import { MalformedJson, parseStrictJson } from '../../src/host/strictJson.ts'
import { createEngine } from '../../src/index.ts'
import type { AccountRecord } from '../../src/projections/accountRecord.ts'
import type { AccountStanding } from '../../src/projections/reader.ts'
import { wireOrder, wirePosition, wirePositionEvent } from '../../src/projections/wire.ts'

const amount = fc.bigInt({ min: -(10n ** 39n), max: 10n ** 40n })
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)
const id = fc.oneof(fc.uuid(), fc.string({ unit: 'binary', maxLength: 12 }))
const order = fc.record({
  id,
  accountId: id,
  marketId: id,
  status: fc.constantFrom('active', 'canceled_by_error'),
  orderType: fc.constantFrom('market', 'trailing_stop'),
  direction: fc.constantFrom('long', 'short'),
  triggerPrice: amount,
  requestedTriggerPrice: some(amount),
  stopPrice: amount,
  limitPrice: amount,
  stopTriggerPrice: amount,
  takeTriggerPrice: amount,
  trailingStopActivationPrice: amount,
  trailingStopOffset: amount,
  trailingStopOffsetPercent: amount,
  leverage: some(amount),
  positionId: some(id),
  parentOrderId: some(id),
  amount,
  indexPrice: some(amount),
  createdAt: fc.integer({ min: 0, max: 4e12 }),
  realizedPnl: some(amount),
  rawRealizedPnl: some(amount),
  profitAdjustmentApplied: fc.boolean(),
  sizeMode: fc.constantFrom('quote', 'base'),
  baseSize: some(amount),
  reservedAmount: some(amount),
  errorCode: some(fc.constant('slippage_tolerance')),
  reason: some(fc.constant('force_close')),
}) as fc.Arbitrary<OrderRecord>

const instant = fc.integer({ min: 0, max: 4e12 })
const positionEvent = fc.record({
  id,
  version: fc.nat(),
  openedAt: instant,
  lastUpdatedAt: instant,
  closedAt: some(instant),
  status: fc.constantFrom('opened', 'liquidated'),
  marketId: id,
  accountId: id,
  size: amount,
  notional: amount,
  margin: amount,
  pnl: amount,
  funding: amount,
  fee: amount,
  feeRate: amount,
  exchangedQuote: amount,
  exchangedBase: amount,
  direction: fc.constantFrom('long', 'short'),
  eventName: fc.constantFrom('increasePosition', 'liquidate'),
  pnlInEvent: amount,
  rawPnlInEvent: amount,
  profitAdjustmentApplied: fc.boolean(),
  holdingTimeMs: some(fc.nat()),
  feeInEvent: amount,
  fundingInEvent: amount,
  roe: amount,
  scalpingCoefficient: amount,
  closeReason: some(fc.constant('market_close')),
  order: some(order),
}) as fc.Arbitrary<PositionEventRecord>

test('an order and a position written by hand are what is written field by field', () => {
  fc.assert(fc.property(order, (record) => orderJson(record) === JSON.stringify(wireOrder(record))))
  fc.assert(
    fc.property(positionEvent, ({ order: behind, ...position }) => {
      const event = { ...position, order: behind }
      expect(positionEventJson(event)).toBe(JSON.stringify(wirePositionEvent(event)))
      expect(positionJson(position)).toBe(JSON.stringify(wirePosition(position)))
    }),
  )
})

const account = fc.record({
  accountId: id,
  status: fc.constantFrom('active', 'frozen'),
  apiTrading: fc.boolean(),
  type: fc.constantFrom('demo', 'live'),
  currentPhase: some(fc.constantFrom('active_evaluation', 'funded')),
  initialAccountBalance: amount,
  accountBalance: amount,
  maxDailyDrawdown: amount,
  maxTotalDrawdown: amount,
  profitTarget: amount,
  profitableDays: fc.nat(),
  minTradingDays: fc.nat(),
  riskStatus: fc.record({
    currentEquity: amount,
    currentBalance: amount,
    freeBalance: amount,
    dayStartEquity: amount,
    periodStartEquity: amount,
    maxPeriodDailyEquityDelta: amount,
    consistencyRuleApplies: fc.constant(false),
    consistencyRuleMet: fc.constant(true),
    consistencyRuleRatio: fc.constant(null),
    consistencyRuleLimit: fc.constant(null),
    dailyLossFloor: some(amount),
    dailyLossRemaining: some(amount),
    totalLossFloor: some(amount),
    totalLossRemaining: some(amount),
    drawdownMode: fc.constantFrom('static', 'trailing_eod'),
    nextDayAt: instant,
  }),
}) as fc.Arbitrary<AccountRecord>

test('an account and its equity written by hand are what is written field by field', () => {
  fc.assert(
    fc.property(account, fc.boolean(), fc.boolean(), (record, locked, loaded) => {
      const standing = { locked, loaded } as AccountStanding
      expect(accountJson({ record, standing })).toBe(toJson({ ...record, locked, loaded }))
      const { currentEquity, currentBalance, dailyLossRemaining, totalLossRemaining } = record.riskStatus
      const unrealizedPnl = currentEquity - currentBalance
      expect(equityJson(record.riskStatus)).toBe(
        toJson({ currentEquity, unrealizedPnl, dailyLossRemaining, totalLossRemaining }),
      )
    }),
  )
  // As the engine makes it: no field is left out, and each in its place.
  const engine = createEngine({ accounts: [{ id: 'a', userId: 'u', balance: 1_000n }] })
  const [record, standing] = [engine.read.account('a'), engine.read.accountStanding('a')]
  const { locked, loaded } = standing as AccountStanding
  expect(accountJson({ record, standing } as ToldAccount)).toBe(toJson({ ...record, locked, loaded }))
})

test('bigints are fp9 strings, instants ISO 8601, durations numbers', () => {
  const record = {
    at: 0,
    priceAt: null,
    frozenUntil: 1,
    holdingTimeMs: 5,
    n: -1n,
    deep: [{ updatedAt: 1_000 }],
  }
  expect(toJson(record)).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","priceAt":null,"frozenUntil":"1970-01-01T00:00:00.001Z",' +
      '"holdingTimeMs":5,"n":"-1","deep":[{"updatedAt":"1970-01-01T00:00:01.000Z"}]}',
  )
})

describe('strict JSON', () => {
  const parse = (text: string) => parseStrictJson(Buffer.from(text))

  test('reads what JSON.parse reads, whatever strings contain', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        if (text.includes('__proto__')) return
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
    expect(parse('{"a:b{[":"}]:\\"\\\\:{"}')).toEqual({ 'a:b{[': '}]:"\\:{' })
  })

  test.each([
    '{"a":1,"a":1}',
    '{"a":{"b":1,"c":2,"b":3}}',
    '[{"a":1,"\\u0061":2}]',
    '{"__proto__":null}',
    '{"a":[{"__proto__":{}}]}',
    '['.repeat(17) + ']'.repeat(17),
    '{} {}',
    '',
    '\ufffe',
    '{"a":}',
    "{'a':1}",
  ])('refuses %s', (text) => expect(() => parse(text)).toThrow(MalformedJson))

  test('sixteen levels are read', () => expect(parse('['.repeat(16) + ']'.repeat(16))).toBeDefined())

  test('bytes that are not UTF-8 are refused', () =>
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(MalformedJson))
})
