// What an increase and a close cost and leave: fees, sizes, margins, balances (C).
import type { Case } from '../case.ts'
import { n } from '../script.ts'
import { RAW, SIZES } from './looks.ts'

const FEE = { feeRate: n('0.000777777'), indexPrice: n('97.123456789') }

export const FILLS: readonly Case[] = [
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
]
