// Order types and what fires them (F).
import type { Case } from '../case.ts'
import { n, type Script } from '../script.ts'

const REFUSAL = ['status', 'error']
const FATE = ['status', 'error', 'errorCode', 'length', 'totalCount', 'type', 'indexPrice']

/** A long of 100 at 100, 10x, which is liquidated at 90. */
function holding(s: Script): void {
  s.buy('buy')
  s.positions()
}

export const TRIGGERS: readonly Case[] = [
  {
    rule: 'F1',
    name: 'trigger prices on the wrong side are refused, type by type',
    looks: REFUSAL,
    script: (s) => {
      holding(s)
      s.place('limit', { type: 'limit', triggerPrice: n('100.000000001') })
      s.place('shortLimit', { type: 'limit', direction: 'short', triggerPrice: n('99.999999999') })
      s.place('stopMarket', { type: 'stop_market', triggerPrice: n('99.999999999') })
      const price = n('99.999999999')
      s.place('stopLimit', { type: 'stop_limit', triggerPrice: price, stopLimitPrice: price })
      s.close('stop', { type: 'stop', triggerPrice: n('100.000000001') })
      s.close('take', { type: 'take', triggerPrice: n('99.999999999') })
    },
  },
  {
    rule: 'F1',
    name: 'what is placed fires at its price',
    looks: FATE,
    script: (s) => {
      s.place('limit', { type: 'limit', triggerPrice: n('95') })
      s.place('stopMarket', { type: 'stop_market', triggerPrice: n('105'), direction: 'long' })
      s.place('short', { type: 'stop_market', triggerPrice: n('97'), direction: 'short' })
      s.tick('97.000000001')
      s.orders('none')
      s.tick('97')
      s.orders('short1')
      s.tick('95')
      s.tick('105')
      s.orderHistory()
    },
  },
  {
    rule: 'F2',
    name: 'equality is accepted, and a waiting order does not fill in its own call',
    looks: [...FATE, 'length'],
    script: (s) => {
      s.place('limit', { type: 'limit', triggerPrice: n('100') })
      s.place('stopMarket', { type: 'stop_market', triggerPrice: n('100') })
      s.orders()
      s.tick('100')
      s.orders('then')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('90') })
    },
  },
  {
    rule: 'F3',
    name: 'a limit fires on the price it would get, not on the index',
    looks: FATE,
    stage: { market: { spread: n('0.01'), maxLeverage: n('20') } },
    script: (s) => {
      s.place('buy', { type: 'limit', triggerPrice: n('99'), amount: n('100') })
      s.place('sell', { type: 'limit', triggerPrice: n('101'), direction: 'short', amount: n('100') })
      s.tick('98.02')
      s.positions('notYet')
      s.tick('98.01')
      s.positions('bought')
      s.tick('102.03')
      s.positions('sold')
      s.orderHistory()
    },
  },
  {
    rule: 'F4',
    name: 'a stop_limit turns into a limit of its own',
    looks: [
      ...FATE,
      'amount',
      'parentOrderId',
      'triggerPrice',
      'limitPrice',
      'stopPrice',
      'stopTriggerPrice',
    ],
    script: (s) => {
      const prices = { triggerPrice: n('105'), stopLimitPrice: n('103'), stopTriggerPrice: n('95') }
      s.place('parent', { type: 'stop_limit', ...prices })
      s.tick('106')
      s.orders('child')
      s.risk()
      s.orderHistory()
      s.tick('102')
      s.positions()
      s.orders('attached')
    },
  },
  {
    rule: 'F5',
    name: 'trigger, stop and limit price of each type',
    looks: ['triggerPrice', 'stopPrice', 'limitPrice'],
    script: (s) => {
      holding(s)
      s.place('limit', { type: 'limit', triggerPrice: n('95') })
      s.place('stopMarket', { type: 'stop_market', triggerPrice: n('105') })
      s.place('stopLimit', { type: 'stop_limit', triggerPrice: n('105'), stopLimitPrice: n('104') })
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.close('take', { type: 'take', triggerPrice: n('105') })
    },
  },
  {
    rule: 'F6',
    name: 'a trigger price on a market order and on a trailing stop is refused',
    looks: REFUSAL,
    script: (s) => {
      s.buy('zero', { triggerPrice: '0' })
      s.buy('some', { triggerPrice: n('100') })
      s.buy('none', { triggerPrice: null })
      s.positions()
      s.close('trailing', { type: 'trailing_stop', triggerPrice: n('1'), trailingStopOffset: n('1') })
      s.close('trailing0', { type: 'trailing_stop', triggerPrice: '0', trailingStopOffset: n('1') })
    },
  },
  {
    rule: 'F7',
    name: 'a take without trigger fills in its call; a stop without one rests and cannot be edited',
    looks: FATE,
    script: (s) => {
      holding(s)
      s.close('dead', { type: 'stop' })
      s.edit('edited', '{dead.id}', { triggerPrice: n('95') })
      s.edit('amount', '{dead.id}', { amount: n('1') })
      s.tick('91')
      s.orders()
      s.close('now')
      s.orders('none')
      s.orderHistory()
    },
  },
  {
    rule: 'F8',
    name: 'a trailing stop waits, trails and fires',
    looks: [
      ...FATE,
      'triggerPrice',
      'trailingStopOffset',
      'trailingStopOffsetPercent',
      'trailingStopActivationPrice',
    ],
    script: (s) => {
      holding(s)
      const waiting = { trailingStopActivationPrice: n('103'), trailingStopOffset: n('2') }
      s.close('waiting', { type: 'trailing_stop', amount: n('10'), ...waiting })
      s.close('percent', {
        type: 'trailing_stop',
        amount: n('10'),
        trailingStopOffsetPercent: n('0.033333333'),
      })
      s.tick('99')
      s.orders('still')
      s.tick('103.7')
      s.orders('trailing')
      s.tick('102')
      s.orders('kept')
      s.edit('price', '{waiting.id}', { triggerPrice: n('1') })
      s.edit('amount', '{waiting.id}', { amount: n('20') })
      s.tick('101.7')
      s.orders('one')
      s.tick('100.2')
      s.orderHistory()
    },
  },
  {
    rule: 'F9',
    name: 'a stop too near is pushed out to the least distance, and says what was asked for',
    looks: ['triggerPrice', 'requestedTriggerPrice', 'limitPrice', 'status', 'error'],
    stage: { market: { minStopDistance: n('0.012345678'), indexPrice: n('97.123456789') } },
    script: (s) => {
      holding(s)
      s.close('near', { type: 'stop', triggerPrice: n('97') })
      s.close('far', { type: 'stop', triggerPrice: n('90') })
      s.close('take', { type: 'take', triggerPrice: n('97.2') })
      s.edit('nearer', '{far.id}', { triggerPrice: n('96.9') })
      s.buy('short', { direction: 'short', stopTriggerPrice: n('97.3'), amount: n('100') })
      s.orders()
    },
  },
  {
    rule: 'F10',
    name: 'a stop beyond the liquidation price is refused, one at it is not',
    looks: REFUSAL,
    script: (s) => {
      holding(s)
      s.close('beyond', { type: 'stop', triggerPrice: n('89.999999999') })
      s.close('at', { type: 'stop', triggerPrice: n('90') })
      s.buy('sell', { direction: 'short' })
      s.positions()
      s.close('beyondShort', { type: 'stop', direction: 'short', triggerPrice: n('110.000000001') })
    },
  },
  {
    rule: 'F11',
    name: 'attached prices lie strictly on their sides of the entry',
    looks: REFUSAL,
    script: (s) => {
      const limit = { type: 'limit', triggerPrice: n('95') }
      s.place('stopAt', { ...limit, stopTriggerPrice: n('95') })
      s.place('takeAt', { ...limit, takeTriggerPrice: n('95') })
      s.place('both', { ...limit, stopTriggerPrice: n('94.999999999'), takeTriggerPrice: n('95.000000001') })
      const stopLimit = { type: 'stop_limit', triggerPrice: n('105'), stopLimitPrice: n('103') }
      s.place('between', { ...stopLimit, stopTriggerPrice: n('103') })
      s.place('below', { ...stopLimit, stopTriggerPrice: n('102.999999999') })
      const short = { type: 'limit', direction: 'short', triggerPrice: n('105') }
      s.place('shortStop', { ...short, stopTriggerPrice: n('105') })
      s.place('shortTake', { ...short, takeTriggerPrice: n('105') })
    },
  },
  {
    rule: 'F12',
    name: 'attached prices of a market order are held to the index and to the coming liquidation price',
    looks: REFUSAL,
    script: (s) => {
      s.buy('stopAbove', { stopTriggerPrice: n('100.000000001') })
      s.buy('takeBelow', { takeTriggerPrice: n('99.999999999') })
      s.buy('beyond', { stopTriggerPrice: n('89.999999999') })
      s.buy('at', { stopTriggerPrice: n('90'), takeTriggerPrice: n('100') })
      s.buy('shortBeyond', { direction: 'short', stopTriggerPrice: n('110.000000001') })
    },
  },
  {
    rule: 'F13',
    name: 'attached orders come with the fill, on its position and from its order',
    looks: ['parentOrderId', 'positionId', 'amount', 'createdAt', 'type', 'status', 'length', 'triggerPrice'],
    script: (s) => {
      s.buy('buy', { stopTriggerPrice: n('95'), takeTriggerPrice: n('110') })
      s.positions()
      s.orders()
    },
  },
  {
    rule: 'F14',
    name: 'an attached order keeps its amount, and closes all where that is more',
    looks: ['amount', 'status', 'exchangedBase', 'length'],
    script: (s) => {
      s.buy('buy', { stopTriggerPrice: n('95') })
      s.positions()
      s.close('part', { amount: n('30') })
      s.buy('more', { amount: n('10') })
      s.orders()
      s.tick('94')
      s.positionHistory()
      s.positions('after')
    },
  },
  {
    rule: 'F15',
    name: 'the stop that closes a part leaves the take resting',
    looks: ['status', 'length'],
    script: (s) => {
      s.buy('buy', { stopTriggerPrice: n('95'), takeTriggerPrice: n('110') })
      s.buy('more', { amount: n('10') })
      s.tick('94')
      s.orders()
      s.positions()
    },
  },
  {
    rule: 'F16',
    name: 'a position that goes away takes its closes along and leaves the entries',
    looks: ['status', 'reason', 'length', 'totalCount', 'idx'],
    script: (s) => {
      s.buy('buy', { stopTriggerPrice: n('95'), takeTriggerPrice: n('110') })
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.close('now')
      s.orders()
      s.orderHistory()
      s.buy('again')
      s.positions('another')
    },
  },
  {
    rule: 'F18',
    name: 'each increase has its own leverage',
    looks: ['leverage', 'margin', 'notional', 'status'],
    script: (s) => {
      s.buy('ten')
      s.buy('two', { leverage: n('2') })
      s.positions()
      s.tick('90')
      s.positions('alive')
      s.tick('83')
      s.positions('gone')
    },
  },
]
