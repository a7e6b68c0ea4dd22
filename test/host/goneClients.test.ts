// Clients that give up: what waited for its decision is not carried out behind what they ask next.

import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { ALICE, limitOrder, startVenue } from './venue.ts'

test.each(['closed', 'reset'])(
  'an order whose client has %s the connection while it waited is not placed, and its repetition is',
  async (how) => {
    let isWaiting = () => {}
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve
    })
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let waits = 0
    const venue = await startVenue(undefined, {
      beforeDeciding: () => {
        if (waits++ > 0) return null
        isWaiting()
        return held
      },
    })
    const headers = {
      authorization: `Bearer ${ALICE.key}`,
      'content-type': 'application/json',
      'x-idempotency-key': 'one',
    }
    const given = request(`${venue.venue.url}/orders`, { method: 'POST', headers, agent: false })
    const closed = once(given, 'error')
    given.end(JSON.stringify(limitOrder()))
    await waiting
    const { engine } = venue.venue
    const before = engine.head
    if (how === 'reset') given.socket?.resetAndDestroy()
    given.destroy()
    await closed
    // What the host answers on another connection comes behind what it saw of the first.
    await venue.get('/markets', { key: ALICE.key })
    goOn()
    await venue.get('/markets', { key: ALICE.key })
    expect(engine.head).toBe(before)
    expect(engine.read.activeOrders(ALICE.accountId)).toEqual([])
    const again = await venue.post('/orders', limitOrder(), {
      key: ALICE.key,
      headers: { 'x-idempotency-key': 'one' },
    })
    expect(again.status).toBe(201)
    expect(engine.read.activeOrders(ALICE.accountId)).toHaveLength(1)
    await venue.venue.close()
  },
)
