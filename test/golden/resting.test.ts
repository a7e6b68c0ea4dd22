// The hash of a state in which something of every kind rests, beside the golden logs, at whose end nothing does: no field
// of an order or a position may get another name or value in it.

import { expect, test } from 'vitest'
import { createEngine, fp9, type Placement, uncheckedOrder } from '../../src/index.ts'

const [marketId, accountId, userId] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]
const START = 1_700_000_000_000

test('the state with every kind of resting order has the hash it always had, before and after its stops trail', () => {
  const engine = createEngine({
    seed: 'hash',
    at: START,
    markets: [
      { id: marketId, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('100') },
    ],
    accounts: [{ id: accountId, userId, balance: fp9('10000') }],
  })
  const at = START + 500
  const place = (terms: Partial<Placement>) => {
    const order = { accountId, marketId, direction: 'long', amount: fp9('100'), leverage: fp9('2'), ...terms }
    expect(engine.dispatch(uncheckedOrder({ type: 'placeOrder', ...order } as Placement), { at }).ok).toBe(
      true,
    )
  }
  place({ orderType: 'market' })
  const positionId = engine.read.activePositions(accountId)[0]?.id as string
  const close = { leverage: undefined, positionId, amount: fp9('0.5') }
  place({
    orderType: 'limit',
    triggerPrice: fp9('90'),
    stopTriggerPrice: fp9('80'),
    takeTriggerPrice: fp9('120'),
  })
  place({
    orderType: 'stop_limit',
    triggerPrice: fp9('110'),
    stopLimitPrice: fp9('105'),
    sizeMode: 'base',
    baseSize: fp9('1'),
  })
  place({ orderType: 'stop', triggerPrice: fp9('99.99'), ...close })
  place({ orderType: 'take', triggerPrice: fp9('130'), ...close })
  place({ orderType: 'trailing_stop', trailingStopOffset: fp9('7'), ...close })
  place({
    orderType: 'trailing_stop',
    trailingStopOffsetPercent: fp9('3%'),
    trailingStopActivationPrice: fp9('104'),
    ...close,
  })
  expect(engine.stateHash()).toBe('8e7f0050b678d0754decc9db7aa724ace5fe978b27fa916264296e1c0acb4587')
  engine.dispatch({ type: 'updatePrice', marketId, indexPrice: fp9('103') }, { at: at + 1 })
  expect(engine.stateHash()).toBe('b0738a08a8844fb2acee0d9de934541021ec105177176ee1ca268179a222674d')
  engine.dispatch({ type: 'updatePrice', marketId, indexPrice: fp9('105') }, { at: at + 2 })
  engine.dispatch({ type: 'changeMargin', positionId, marginChange: fp9('5') }, { at: at + 3 })
  expect(engine.stateHash()).toBe('775a0b08339facc3792fb1ba986514c8a4ea96601d893008ddec3731013b13ab')
})
