// Small venues, each about a few rules: every sequence of its moves is tried. Prices, sizes and times are those between
// which the rules decide, and few, so that the sequences get long.

import type { Genesis } from '../../src/engine/genesis.ts'
import type { Command } from '../../src/events/command.ts'
import { uncheckedOrder } from '../../src/events/placeOrder.ts'
import { fp9, ONE } from '../../src/index.ts'
import { MALFORMED, malformedOrder } from '../../src/testing/index.ts'
import type { Move, Scene } from './search.ts'
import { ENDED } from './stepHistory.ts'
import {
  ALICE,
  ALICES_USER,
  BOB,
  BOBS_USER,
  closeNow,
  closing,
  give,
  MARKET,
  market,
  moveMargin,
  NOON,
  onOrder,
  onPosition,
  order,
  tick,
  tickToLiquidation,
  tiny,
  wait,
  waitUntilDue,
} from './venue.ts'

const HALF = [1n, 2n] as const
const MIDNIGHT = Date.UTC(2024, 0, 3, 23, 30)

const edit = (place: number, fields: object): Move =>
  onOrder(place, ({ id }) => ({ type: 'editOrder', orderId: id, ...fields }))
const cancel = (place: number): Move => onOrder(place, ({ id }) => ({ type: 'cancelOrder', orderId: id }))

/** D1–D8, B1, B2: what a profit within the minute is worth, and what a quick close costs. */
const minute: Scene = {
  genesis: tiny(NOON),
  moves: [
    market(ALICE),
    market(ALICE, { amount: fp9('1.1') }),
    market(BOB, { direction: 'short' }),
    tick('103'),
    tick('98'),
    tick('100'),
    closeNow(0, HALF),
    closeNow(0),
    closeNow(-1),
    wait(59_999),
    wait(1),
    wait(30_000),
  ],
}

/** F1–F16: orders with others attached, edited, cancelled and filled. */
const attached: Scene = {
  genesis: tiny(NOON, { minStopDistance: fp9('1%') }),
  moves: [
    market(ALICE, { stopTriggerPrice: fp9('99.5'), takeTriggerPrice: fp9('104') }),
    order(ALICE, {
      orderType: 'limit',
      triggerPrice: fp9('99'),
      stopTriggerPrice: fp9('97'),
      takeTriggerPrice: fp9('103'),
    }),
    order(BOB, { orderType: 'limit', direction: 'short', triggerPrice: fp9('104') }),
    closing(0, { orderType: 'stop', triggerPrice: fp9('96') }, HALF),
    closing(0, { orderType: 'take', triggerPrice: fp9('103') }, HALF),
    edit(0, { triggerPrice: fp9('98.5') }),
    edit(-1, { triggerPrice: fp9('96.5') }),
    edit(0, { amount: fp9('11') }),
    cancel(0),
    cancel(-1),
    tick('100'),
    tick('98'),
    tick('95'),
    tick('105'),
    closeNow(0, HALF),
    closeNow(0),
    give({ type: 'closeAll', accountId: ALICE }),
  ],
}

/** F3–F8: entries on a stop, and stops that follow the price. */
const trailing: Scene = {
  genesis: tiny(NOON),
  moves: [
    order(ALICE, { orderType: 'stop_market', triggerPrice: fp9('102'), stopTriggerPrice: fp9('99') }),
    order(ALICE, { orderType: 'stop_limit', triggerPrice: fp9('102'), stopLimitPrice: fp9('101') }),
    order(BOB, {
      orderType: 'stop_limit',
      direction: 'short',
      triggerPrice: fp9('99'),
      stopLimitPrice: fp9('100'),
      stopTriggerPrice: fp9('103'),
    }),
    market(ALICE, { leverage: fp9('5') }),
    closing(0, { orderType: 'trailing_stop', trailingStopOffset: fp9('2') }),
    closing(
      0,
      {
        orderType: 'trailing_stop',
        trailingStopOffsetPercent: fp9('1%'),
        trailingStopActivationPrice: fp9('102'),
      },
      HALF,
    ),
    closing(0, { orderType: 'stop', triggerPrice: 0n }),
    closeNow(0),
    edit(-1, { amount: fp9('0.3') }),
    edit(-1, { triggerPrice: fp9('102.5') }),
    edit(0, {}),
    cancel(-1),
    tick('99'),
    tick('101'),
    tick('102'),
    tick('104'),
    give({ type: 'setMarketStatus', marketId: MARKET, status: 'close_only' }),
    give({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' }),
    give({ type: 'setMarketStatus', marketId: MARKET, status: 'open' }),
  ],
}

/** E1–E7, C7–C10: to the very unit where a margin is gone, and what moves that place. */
const liquidation: Scene = {
  genesis: tiny(NOON, { scalpingWindowMs: 0, fundingRate: fp9('1%') }),
  moves: [
    market(ALICE, { leverage: fp9('20') }),
    market(BOB, { direction: 'short', leverage: fp9('20'), amount: fp9('20') }),
    tickToLiquidation(0, 0n),
    tickToLiquidation(0, 1n),
    tickToLiquidation(-1, 0n),
    tick('100'),
    tick('97'),
    moveMargin(0, fp9('3')),
    moveMargin(0, -fp9('2')),
    moveMargin(0, -1n),
    moveMargin(0, fp9('2000')),
    closeNow(0, HALF),
    waitUntilDue(),
    give({ type: 'configureMarket', market: { id: MARKET, maintenanceMarginRate: fp9('3%') } }),
    closing(0, { orderType: 'stop', triggerPrice: fp9('96') }),
    closing(0, { orderType: 'take', triggerPrice: fp9('96') }),
  ],
}

/** H5–H7, E4, J7, J13: days, floors, targets, phases. */
const days: Scene = {
  genesis: tiny(
    MIDNIGHT,
    { fundingIntervalMs: 86_400_000, scalpingWindowMs: 0, spread: 0n, feeRate: 0n },
    { maxDailyLoss: fp9('3%'), dailyBreach: 'freeze', maxTotalLoss: fp9('5%'), drawdownMode: 'trailing_eod' },
    {
      profitTarget: fp9('2%'),
      minProfitableDays: 1,
      autoPromote: true,
      maxTotalLoss: fp9('4%'),
      maxDailyLoss: fp9('3%'),
      dailyLossBase: 'balance',
    },
  ),
  moves: [
    market(ALICE, { amount: fp9('100'), leverage: ONE }),
    market(BOB, { amount: fp9('50') }),
    market(BOB, { amount: fp9('50'), direction: 'short' }),
    tick('100'),
    tick('94'),
    tick('70'),
    tick('69.999999999'),
    tick('104.5'),
    give({ type: 'closeAll', accountId: ALICE }),
    give({ type: 'closeAll', accountId: BOB }),
    wait(60_000),
    waitUntilDue(-1),
    waitUntilDue(),
    give({ type: 'adjustBalance', accountId: BOB, amount: -fp9('30') }),
    give({ type: 'unfreezeAccount', accountId: ALICE }),
  ],
}

/** G1–G4, H1–H4, H10, J10, J11: who may do what while something is switched off. */
const switches: Scene = {
  genesis: tiny(NOON, { weekendMaxLeverage: fp9('5') }, {}, { phase: null }),
  moves: [
    market(ALICE),
    order(ALICE, { orderType: 'limit', triggerPrice: fp9('99') }, { userId: ALICES_USER, apiKey: true }),
    market(BOB, { leverage: fp9('4') }),
    tick('98.5'),
    tick('100'),
    edit(0, { amount: fp9('12') }),
    edit(0, { amount: fp9('9') }),
    moveMargin(0, fp9('1')),
    closeNow(0, HALF),
    give({ type: 'closeAll', accountId: ALICE }),
    ...(['open', 'paused', 'close_only'] as const).map((status) =>
      give({ type: 'setMarketStatus', marketId: MARKET, status }),
    ),
    give({ type: 'setAccountLock', accountId: ALICE, locked: true }),
    give({ type: 'setApiTrading', accountId: ALICE, enabled: false }),
    give({ type: 'setAccountLoaded', accountId: ALICE, loaded: false }),
    give({ type: 'setAccountLoaded', accountId: ALICE, loaded: true }),
    ...(['fail', 'freeze', 'promote', 'manual'] as const).map((reason) =>
      give({ type: 'stopAccount', accountId: ALICE, reason }),
    ),
    give({ type: 'stopAccount', accountId: BOB, reason: 'promote' }),
    give({ type: 'unfreezeAccount', accountId: ALICE }),
    give({ type: 'weeklySessionRiskClose', marketId: MARKET }),
    onPosition(-1, ({ id }) => ({ type: 'forceClosePosition', positionId: id })),
    give({
      type: 'setFundingRate',
      marketId: MARKET,
      fundingRate: -fp9('0.5%'),
      fundingRateShort: fp9('0.2%'),
    }),
    waitUntilDue(),
  ],
}

/** B7, B8, C2–C5, I4: what a market takes, what an order may cost, how old a price may be, and what a key has done. */
const limits: Scene = {
  genesis: tiny(
    NOON,
    {
      minNotional: fp9('90'),
      maxOrderNotional: fp9('220'),
      maxOpenNotionalLong: fp9('300'),
      maxOpenNotionalShort: fp9('150'),
      maxPriceAgeMs: 10_000,
    },
    { balance: fp9('45'), maxActiveOrders: 2 },
    { balance: fp9('45'), maxActiveOrders: 0 },
  ),
  moves: [
    market(ALICE, { idempotencyKey: 'k' }),
    market(ALICE, { amount: fp9('23') }),
    market(BOB, { amount: fp9('9.1') }),
    market(BOB, { amount: fp9('20') }),
    market(BOB, { direction: 'short', amount: fp9('10.2') }),
    market(ALICE, { sizeMode: 'base', baseSize: fp9('1'), amount: fp9('10.2') }),
    market(ALICE, { expectedAmount: fp9('1') }),
    market(BOB, { amount: 1n, leverage: ONE }),
    order(ALICE, {
      orderType: 'limit',
      triggerPrice: fp9('99'),
      sizeMode: 'base',
      baseSize: fp9('1'),
      amount: fp9('10'),
    }),
    order(BOB, {
      orderType: 'stop_market',
      triggerPrice: fp9('101'),
      sizeMode: 'base',
      baseSize: fp9('1'),
      amount: fp9('10.1'),
    }),
    edit(0, { amount: fp9('15'), baseSize: fp9('1.2') }),
    edit(0, { amount: fp9('44') }),
    tick('98.9'),
    tick('101'),
    closeNow(0),
    cancel(0),
    wait(9_999),
    wait(1),
    waitUntilDue(-1),
    waitUntilDue(),
    give({ type: 'adjustBalance', accountId: ALICE, amount: -fp9('36') }),
    give({ type: 'adjustBalance', accountId: ALICE, amount: fp9('36') }),
  ],
}

const UNPRICED = '00000000-0000-4000-8000-00000000000b'

function withUnpriced(genesis: Genesis): Genesis {
  const unpriced = { id: UNPRICED, baseAsset: 'NEW', ticker: 'NEW-USD', category: 'rwa' } as const
  return { ...genesis, markets: [...(genesis.markets ?? []), unpriced] }
}

const STRANGER = '00000000-0000-4000-8000-0000000000ff'
const mallory = { userId: BOBS_USER, apiKey: true }

/** I1, I2, I14, H3: everything that is refused, in every state. */
const rejections: Scene = {
  genesis: withUnpriced(tiny(NOON, { category: 'rwa' }, {}, { allowedCategories: ['crypto'] })),
  moves: [
    market(ALICE),
    market(BOB),
    order(ALICE, { orderType: 'limit', triggerPrice: fp9('99') }),
    order(ALICE, {
      orderType: 'stop_limit',
      triggerPrice: fp9('102'),
      stopLimitPrice: fp9('101'),
      stopTriggerPrice: fp9('98'),
    }),
    closing(0, { orderType: 'trailing_stop', trailingStopOffset: ONE }),
    closing(0, { orderType: 'stop', triggerPrice: 0n }),
    closeNow(0, HALF),
    tick('98'),
    tick('101'),
    ...MALFORMED.flatMap((malformed) =>
      (['long', 'short'] as const).map((direction) =>
        give(uncheckedOrder(malformedOrder(malformed, { accountId: ALICE, marketId: MARKET, direction }))),
      ),
    ),
    ...[
      { triggerPrice: 0n },
      { triggerPrice: -1n },
      { amount: 0n },
      { baseSize: 1n },
      { baseSize: -1n, amount: 1n },
      { amount: fp9('1000') },
      { triggerPrice: fp9('120') },
      { triggerPrice: fp9('97') },
      { triggerPrice: fp9('100.5') },
    ].flatMap((fields) => [edit(0, fields), edit(-1, fields)]),
    market(ALICE, { leverage: fp9('0.5') }),
    market(ALICE, { leverage: fp9('21') }),
    market(ALICE, { amount: fp9('1001') }),
    market(STRANGER),
    market(ALICE, { marketId: STRANGER }),
    market(ALICE, { marketId: UNPRICED }),
    order(ALICE, { orderType: 'market' }, mallory),
    give({ type: 'closeAll', accountId: ALICE }, mallory),
    order(ALICE, { orderType: 'limit', triggerPrice: fp9('110') }),
    order(ALICE, { orderType: 'stop_market', triggerPrice: fp9('90') }),
    market(ALICE, { stopTriggerPrice: fp9('110') }),
    market(ALICE, { takeTriggerPrice: fp9('90') }),
    market(ALICE, { stopTriggerPrice: fp9('50') }),
    market(ALICE, { stopTriggerPrice: fp9('150'), direction: 'short' }),
    closing(0, { orderType: 'stop', triggerPrice: fp9('50') }),
    closing(0, { orderType: 'take', triggerPrice: fp9('90') }),
    closing(0, { orderType: 'take', triggerPrice: fp9('110'), direction: 'short' }),
    closing(0, { orderType: 'take', triggerPrice: fp9('110'), accountId: BOB }),
    moveMargin(0, -fp9('9')),
    moveMargin(0, fp9('5000')),
    ...[ENDED.position, ENDED.earlierPosition, STRANGER].flatMap((positionId) => [
      give({ type: 'changeMargin', positionId, marginChange: 1n }),
      give({ type: 'forceClosePosition', positionId }),
      order(ALICE, { orderType: 'take', triggerPrice: 0n, positionId, leverage: null }),
    ]),
    ...[ENDED.order, ENDED.earlierOrder, STRANGER].flatMap((orderId) => [
      give({ type: 'cancelOrder', orderId }),
      give({ type: 'editOrder', orderId, amount: 1n }),
    ]),
    ...foreign(),
  ],
}

function foreign(): Move[] {
  const commands: Command[] = [
    { type: 'createEngine', seed: 'again' },
    { type: 'updatePrice', marketId: STRANGER, indexPrice: ONE },
    { type: 'updatePrice', marketId: MARKET, indexPrice: 0n },
    { type: 'setMarketStatus', marketId: STRANGER, status: 'open' },
    { type: 'setFundingRate', marketId: STRANGER, fundingRate: 1n },
    { type: 'weeklySessionRiskClose', marketId: STRANGER },
    { type: 'stopAccount', accountId: STRANGER, reason: 'fail' },
    { type: 'unfreezeAccount', accountId: ALICE },
    { type: 'adjustBalance', accountId: ALICE, amount: -fp9('1001') },
    { type: 'configureMarket', market: { id: MARKET, spread: ONE } },
    { type: 'openAccount', account: { id: ALICE, userId: ALICES_USER, balance: ONE } },
    { type: 'advanceTime', ms: -1 },
    { type: 'closeAll', accountId: STRANGER },
  ]
  return commands.map((command) => give(command))
}

export const SCENES: Readonly<Record<string, Scene>> = {
  minute,
  attached,
  trailing,
  liquidation,
  days,
  switches,
  limits,
  rejections,
}
