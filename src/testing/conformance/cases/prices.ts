// Execution prices, and in which order a tick makes orders fire (B).
import type { Case } from '../case.ts'
import { n } from '../script.ts'
import { RAW, SIZES } from './looks.ts'

export const PRICES: readonly Case[] = [
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
]
