// Numbers, prices, money, the profit window, liquidation, funding and margin (A to E).
import type { Case } from '../case.ts'
import { n } from '../script.ts'

const FEE = { feeRate: n('0.000777777'), indexPrice: n('97.123456789') }
const SIZES = ['size', 'notional', 'margin', 'exchangedBase', 'exchangedQuote']
const PROFIT = ['pnl', 'pnlInEvent', 'realizedPnl', 'profitAdjustmentApplied']
const RAW = ['pnl', 'pnlInEvent', 'rawPnlInEvent', 'realizedPnl', 'rawRealizedPnl']

export const MONEY: readonly Case[] = [
  {
    rule: 'A1',
    name: 'numbers that are not fp9 texts are refused',
    looks: ['status', 'error'],
    script: (s) => {
      for (const [at, amount] of ['-0', '01', '1.0', ' 1', '1e9', 1_000, `1${'0'.repeat(40)}`].entries())
        s.buy(`number${at}`, { amount })
    },
  },
  {
    rule: 'A2',
    name: 'open and close at one index never earns',
    looks: [...SIZES, ...RAW],
    stage: { market: { indexPrice: n('97.123456789') } },
    script: (s) => {
      for (const direction of ['long', 'short']) {
        s.buy(direction, { direction, amount: n('333.333333333'), leverage: n('7') })
        s.positions()
        s.close(`${direction}Closed`, { direction })
      }
    },
  },
  {
    rule: 'A3',
    name: 'the size of a short is positive',
    looks: ['size', 'notional', 'amount', 'exchangedBase', 'exchangedQuote'],
    script: (s) => {
      s.buy('sell', { direction: 'short' })
      s.positions()
    },
  },
  {
    rule: 'A4',
    name: 'ids come as lowercase uuids, are taken in either case, and malformed ones are refused',
    looks: ['status', 'error', 'id', 'idx', 'trader', 'market', 'positionId'],
    script: (s) => {
      s.buy('buy', { accountId: '{ACCOUNT}', marketId: '{MARKET}' })
      s.get('capitals', '/accounts/{ACCOUNT}/risk-status')
      s.get('malformed', '/positions/not-an-id/active')
      s.get('unknown', '/positions/{unknown}/active')
    },
  },
  {
    rule: 'A6',
    name: 'a body that is no JSON, or no object, is refused',
    looks: ['status', 'error'],
    script: (s) => {
      for (const [at, body] of ['{"accountId":', '', '[]', 'null', '"buy"'].entries())
        s.send(`body${at}`, 'POST', '/orders', body)
    },
  },
  {
    rule: 'A6',
    name: 'a field that nobody declared is refused, one that does not apply is not kept',
    looks: ['status', 'error', 'triggerPrice', 'positionId', 'stopTriggerPrice', 'trailingStopOffset'],
    script: (s) => {
      s.buy('misspelt', { stopTrigerPrice: n('90') })
      s.buy('inapplicable', { positionId: '{unknown}', trailingStopOffset: n('1') })
      s.buy('nulls', { triggerPrice: null, baseSize: null, expectedAmount: null, stopLimitPrice: null })
    },
  },
  {
    rule: 'A7',
    name: 'an order placed is a 201, everything else a 200, and all of it is JSON',
    looks: ['status', 'content-type'],
    script: (s) => {
      const asJson = { headers: { accept: 'application/json' } }
      s.place('limit', { type: 'limit', triggerPrice: n('90') }, asJson)
      s.edit('edited', '{limit.id}', { triggerPrice: n('91') }, asJson)
      s.cancel('cancelled', '{edited.id}', asJson)
      s.get('read', '/orders/{account}/active', asJson)
      s.get('refused', '/positions/not-an-id/active', asJson)
    },
  },
  {
    rule: 'B1',
    name: 'the spread is inside the execution price, against the trader',
    looks: [...SIZES, 'indexPrice', ...RAW],
    stage: { market: { spread: n('0.000333333'), indexPrice: n('97.123456789') } },
    script: (s) => {
      s.buy('buy')
      s.positions('long')
      s.buy('sell', { direction: 'short' })
      s.positions()
      s.close('closedShort', { direction: 'short' })
      s.positions()
      s.close('closedLong')
      s.positionHistory()
    },
  },
  {
    rule: 'B2',
    name: 'a close inside the scalping window pays the multiplied spread, one at its end does not',
    looks: ['scalpingCoefficient', 'exchangedQuote', ...RAW],
    stage: { market: { spread: n('0.001'), scalpingWindowMs: 90_000, scalpingCoefficient: n('2.5') } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(89_999)
      s.close('inside', { amount: n('10') })
      s.wait(1)
      s.close('outside')
      s.events()
    },
  },
  {
    rule: 'B4',
    name: 'a stop slips and a limit improves: both execute at the tick',
    looks: ['indexPrice', 'size', ...RAW],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('98') })
      s.place('limit', { type: 'limit', direction: 'long', triggerPrice: n('97'), amount: n('100') })
      s.tick('96')
      s.orderHistory()
      s.positions('after')
    },
  },
  {
    rule: 'B5',
    name: 'of a stop and the liquidation price behind it, a jump through both fires the stop',
    looks: ['status', 'eventName', 'totalCount', 'length', 'type', 'id'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.tick('85')
      s.positionHistory()
      s.orderHistory()
    },
  },
  {
    rule: 'B5',
    name: 'on the way down the nearer level fires first, and what a full close ended does not fire',
    looks: ['status', 'errorCode', 'id', 'length', 'totalCount', 'realizedPnl', 'margin'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('far', { type: 'stop', triggerPrice: n('93'), amount: n('60') })
      s.close('near', { type: 'stop', triggerPrice: n('97'), amount: n('60') })
      s.place('between', { type: 'limit', triggerPrice: n('95'), amount: n('100') })
      s.tick('92')
      s.orderHistory()
      s.positions('after')
    },
  },
  {
    rule: 'B6',
    name: 'what a tick creates is first looked at on the next tick',
    looks: ['status', 'length', 'type', 'totalCount'],
    script: (s) => {
      s.place('entry', { type: 'stop_market', triggerPrice: n('105'), takeTriggerPrice: n('106') })
      s.tick('107')
      s.orders()
      s.tick('107')
      s.orders('then')
      s.orderHistory()
    },
  },
  {
    rule: 'B7',
    name: 'without a price, and with one of its full age, nothing is placed',
    looks: ['status', 'error'],
    stage: { market: { maxPriceAgeMs: 10_000 } },
    script: (s) => {
      s.list('2', { indexPrice: null })
      s.buy('never', { marketId: '{market2}' })
      s.wait(9_999)
      s.buy('fresh')
      s.wait(1)
      s.buy('stale')
      s.positions()
      s.margin('withdrawn', `-${n('1')}`)
      s.margin('added', n('1'))
    },
  },
  {
    rule: 'B8',
    name: 'an order above the depth of the market ends with its code, one at the depth fills',
    looks: ['status', 'errorCode'],
    stage: { market: { maxOrderNotional: n('10000') } },
    script: (s) => {
      s.buy('atDepth')
      s.buy('above', { amount: n('1000.000000001') })
    },
  },
  {
    rule: 'C1',
    name: 'an order by amount spends it: fee on amount times leverage, the rest is margin',
    looks: [...SIZES, 'fee', 'feeInEvent', 'feeRate', 'amount'],
    stage: { market: FEE },
    script: (s) => {
      s.buy('buy', { amount: n('333.333333333'), leverage: n('7') })
      s.positions()
      s.buy('sell', { amount: n('333.333333333'), leverage: n('7'), direction: 'short' })
      s.positions('both')
      s.buy('nothing', { amount: '1', leverage: n('1') })
    },
  },
  {
    rule: 'C2',
    name: 'an order by size spends what it needs of its reserve, and fails where that is too little',
    looks: [...SIZES, 'fee', 'feeInEvent', 'amount', 'reservedAmount', 'baseSize', 'status', 'errorCode'],
    stage: { market: FEE },
    script: (s) => {
      s.buy('buy', { sizeMode: 'base', baseSize: n('3.333333333'), leverage: n('7'), amount: n('100') })
      s.positions()
      s.buy('sell', {
        ...{ sizeMode: 'base', baseSize: n('3.333333333'), leverage: n('7'), amount: n('100') },
        direction: 'short',
      })
      s.positions('both')
      s.buy('poor', { sizeMode: 'base', baseSize: n('3.333333333'), leverage: n('7'), amount: n('46') })
      s.risk()
    },
  },
  {
    rule: 'C3',
    name: 'the expected amount bounds the size: from below for a long, from above for a short',
    looks: ['status', 'errorCode'],
    script: (s) => {
      s.buy('exactly', { expectedAmount: n('100') })
      s.buy('more', { expectedAmount: n('100.000000001') })
      s.buy('exactlyShort', { direction: 'short', expectedAmount: n('100') })
      s.buy('lessShort', { direction: 'short', expectedAmount: n('99.999999999') })
      s.buy('unchecked', { expectedAmount: '0' })
    },
  },
  {
    rule: 'C4',
    name: 'an increase below the least notional ends with its code, a close of dust does not',
    looks: ['status', 'errorCode'],
    stage: { market: { minNotional: n('100'), maxOrderNotional: n('50') } },
    script: (s) => {
      s.buy('below', { amount: n('9.9') })
      s.operate({ type: 'configureMarket', market: { id: '{market}', maxOrderNotional: null } })
      s.buy('at', { amount: n('10') })
      s.positions()
      s.close('dust', { amount: '1' })
    },
  },
  {
    rule: 'C5',
    name: 'the open notional of a direction is bounded over all accounts, when placed and when filled',
    looks: ['status', 'error', 'errorCode'],
    stage: { market: { maxOpenNotionalLong: n('15000') } },
    script: (s) => {
      s.open('2')
      s.buy('first')
      s.place('resting', { type: 'limit', triggerPrice: n('95'), amount: n('500') })
      s.buy('otherAccount', { accountId: '{account2}', amount: n('500.1') })
      s.buy('fits', { accountId: '{account2}', amount: n('500') })
      s.buy('short', { direction: 'short' })
      s.tick('95')
      s.orderHistory()
    },
  },
  {
    rule: 'C6',
    name: 'increases add up',
    looks: [...SIZES, 'version', 'eventName', 'fee'],
    script: (s) => {
      s.buy('first')
      s.tick('103')
      s.buy('second', { amount: n('700'), leverage: n('3') })
      s.positions()
    },
  },
  {
    rule: 'C7',
    name: 'a close realizes its share of the cost, the last one what is left',
    looks: [...SIZES, ...RAW],
    stage: { market: { indexPrice: n('97.123456789') } },
    script: (s) => {
      s.buy('buy', { amount: n('333.333333333'), leverage: n('7') })
      s.positions()
      s.wait(60_000)
      s.tick('99.987654321')
      s.close('third', { amount: n('7.777777777') })
      s.positions('left')
      s.close('rest')
      s.positionHistory()
      s.buy('sell', { direction: 'short', amount: n('333.333333333'), leverage: n('7') })
      s.positions()
      s.tick('101.123456789')
      s.close('shortPart', { direction: 'short', amount: n('7.777777777') })
      s.close('shortRest', { direction: 'short' })
      s.positionHistory('shorts')
    },
  },
  {
    rule: 'C8',
    name: 'a close pays the fee on what it exchanges',
    looks: ['fee', 'feeInEvent'],
    stage: { market: FEE },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('95')
      s.close('part', { amount: n('12.345678901') })
      s.close('rest')
      s.positionHistory()
      s.events()
    },
  },
  {
    rule: 'C9',
    name: 'a partial close releases its share of the margin; a loss beyond it comes out of the rest',
    looks: ['margin', 'freeBalance', 'currentBalance'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(60_000)
      s.tick('104')
      s.close('gain', { amount: n('33.333333333') })
      s.positions('afterGain')
      s.risk()
      s.margin('added', n('500'))
      s.tick('91')
      s.close('loss', { amount: n('50') })
      s.positions('afterLoss')
      s.risk('riskAfterLoss')
    },
  },
  {
    rule: 'C10',
    name: 'a jump beyond the margin costs the margin and no more',
    looks: ['exchangedQuote', 'freeBalance', 'currentBalance', ...RAW],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('70')
      s.positionHistory()
      s.risk()
    },
  },
  {
    rule: 'C11',
    name: 'balance and equity are what the account holds, reserves counted',
    looks: ['currentEquity', 'currentBalance', 'freeBalance', 'accountBalance'],
    script: (s) => {
      s.buy('buy')
      s.place('limit', { type: 'limit', triggerPrice: n('90'), amount: n('250') })
      s.tick('98.765432109')
      s.risk()
      s.accounts()
    },
  },
  {
    rule: 'C12',
    name: 'the return on equity counts all margin ever put up',
    looks: ['roe'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.margin('added', n('500'))
      s.margin('withdrawn', `-${n('300')}`)
      s.wait(60_000)
      s.tick('103.3')
      s.close('part', { amount: n('40') })
      s.positions('after')
    },
  },
  {
    rule: 'C13',
    name: 'the records have their fields, versions count events, what has ended holds nothing',
    looks: [
      ...['version', 'openedAt', 'lastUpdatedAt', 'closedAt', 'holdingTimeMs', 'createdAt'],
      ...['size', 'notional', 'margin', 'exchangedBase', 'eventName', 'scalpingCoefficient', 'closeReason'],
      'profitAdjustmentApplied',
    ],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(1_234)
      s.margin('added', n('5'))
      s.wait(1_000)
      s.close('close')
      s.positionHistory()
      s.events()
    },
  },
  {
    rule: 'D1',
    name: 'at 59,999 ms profit is capped, at 60,000 ms it is not',
    looks: PROFIT,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('110')
      s.wait(59_999)
      s.close('inside', { amount: n('10') })
      s.wait(1)
      s.close('outside', { amount: n('10') })
      s.events()
    },
  },
  {
    rule: 'D2',
    name: 'inside the first minute the spread may be earned back and nothing more',
    looks: PROFIT,
    stage: { market: { spread: n('0.001') } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('100.1')
      s.close('alittle', { amount: n('10') })
      s.tick('110')
      s.close('much')
      s.positionHistory()
    },
  },
  {
    rule: 'D3',
    name: 'dust added inside the minute does not lift the cap, an increase after it does',
    looks: PROFIT,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(10_000)
      s.tick('105')
      s.buy('dust', { amount: n('1') })
      s.close('capped', { amount: n('10') })
      s.wait(60_000)
      s.buy('later', { amount: n('1') })
      s.close('raised', { amount: n('10') })
      s.events()
    },
  },
  {
    rule: 'D4',
    name: 'partial closes share the cap',
    looks: PROFIT,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(60_000)
      s.tick('105')
      s.buy('more', { amount: n('100') })
      s.tick('108')
      s.close('third', { amount: n('33.333333333') })
      s.close('half', { amount: n('30') })
      s.close('rest')
      s.events()
    },
  },
  {
    rule: 'D5',
    name: 'a position that was down when it grew realizes at best that loss for a minute',
    looks: PROFIT,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(60_000)
      s.tick('95')
      s.buy('more', { amount: n('100') })
      s.tick('104')
      s.close('close')
      s.events()
    },
  },
  {
    rule: 'D6',
    name: 'a take-profit and a close by the platform are capped too',
    looks: PROFIT,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('take', { type: 'take', triggerPrice: n('105'), amount: n('10') })
      s.tick('106')
      s.operate({ type: 'forceClosePosition', positionId: '{p.0.idx}' })
      s.events()
    },
  },
  {
    rule: 'D7',
    name: 'equity counts capped profit inside the minute',
    looks: ['currentEquity'],
    script: (s) => {
      s.buy('buy')
      s.tick('105')
      s.risk()
      s.wait(60_000)
      s.risk('later')
    },
  },
  {
    rule: 'D8',
    name: 'the flag says that the cap bound, the raw fields carry the raw pnl, margin changes do not matter',
    looks: ['profitAdjustmentApplied', 'rawPnlInEvent', 'rawRealizedPnl', 'pnlInEvent', 'realizedPnl'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('99')
      s.close('loss', { amount: n('10') })
      s.wait(59_000)
      s.margin('added', n('5'))
      s.tick('104')
      s.close('capped', { amount: n('10') })
      s.wait(1_000)
      s.close('free', { amount: n('10') })
      s.events()
    },
  },
  ...['long', 'short'].map(
    (direction): Case => ({
      rule: 'E1',
      name: `a ${direction} is liquidated at its liquidation price and not one unit before`,
      looks: ['status', 'length', 'eventName', 'totalCount'],
      stage: { market: { maintenanceMarginRate: n('0.004') } },
      script: (s) => {
        s.buy('buy', { direction })
        // ⌈9,000 / (100 · 0.996)⌉ and ⌊11,000 / (100 · 1.004)⌋
        s.tick(direction === 'long' ? '90.361445785' : '109.561752987')
        s.positions('before')
        s.tick(direction === 'long' ? '90.361445784' : '109.561752988')
        s.positions('at')
        s.positionHistory()
      },
    }),
  ),
  {
    rule: 'E2',
    name: 'a liquidation takes the whole position and pays nothing out',
    looks: ['feeInEvent', 'fee', 'status', 'margin', 'size', 'freeBalance', 'pnlInEvent'],
    stage: { market: { maintenanceMarginRate: n('0.005') } },
    script: (s) => {
      s.buy('buy')
      s.tick('90.4')
      s.positionHistory()
      s.risk()
    },
  },
  {
    rule: 'E3',
    name: 'a liquidation is an executed order of its own type',
    looks: [
      'type',
      'status',
      'amount',
      'triggerPrice',
      'limitPrice',
      'leverage',
      'positionId',
      'closeReason',
      'totalCount',
    ],
    stage: { market: { maintenanceMarginRate: n('0.005') } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('90.4')
      s.orderHistory()
      s.events()
    },
  },
  {
    rule: 'E4',
    name: 'funding falls on the instants: longs pay, shorts receive, who opens at the instant does not',
    looks: ['funding', 'fundingInEvent', 'eventName', 'version'],
    stage: { market: { fundingRate: n('0.000333333'), fundingIntervalMs: 3_600_000 } },
    script: (s) => {
      s.buy('buy', { amount: n('333.333333333'), leverage: n('7') })
      s.buy('sell', { direction: 'short', amount: n('333.333333333'), leverage: n('7') })
      s.tick('101.234567891')
      s.wait('{until 3600000 -1}')
      s.positions('before')
      s.wait(1)
      s.positions('at')
      s.open('2')
      s.buy('atTheInstant', { accountId: '{account2}' })
      s.wait(1)
      s.get('new', '/positions/{account2}/active')
      s.wait('{until 3600000 0}')
      s.positions('next')
    },
  },
  {
    rule: 'E5',
    name: 'funding comes out of the margin alone, and may liquidate',
    looks: ['margin', 'freeBalance', 'status', 'length', 'notional', 'size', 'pnl', 'roe'],
    stage: { market: { fundingRate: n('0.02'), fundingIntervalMs: 3_600_000 } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait('{until 3600000 0}')
      s.positions('after')
      s.risk()
      for (let hour = 0; hour < 5; hour += 1) s.wait('{until 3600000 0}')
      s.positions('gone')
      s.positionHistory()
    },
  },
  {
    rule: 'E6',
    name: 'margin goes in as far as there is free balance, and out as far as the position stands',
    looks: ['status', 'error', 'margin', 'version', 'eventName', 'freeBalance'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.margin('tooMuch', n('9000.000000001'))
      s.margin('added', n('9000'))
      s.margin('nothing', '0')
      s.margin('back', `-${n('9000')}`)
      s.margin('all', `-${n('1000')}`)
      s.tick('101')
      s.margin('unliquidatable', `-${n('999.999999999')}`)
      s.risk()
    },
  },
]
