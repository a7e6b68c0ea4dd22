// What keeps a position standing: liquidation, funding, margin put in and taken out (E).
import type { Case } from '../case.ts'
import { n } from '../script.ts'

export const SOLVENCY: readonly Case[] = [
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
