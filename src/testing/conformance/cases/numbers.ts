// What a request is made of: numbers, directions, ids, bodies, statuses (A).
import type { Case } from '../case.ts'
import { n } from '../script.ts'
import { RAW, SIZES } from './looks.ts'

export const NUMBERS: readonly Case[] = [
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
      s.place('limit', { type: 'limit', triggerPrice: n('90') })
      s.edit('edited', '{limit.id}', { triggerPrice: n('91') })
      s.cancel('cancelled', '{edited.id}')
      s.get('read', '/orders/{account}/active')
      s.get('refused', '/positions/not-an-id/active')
    },
  },
]
