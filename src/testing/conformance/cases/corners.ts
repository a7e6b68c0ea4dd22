// Where rules meet (A5, B3, I16 and J).
import type { Case } from '../case.ts'
import { n } from '../script.ts'

const REFUSAL = ['status', 'error']

export const CORNERS: readonly Case[] = [
  {
    rule: 'A5',
    name: 'instants carry milliseconds and Z, and a window is over at its end',
    looks: [
      'createdAt',
      'openedAt',
      'lastUpdatedAt',
      'closedAt',
      'nextDayAt',
      'scalpingCoefficient',
      'error',
    ],
    stage: { market: { scalpingWindowMs: 5_000, scalpingCoefficient: n('2'), maxPriceAgeMs: 5_000 } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(4_999)
      s.close('inside', { amount: n('1') })
      s.wait(1)
      s.close('stale', { amount: n('1') })
      s.tick('100')
      s.close('outside')
      s.positionHistory()
      s.risk()
    },
  },
  {
    rule: 'B3',
    name: 'triggers are checked against the last tick',
    looks: REFUSAL,
    script: (s) => {
      s.tick('95')
      s.place('above', { type: 'limit', triggerPrice: n('97') })
      s.tick('98')
      s.place('below', { type: 'limit', triggerPrice: n('97') })
      s.edit('edited', '{below.id}', { triggerPrice: n('98.000000001') })
    },
  },
  {
    rule: 'I16',
    name: 'an error has its fields and no others',
    looks: ['statusCode', 'leverage', 'minLeverage', 'maxLeverage', 'details', 'bucket', 'limit', 'retryAt'],
    script: (s) => {
      s.buy('leverage', { leverage: n('101') })
      s.buy('field', { stray: 1 })
      s.buy('balance', { amount: n('10001') })
      s.get('account', '/positions/{unknown}/active')
    },
  },
  {
    rule: 'J6',
    name: 'a tick of a paused market fails nobody',
    looks: [...REFUSAL, 'length', 'currentEquity'],
    stage: { account: { maxTotalLoss: n('0.05') } },
    script: (s) => {
      s.buy('buy')
      s.operate({ type: 'setMarketStatus', marketId: '{market}', status: 'paused' })
      s.tick('92')
      s.accounts()
      s.risk()
      s.operate({ type: 'setMarketStatus', marketId: '{market}', status: 'open' })
      s.accounts('reopened')
      s.tick('92')
      s.accounts('failed')
    },
  },
  {
    rule: 'J7',
    name: 'a soft freeze thaws at midnight',
    looks: [...REFUSAL, 'dayStartEquity', 'closeReason'],
    stage: { account: { maxDailyLoss: n('0.05'), dailyBreach: 'freeze' } },
    script: (s) => {
      s.buy('buy')
      s.tick('94')
      s.accounts('frozen')
      s.buy('refused')
      s.wait('{until 86400000 -1}')
      s.accounts('still')
      s.wait(1)
      s.accounts('thawed')
      s.risk()
    },
  },
  {
    rule: 'J9',
    name: 'limits of one are no limits',
    looks: [...REFUSAL],
    script: (s) => {
      s.buy('buy', { amount: n('10000') })
      s.tick('89')
      s.accounts()
    },
  },
  {
    rule: 'J13',
    name: 'a finished day that earned half a percent counts, the running one does not',
    looks: ['profitableDays', 'maxPeriodDailyEquityDelta'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(60_000)
      s.tick('100.5')
      s.close('close')
      s.accounts('running')
      s.wait('{until 86400000 0}')
      s.accounts()
    },
  },
  {
    rule: 'J17',
    name: 'after a close by the platform feeRate is the rate charged then, after a liquidation the rate before',
    looks: ['feeRate'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.buy('short', { direction: 'short' })
      s.operate({ type: 'configureMarket', market: { id: '{market}', feeRate: n('0.002') } })
      s.operate({ type: 'forceClosePosition', positionId: '{p.0.idx}' })
      s.tick('110')
      s.positionHistory()
    },
  },
  {
    rule: 'J18',
    name: 'a stop-loss that its least distance pushes beyond the coming liquidation price is refused',
    looks: REFUSAL,
    stage: { market: { minStopDistance: n('0.1') } },
    script: (s) => {
      s.buy('at', { stopTriggerPrice: n('99') })
      s.buy('beyond', {
        stopTriggerPrice: n('99'),
        leverage: n('11'),
        direction: 'long',
        accountId: '{account}',
      })
      s.buy('short', { stopTriggerPrice: n('101'), leverage: n('11'), direction: 'short' })
    },
  },
  {
    rule: 'J19',
    name: 'without a stop-limit price its own code is the answer',
    looks: REFUSAL,
    script: (s) => {
      const order = { type: 'stop_limit', triggerPrice: n('105'), stopTriggerPrice: n('104') }
      s.place('zero', { ...order, stopLimitPrice: '0' })
      s.place('negative', { ...order, stopLimitPrice: '-1' })
      s.place('there', { ...order, stopLimitPrice: n('103') })
    },
  },
  {
    rule: 'J20',
    name: 'a trail below zero reads 0 and never fires',
    looks: ['triggerPrice', 'status', 'length'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('trail', { type: 'trailing_stop', trailingStopOffset: n('100') })
      s.tick('91')
      s.orders()
    },
  },
  {
    rule: 'J22',
    name: 'an expected amount in the edit of a close is not set',
    looks: [...REFUSAL, 'id', 'length'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.edit('nothing', '{stop.id}', { expectedAmount: n('5') })
      s.orders()
    },
  },
  {
    rule: 'J23',
    name: 'a base size needs its amount, be it the present one',
    looks: [...REFUSAL, 'baseSize', 'reservedAmount'],
    script: (s) => {
      const sized = { sizeMode: 'base', baseSize: n('1'), amount: n('100') }
      s.place('order', { type: 'limit', triggerPrice: n('90'), ...sized })
      s.edit('alone', '{order.id}', { baseSize: n('1') })
      s.edit('both', '{order.id}', { baseSize: n('2'), amount: n('200') })
    },
  },
  {
    rule: 'J27',
    name: 'a base size on a close asks for its amount first',
    looks: REFUSAL,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.edit('alone', '{stop.id}', { baseSize: n('1') })
      s.edit('both', '{stop.id}', { baseSize: n('1'), amount: n('1') })
    },
  },
  {
    rule: 'J30',
    name: 'time in one go runs every instant on the way',
    looks: ['version', 'funding', 'fundingInEvent', 'margin', 'lastUpdatedAt'],
    stage: { market: { fundingRate: n('0.0001'), fundingIntervalMs: 3_600_000 } },
    script: (s) => {
      s.buy('buy')
      s.wait(4 * 3_600_000)
      s.positions()
    },
  },
  {
    rule: 'J32',
    name: 'on an unloaded account an order that has ended is account_not_loaded too',
    looks: REFUSAL,
    script: (s) => {
      s.place('order', { type: 'limit', triggerPrice: n('90') })
      s.cancel('cancel', '{order.id}')
      s.operate({ type: 'setAccountLoaded', accountId: '{account}', loaded: false })
      s.cancel('again', '{order.id}')
    },
  },
]
