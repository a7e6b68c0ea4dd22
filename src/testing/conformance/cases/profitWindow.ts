// Profit inside the first minute (D).
import type { Case } from '../case.ts'
import { n } from '../script.ts'

const PROFIT = ['pnl', 'pnlInEvent', 'realizedPnl', 'profitAdjustmentApplied']

export const PROFIT_WINDOW: readonly Case[] = [
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
]
