// Market states, accounts, phases and drawdown, and the corners between them (G, H, J, K2).
import type { Case } from '../case.ts'
import { n } from '../script.ts'

const REFUSAL = ['status', 'error']
const FATE = [...REFUSAL, 'errorCode', 'length', 'totalCount', 'reason', 'closeReason', 'eventName']
const stop = (reason: string) => ({ type: 'stopAccount', accountId: '{account}', reason })
const status = (to: string) => ({ type: 'setMarketStatus', marketId: '{market}', status: to })
const ACTIVE = ['status', 'error', 'ok', 'currentPhase', 'length']

export const PLATFORM: readonly Case[] = [
  {
    rule: 'G1',
    name: 'paused, nothing is accepted and nothing fires; the next tick walks from the price before',
    looks: FATE,
    stage: { market: { fundingRate: n('0.001'), fundingIntervalMs: 3_600_000 } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.operate(status('paused'))
      s.buy('refused')
      s.edit('edited', '{stop.id}', { triggerPrice: n('96') })
      s.margin('margin', n('1'))
      s.tick('85')
      s.wait('{until 3600000 0}')
      s.orders()
      s.positions('still')
      s.operate(status('open'))
      s.positions('reopened')
      s.tick('85')
      s.orderHistory()
      s.positionHistory()
    },
  },
  {
    rule: 'G2',
    name: 'close-only takes a close at market alone; entries that fire fail, closes fire',
    looks: FATE,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('95') })
      s.close('resting', { type: 'take', triggerPrice: n('104'), amount: n('10') })
      s.operate(status('close_only'))
      s.buy('refused')
      s.close('stop', { type: 'stop', triggerPrice: n('95') })
      s.edit('edited', '{entry.id}', { triggerPrice: n('94') })
      s.margin('margin', n('1'))
      s.close('now', { amount: n('10') })
      s.tick('105')
      s.tick('94')
      s.orderHistory()
    },
  },
  {
    rule: 'G3',
    name: 'a weekly session close ends all on its market and says so, or spares low leverage',
    looks: FATE,
    stage: { market: { category: 'rwa', weekendMaxLeverage: n('4') } },
    script: (s) => {
      s.open('2')
      s.buy('high')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('95') })
      s.buy('low', { accountId: '{account2}', leverage: n('4') })
      const close = { type: 'weeklySessionRiskClose', marketId: '{market}' }
      s.operate(close)
      s.positionHistory()
      s.orders()
      s.get('spared', '/positions/{account2}/active')
      s.operate({ type: 'configureMarket', market: { id: '{market}', weekendMaxLeverage: null } })
      s.operate(close)
      s.get('gone', '/positions/{account2}/active')
      s.orderHistory()
    },
  },
  {
    rule: 'G4',
    name: 'an account trades its categories alone; paused is said before, close-only after',
    looks: REFUSAL,
    stage: { market: { category: 'rwa' }, account: { allowedCategories: ['crypto'] } },
    script: (s) => {
      s.buy('refused')
      s.operate(status('close_only'))
      s.buy('closeOnly')
      s.operate(status('paused'))
      s.buy('paused')
      s.markets()
    },
  },
  {
    rule: 'G5',
    name: 'tickers are matched to the letter; the list shows price, bounds and switches',
    looks: [
      ...[...REFUSAL, 'indexPrice', 'baseAsset', 'ticker', 'minLeverage', 'maxLeverage', 'feeRate', 'spread'],
      ...['isPaused', 'isCloseOnly', 'updatedAt', 'fundingRate', 'nextFundingAt', 'category', 'length'],
    ],
    stage: { account: { maxLeverage: n('25') } },
    script: (s) => {
      s.list('2', { indexPrice: null, maxLeverage: n('20') })
      s.operate({ type: 'setMarketStatus', marketId: '{market2}', status: 'close_only' })
      s.markets()
      s.wait(1_000)
      s.tick('101')
      s.markets('later')
      s.get('lower', '/orders/{account}/c{asset}/active')
      s.get('exact', '/orders/{account}/{asset}/active')
    },
  },
  {
    rule: 'H1',
    name: 'only an active account with a phase trades',
    looks: REFUSAL,
    stage: { account: { phase: null } },
    script: (s) => {
      s.buy('noPhase')
      s.open('2', { status: 'frozen' })
      s.buy('frozen', { accountId: '{account2}' })
      s.open('3', { status: 'failed', phase: null })
      s.buy('failed', { accountId: '{account3}' })
    },
  },
  ...['freeze', 'fail', 'manual', 'promote'].map(
    (reason): Case => ({
      rule: 'H2',
      name: `a stop (${reason}) cancels every order, closes every position, and says why`,
      looks: [...FATE, 'currentPhase'],
      script: (s) => {
        s.buy('buy', { stopTriggerPrice: n('95') })
        s.positions()
        s.place('entry', { type: 'limit', triggerPrice: n('92') })
        s.operate(stop(reason))
        s.get('gone', '/positions/{account}/active')
        s.orders()
        s.orderHistory()
        s.positionHistory()
        s.events()
        s.buy('after')
        s.accounts()
      },
    }),
  ),
  {
    rule: 'H2',
    name: 'a position closed by the platform alone says force_close, its orders too',
    looks: FATE,
    script: (s) => {
      s.buy('buy', { stopTriggerPrice: n('95') })
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.operate({ type: 'forceClosePosition', positionId: '{p.0.idx}' })
      s.orders()
      s.orderHistory()
      s.events()
    },
  },
  {
    rule: 'H3',
    name: 'orders and positions of a finished phase are gone',
    looks: [...FATE, 'totalCount'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.operate(stop('promote'))
      s.events()
      s.cancel('old', '{entry.id}')
      s.margin('margin', n('1'))
      s.get('portfolio', '/positions/{account}/portfolio/history')
      s.orderHistory()
    },
  },
  {
    rule: 'H4',
    name: 'the capital lock refuses increases, growing reserves and margin changes, nothing else',
    looks: REFUSAL,
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.operate({ type: 'setAccountLock', accountId: '{account}', locked: true })
      s.buy('refused')
      s.margin('none', '0')
      s.edit('grown', '{entry.id}', { amount: n('1001') })
      s.edit('shrunk', '{entry.id}', { amount: n('999') })
      s.close('close', { amount: n('10') })
    },
  },
  {
    rule: 'H5',
    name: 'equity below the daily floor ends the account, equity at it does not; midnight moves it',
    looks: [...ACTIVE, 'dailyLossFloor', 'dailyLossRemaining', 'dayStartEquity', 'closeReason', 'nextDayAt'],
    stage: { account: { maxDailyLoss: n('0.05') } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('96')
      s.wait('{until 86400000 0}')
      s.risk()
      s.tick('91.2')
      s.risk('at')
      s.accounts('still')
      s.tick('91.199999999')
      s.accounts()
      s.positionHistory()
    },
  },
  {
    rule: 'H6',
    name: 'equity below the total floor fails the account, equity at it does not',
    looks: [...ACTIVE, 'totalLossFloor', 'totalLossRemaining', 'closeReason'],
    stage: { account: { maxTotalLoss: n('0.08') } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.tick('92')
      s.accounts('still')
      s.risk()
      s.tick('91.999999999')
      s.accounts()
      s.positionHistory()
    },
  },
  {
    rule: 'H7',
    name: 'a target reached flat promotes to a fresh balance, one reached with a position open does not yet',
    looks: [...ACTIVE, 'accountBalance', 'initialAccountBalance', 'currentBalance'],
    stage: { account: { profitTarget: n('0.05'), minProfitableDays: 0, autoPromote: true } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.buy('small', { direction: 'short', amount: n('1') })
      s.wait(60_000)
      s.tick('106')
      s.close('close')
      s.accounts('notFlat')
      s.closeAll('flat')
      s.accounts()
      s.risk()
    },
  },
  {
    rule: 'H8',
    name: 'the risk status has its fields, in the list and beside the id',
    looks: [
      ...[
        'currentEquity',
        'currentBalance',
        'freeBalance',
        'dayStartEquity',
        'periodStartEquity',
        'accountId',
      ],
      ...['maxPeriodDailyEquityDelta', 'dailyLossFloor', 'totalLossFloor', 'dailyLossRemaining'],
      ...['totalLossRemaining', 'drawdownMode', 'nextDayAt', 'profitTarget', 'currentPhase', 'status'],
      ...[
        'maxDailyDrawdown',
        'maxTotalDrawdown',
        'profitableDays',
        'minTradingDays',
        'initialAccountBalance',
      ],
    ],
    stage: { account: { maxDailyLoss: n('0.05'), maxTotalLoss: n('0.1') } },
    script: (s) => {
      s.risk()
      s.accounts()
    },
  },
  {
    rule: 'H9',
    name: 'an unloaded account: what needs the engine is refused, the lists work',
    looks: [...REFUSAL, 'totalCount', 'length'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.close('close')
      s.operate({ type: 'setAccountLoaded', accountId: '{account}', loaded: false })
      s.buy('refused')
      s.closeAll('closeAll')
      s.get('markets', '/v2/markets?accountId={account}', { among: 'id' })
      s.risk()
      s.orders()
      s.orderHistory()
      s.positionHistory()
      s.accounts()
    },
  },
  {
    rule: 'H10',
    name: 'with the switch off every request on the account is refused, and the list leaves it out',
    looks: [...REFUSAL, 'length'],
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.operate({ type: 'setApiTrading', accountId: '{account}', enabled: false })
      s.buy('refused')
      s.cancel('cancel', '{entry.id}')
      s.orders()
      s.events()
      s.risk()
      s.accounts()
    },
  },
  {
    rule: 'J1',
    name: 'at midnight funding comes before the day',
    looks: ['dayStartEquity'],
    stage: { market: { fundingRate: n('0.001') }, account: { maxDailyLoss: n('0.05') } },
    script: (s) => {
      s.buy('buy')
      s.wait('{until 86400000 0}')
      s.risk()
    },
  },
  {
    rule: 'J2',
    name: 'shorts have a rate of their own where one is set',
    looks: ['funding', 'fundingInEvent', 'margin'],
    stage: {
      market: { fundingRate: n('0.001'), fundingRateShort: n('0.0005'), fundingIntervalMs: 3_600_000 },
    },
    script: (s) => {
      s.buy('long')
      s.buy('short', { direction: 'short' })
      s.wait('{until 3600000 0}')
      s.positions()
      s.operate({
        type: 'setFundingRate',
        marketId: '{market}',
        fundingRate: `-${n('0.002')}`,
        fundingRateShort: null,
      })
      s.wait('{until 3600000 0}')
      s.positions('mirrored')
    },
  },
  {
    rule: 'J8',
    name: 'deposits and withdrawals move the floors, and never below a free balance of 0',
    looks: [
      ...ACTIVE,
      'dailyLossFloor',
      'totalLossFloor',
      'freeBalance',
      'dayStartEquity',
      'initialAccountBalance',
    ],
    stage: { account: { maxDailyLoss: n('0.05'), maxTotalLoss: n('0.1') } },
    script: (s) => {
      s.operate({ type: 'adjustBalance', accountId: '{account}', amount: n('500') })
      s.operate({ type: 'adjustBalance', accountId: '{account}', amount: `-${n('2000')}` })
      s.risk()
      s.accounts()
      s.operate({ type: 'adjustBalance', accountId: '{account}', amount: `-${n('8500.000000001')}` })
    },
  },
  {
    rule: 'J10',
    name: 'after the last phase there is none',
    looks: ACTIVE,
    stage: { account: { phase: 'funded' } },
    script: (s) => {
      s.operate(stop('promote'))
      s.accounts()
    },
  },
  {
    rule: 'J14',
    name: 'a trailing floor follows the balance at the end of days',
    looks: ['totalLossFloor', 'totalLossRemaining', 'drawdownMode'],
    stage: { account: { maxTotalLoss: n('0.1'), drawdownMode: 'trailing_eod' } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.wait(60_000)
      s.tick('104')
      s.close('close')
      s.risk()
      s.wait('{until 86400000 0}')
      s.risk('nextDay')
    },
  },
  {
    rule: 'J15',
    name: 'who is not active is not stopped again, who is not frozen is not thawed',
    looks: ACTIVE,
    script: (s) => {
      const thaw = { type: 'unfreezeAccount', accountId: '{account}' }
      s.operate(thaw)
      s.operate(stop('freeze'))
      s.operate(stop('freeze'))
      s.operate(thaw)
      s.operate(stop('freeze'))
      s.operate(stop('manual'))
      s.operate(stop('fail'))
      s.accounts()
    },
  },
  {
    rule: 'J16',
    name: 'an account with a position or an order is not unloaded',
    looks: ACTIVE,
    script: (s) => {
      const unload = { type: 'setAccountLoaded', accountId: '{account}', loaded: false }
      s.place('entry', { type: 'limit', triggerPrice: n('92') })
      s.operate(unload)
      s.cancel('cancel', '{entry.id}')
      s.operate(unload)
      s.operate({ type: 'adjustBalance', accountId: '{account}', amount: n('1') })
    },
  },
  {
    rule: 'J26',
    name: 'floors that are off read null',
    looks: ['dailyLossFloor', 'totalLossFloor', 'dailyLossRemaining', 'totalLossRemaining'],
    script: (s) => s.risk(),
  },
  {
    rule: 'K2',
    name: 'no more orders rest than the account may have, attached ones counted',
    looks: REFUSAL,
    stage: { account: { maxActiveOrders: 2 } },
    script: (s) => {
      const limit = { type: 'limit', triggerPrice: n('92'), amount: n('10') }
      s.place('one', limit)
      s.buy('attached', { amount: n('10'), stopTriggerPrice: n('95'), takeTriggerPrice: n('110') })
      s.place('two', limit)
      s.place('three', limit)
      s.buy('plain', { amount: n('10') })
    },
  },
]
