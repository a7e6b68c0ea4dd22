// What the interface answers, and in which order it looks (I).
import { MALFORMED, malformedOrder } from '../../aim/malformed.ts'
import type { Case } from '../case.ts'
import type { Step } from '../exchange.ts'
import { n } from '../script.ts'

const REFUSAL = ['status', 'error']
const LIST = ['length', 'totalCount', 'id', 'idx', 'status', 'error', 'type']
const as = (asker: Step['as'], more: Partial<Step> = {}): Partial<Step> => ({ as: asker, ...more })
const key = (idempotencyKey: string) => ({ headers: { 'x-idempotency-key': idempotencyKey } })

/** The bodies of the shapes that are wrong in one way each; ten writes at most are asked of one case. */
const MALFORMED_BODIES = MALFORMED.map((wrong) => {
  const target = { accountId: '{account}', marketId: '{market}', direction: 'long' } as const
  const { type: _, orderType, ...fields } = malformedOrder(wrong, target)
  const texts = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'bigint' ? String(value) : value,
  ])
  return { ...Object.fromEntries(texts), type: orderType } as Record<string, unknown>
})

const CHUNK = 8

export const INTERFACE: readonly Case[] = [
  {
    rule: 'I1',
    name: 'of two faults the one that is looked at first is answered',
    looks: REFUSAL,
    strangers: true,
    stage: { account: { balance: n('100') } },
    script: (s) => {
      s.open('2', { userId: '{other}' })
      s.open('3', { status: 'frozen', phase: null })
      s.open('4', { apiTrading: false, loaded: false })
      s.buy('shapeFirst', { amount: '0', accountId: '{unknown}' })
      s.buy('accountFirst', { accountId: '{unknown}', marketId: '{unknown2}' })
      s.buy('ownerFirst', { accountId: '{account2}', marketId: '{unknown2}' })
      s.buy('switchFirst', { accountId: '{account4}' })
      s.buy('marketFirst', { marketId: '{unknown2}', leverage: '0' })
      s.buy('leverageFirst', { accountId: '{account3}', leverage: '0' })
      s.buy('statusFirst', { accountId: '{account3}' })
      s.buy('balanceFirst', { stopTriggerPrice: n('200') })
    },
  },
  {
    rule: 'I1',
    name: 'market, position, price and trigger in their order; a refusal leaves no trace',
    looks: [...REFUSAL, 'freeBalance', 'length', 'totalCount'],
    stage: { market: { maxPriceAgeMs: 10_000, maxOpenNotionalLong: n('100') } },
    script: (s) => {
      s.wait(10_000)
      s.close('positionFirst', { type: 'stop', triggerPrice: n('200'), positionId: '{unknown}' })
      s.place('priceFirst', { type: 'limit', triggerPrice: n('200') })
      s.tick('100')
      s.place('triggerFirst', { type: 'limit', triggerPrice: n('200') })
      s.place('notional', { type: 'limit', triggerPrice: n('90') })
      s.operate({ type: 'setMarketStatus', marketId: '{market}', status: 'close_only' })
      s.close('marketFirst', { type: 'stop', triggerPrice: n('200'), positionId: '{unknown}' })
      s.orders()
      s.orderHistory()
      s.risk()
    },
  },
  {
    rule: 'I1',
    name: 'leverage has a least and a highest, and the answer says which',
    looks: [...REFUSAL, 'leverage', 'minLeverage', 'maxLeverage'],
    stage: { market: { minLeverage: n('2'), maxLeverage: n('50') }, account: { maxLeverage: n('20') } },
    script: (s) => {
      s.buy('below', { leverage: n('1.999999999') })
      s.buy('least', { leverage: n('2'), amount: n('10') })
      s.buy('highest', { leverage: n('20'), amount: n('10') })
      s.buy('above', { leverage: n('20.000000001') })
    },
  },
  ...Array.from(
    { length: Math.ceil(MALFORMED_BODIES.length / CHUNK) },
    (_, chunk): Case => ({
      rule: 'I2',
      name: `orders of a wrong shape are told what is wrong (${chunk + 1})`,
      looks: REFUSAL,
      script: (s) => {
        for (const [at, body] of MALFORMED_BODIES.slice(chunk * CHUNK, (chunk + 1) * CHUNK).entries())
          s.send(`malformed${at}`, 'POST', '/orders', body)
      },
    }),
  ),
  {
    rule: 'I2',
    name: 'of two faults of the shape the one listed first is answered',
    looks: REFUSAL,
    script: (s) => {
      s.place('sizeFirst', { type: 'limit', amount: '0', leverage: null })
      s.place('leverageFirst', { type: 'limit', leverage: null })
      s.place('triggerFirst', { type: 'limit', stopTriggerPrice: '-1' })
      s.place('attachedFirst', { type: 'stop_limit', triggerPrice: n('100'), stopTriggerPrice: '-1' })
      const trailing = { type: 'trailing_stop', positionId: null, triggerPrice: null }
      s.close('offsetFirst', trailing)
      s.close('conflictFirst', { ...trailing, trailingStopOffset: '-1', trailingStopOffsetPercent: '-1' })
    },
  },
  {
    rule: 'I3',
    name: 'an edit replaces the order in one step',
    looks: [
      ...LIST,
      'triggerPrice',
      'amount',
      'createdAt',
      'freeBalance',
      'parentOrderId',
      'stopTriggerPrice',
    ],
    script: (s) => {
      s.place('order', { type: 'limit', triggerPrice: n('90'), stopTriggerPrice: n('80') })
      s.wait(500)
      s.edit('nothing', '{order.id}', {})
      s.edit('same', '{order.id}', { triggerPrice: n('90') })
      s.edit('moved', '{same.id}', { triggerPrice: n('91'), amount: n('1500') })
      s.edit('late', '{order.id}', { amount: n('1') })
      s.orders()
      s.orderHistory()
      s.risk()
    },
  },
  {
    rule: 'I3',
    name: 'edits are refused in their order',
    looks: REFUSAL,
    script: (s) => {
      s.place('order', { type: 'limit', triggerPrice: n('90') })
      s.edit('unknown', '{unknown}', { amount: n('1') })
      s.edit('reset', '{order.id}', { triggerPrice: '0' })
      s.edit('negative', '{order.id}', { triggerPrice: '-1' })
      s.edit('base', '{order.id}', { baseSize: n('1') })
      s.edit('poor', '{order.id}', { amount: n('10000.000000001') })
      s.edit('side', '{order.id}', { triggerPrice: n('101') })
      s.edit('stray', '{order.id}', { leverage: n('2') })
      s.edit('tooSmall', '{order.id}', { amount: '0' })
    },
  },
  {
    rule: 'I4',
    name: 'a key acts once an hour, whatever the body; a refusal does not use it up',
    looks: [...LIST, 'x-idempotency-cached', 'x-idempotency-timestamp', 'amount'],
    stage: { market: { maxPriceAgeMs: 864_000_000 } },
    script: (s) => {
      s.buy('refused', { amount: n('100000') }, key('{account}'))
      s.wait(1_500)
      s.buy('first', {}, key('{account}'))
      s.wait(3_599_999)
      s.buy('again', { amount: n('5') }, key('{account}'))
      s.send('anything', 'POST', '/orders', { not: 'an order' }, key('{account}'))
      s.wait(1)
      s.buy('anHourLater', { amount: n('5') }, key('{account}'))
      s.orderHistory()
    },
  },
  {
    rule: 'I4',
    name: 'a key is that of its user, and of orders alone',
    looks: [...LIST, 'x-idempotency-cached', 'margin'],
    strangers: true,
    script: (s) => {
      s.open('2', { userId: '{other}' })
      s.buy('first', {}, key('{account}'))
      s.buy('of another', { accountId: '{account2}', direction: 'short' }, as('other', key('{account}')))
      s.positions()
      s.margin('added', n('5'), key('{account}'))
      s.margin('added again', n('5'), key('{account}'))
      s.buy('too long', {}, key('k'.repeat(256)))
      s.buy('no key', {}, key(''))
      s.buy('no key again', {}, key(''))
    },
  },
  {
    rule: 'I5',
    name: 'the eleventh request of a second is refused, reads and writes apart',
    looks: [...REFUSAL, 'bucket', 'window', 'limit', 'retryAt', 'retry-after'],
    hurried: true,
    script: (s) => {
      s.wait(250)
      for (let request = 0; request < 11; request += 1) s.orders(`read${request}`)
      s.buy('aWrite')
      s.wait(750)
      s.orders('later')
    },
  },
  {
    rule: 'I5',
    name: 'the sixty-first request of a minute is refused to its last instant; what found nothing counts too',
    looks: [...REFUSAL, 'bucket', 'window', 'limit', 'retryAt', 'retry-after'],
    hurried: true,
    script: (s) => {
      for (let second = 0; second < 6; second += 1) {
        for (let request = 0; request < 10; request += 1) s.get('read', '/nowhere')
        s.wait(1_000)
      }
      s.orders('beyond')
      s.wait('{until 60000 -1}')
      s.orders('the last instant')
      s.wait(1)
      s.orders('the next minute')
    },
  },
  {
    rule: 'I7',
    name: 'a path that is for no key is a 403 with one and a 401 without',
    looks: REFUSAL,
    script: (s) => {
      s.get('unlisted', '/nowhere')
      s.get('session', '/user/api-keys')
      s.send('method', 'PATCH', '/orders')
      s.get('withoutKey', '/nowhere', as('nobody'))
      s.get('listedWithoutKey', '/accounts/with-risk-status', as('nobody'))
      s.get('wrongKey', '/accounts/with-risk-status', {
        ...as('nobody'),
        headers: { authorization: 'Bearer mtk_of_nobody' },
      })
    },
  },
  {
    rule: 'I8',
    name: 'an active order is cancelled in every state of market and account, and only once',
    looks: [...LIST, 'reason', 'freeBalance'],
    script: (s) => {
      s.place('one', { type: 'limit', triggerPrice: n('90') })
      s.place('two', { type: 'limit', triggerPrice: n('91') })
      s.cancel('first', '{one.id}')
      s.cancel('again', '{one.id}')
      s.cancel('unknown', '{unknown}')
      s.operate({ type: 'setMarketStatus', marketId: '{market}', status: 'paused' })
      s.cancel('paused', '{two.id}')
      s.risk()
      s.orderHistory()
    },
  },
  {
    rule: 'I9',
    name: 'close-all cancels the entries, closes every position, and tells what it could not',
    looks: [...LIST, 'positionId', 'reason', 'realizedPnl'],
    script: (s) => {
      s.list('2')
      s.buy('older', { stopTriggerPrice: n('95') })
      s.buy('newer', { marketId: '{market2}', direction: 'short' })
      s.place('entry', { type: 'limit', triggerPrice: n('90') })
      s.operate({ type: 'setMarketStatus', marketId: '{market2}', status: 'paused' })
      s.closeAll('all')
      s.orders()
      s.positions()
      s.operate({ type: 'setMarketStatus', marketId: '{market2}', status: 'open' })
      s.closeAll('rest')
      s.closeAll('flat')
    },
  },
  {
    rule: 'I10',
    name: 'newest first, by pages, with the whole count',
    looks: LIST,
    script: (s) => {
      for (const at of [1, 2, 3]) {
        s.place(`order${at}`, { type: 'limit', triggerPrice: n('90'), amount: n(String(at)) })
        s.cancel(`cancel${at}`, `{order${at}.id}`)
      }
      const path = '/orders/{account}/{asset}/history'
      s.get('first', `${path}?limit=2`)
      s.get('second', `${path}?limit=2&offset=2`)
      s.get('beyond', `${path}?offset=9007199254740991`)
      for (const [at, query] of [
        'limit=0',
        'limit=101',
        'limit=+1',
        'offset=-1',
        'offset=9007199254740992',
      ].entries())
        s.get(`refused${at}`, `${path}?${query}`)
    },
  },
  {
    rule: 'I11',
    name: 'what the order history, the position history and the portfolio contain',
    looks: LIST,
    script: (s) => {
      s.buy('buy', { takeTriggerPrice: n('110') })
      s.positions()
      s.close('close')
      s.buy('open', { direction: 'short' })
      s.place('entry', { type: 'limit', triggerPrice: n('90') })
      s.edit('edited', '{entry.id}', { triggerPrice: n('91') })
      s.orderHistory()
      s.positionHistory()
      s.get('portfolio', '/positions/{account}/portfolio/history')
      s.get('onMarket', '/positions/{account}/{asset}/active')
    },
  },
  {
    rule: 'I12',
    name: 'the portfolio is one page, and no market takes its name',
    looks: [...LIST, 'ok'],
    script: (s) => {
      s.buy('buy')
      s.get('portfolio', '/positions/{account}/portfolio/history')
      s.operate({
        type: 'configureMarket',
        market: { id: '{market9}', baseAsset: 'portfolio', ticker: 'P', category: 'crypto' },
      })
    },
  },
  {
    rule: 'I13',
    name: 'the history of a position: an order behind trades, none behind the rest, no funding',
    looks: [...LIST, 'eventName', 'version', 'order', 'closeReason'],
    stage: { market: { fundingRate: n('0.001'), fundingIntervalMs: 3_600_000 } },
    script: (s) => {
      s.buy('buy')
      s.positions()
      s.margin('added', n('5'))
      s.wait('{until 3600000 0}')
      s.close('part', { amount: n('10') })
      s.operate({ type: 'forceClosePosition', positionId: '{p.0.idx}' })
      s.events()
    },
  },
  {
    rule: 'I14',
    name: "another user's things are a 403, and a position of another account a 400",
    looks: REFUSAL,
    strangers: true,
    script: (s) => {
      s.open('2', { userId: '{other}' })
      s.buy('buy')
      s.positions()
      s.place('entry', { type: 'limit', triggerPrice: n('90') })
      s.get('events1', '/positions/{p.0.idx}/history', as('other'))
      s.cancel('cancel', '{entry.id}', as('other'))
      s.margin('margin', n('1'), as('other'))
      s.get('orders', '/orders/{account}/active', as('other'))
      s.close('close', { accountId: '{account2}' }, as('other'))
      s.get('unknown', '/positions/{unknown}/history', as('other'))
    },
  },
  {
    rule: 'K1',
    name: 'the operator surface is for operators',
    looks: REFUSAL,
    script: (s) => {
      s.send('command', 'POST', '/operator/commands', { type: 'advanceTime', ms: 0 })
      s.get('health', '/operator/health', as('nobody'))
    },
  },
]
