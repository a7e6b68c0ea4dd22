// The typical flow of the document: five calls from nothing to a closed position, and the status of each (A7).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, BTC, marketOrder, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())

test('five calls open and close a position', async () => {
  const accounts = await venue.get('/accounts/with-risk-status')
  expect(accounts.body.map((account: { accountId: string }) => account.accountId)).toEqual([ALICE.accountId])

  const markets = await venue.get(`/v2/markets?accountId=${ALICE.accountId}`)
  expect(markets.body[0]).toMatchObject({ id: BTC, state: { indexPrice: '50000000000000' } })

  const opened = await venue.post('/orders', marketOrder())
  expect(opened).toMatchObject({ status: 201, body: { status: 'executed', positionId: null } })

  const [position] = (await venue.get(`/positions/${ALICE.accountId}/active`)).body
  expect(position).toMatchObject({ status: 'opened', margin: '995000000000', notional: '4975000000000' })

  const closed = await venue.post('/orders', {
    accountId: ALICE.accountId,
    marketId: BTC,
    type: 'take',
    direction: 'long',
    amount: position.size,
    positionId: position.idx,
    triggerPrice: '0',
  })
  expect(closed).toMatchObject({ status: 201, body: { status: 'executed', realizedPnl: '0' } })
  expect((await venue.get(`/positions/${ALICE.accountId}/active`)).body).toEqual([])
})
