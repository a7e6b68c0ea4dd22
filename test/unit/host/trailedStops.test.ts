// Where trailing stops fire, as the console shows it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ApiOrder } from '../../../src/client/client.ts'
import { TrailedStops } from '../../../src/host/console/page/trader/trailedStops.ts'
import { EXECUTED_ORDER } from '../../../src/resources/examples.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const stop = (id: string, direction: 'long' | 'short', triggerPrice: string): ApiOrder => ({
  ...(EXECUTED_ORDER as ApiOrder),
  ...{ id, direction, triggerPrice, type: 'trailing_stop', status: 'active', market: 'm', trader: 'alice' },
})

test('a stop is read again once the price has gone beyond what it followed, once in three seconds, and not for less', async () => {
  const now = [stop('a', 'long', '90'), stop('b', 'short', '110')]
  const orders = new Map(now.map((order) => [order.id, { ...order }]))
  const ask = vi.fn(async () => now)
  const changed = vi.fn()
  const stops = new TrailedStops(ask, changed)
  const levels = () => stops.shown(orders.values()).map(({ triggerPrice }) => triggerPrice)
  stops.hear(orders, 'm', 100n)
  await vi.advanceTimersByTimeAsync(3_000)
  expect([ask.mock.calls, levels()]).toEqual([[['alice']], ['90', '110']])
  for (const price of [101n, 102n, 103n]) stops.hear(orders, 'm', price)
  now[0] = stop('a', 'long', '93')
  await vi.advanceTimersByTimeAsync(3_000)
  expect([ask.mock.calls.length, levels(), changed.mock.calls.length]).toEqual([2, ['93', '110'], 2])
  // Between what either has followed nothing moves; neither does it on another market.
  for (const price of [101n, 103n]) stops.hear(orders, 'm', price)
  stops.hear(orders, 'another', 200n)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ask).toHaveBeenCalledTimes(2)
  stops.hear(orders, 'm', 99n)
  now[1] = stop('b', 'short', '109')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(levels()).toEqual(['93', '109'])
  // One that rests no more is forgotten, and nothing is asked for when it is over.
  orders.delete('a')
  stops.hear(orders, 'm', 100n)
  expect(levels()).toEqual(['109'])
  stops.hear(orders, 'm', 98n)
  stops.stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ask).toHaveBeenCalledTimes(3)
})

test('what cannot be read is as the stream told it, and read after a price that goes further', async () => {
  const orders = new Map([['a', stop('a', 'long', '90')]])
  const ask = vi
    .fn()
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue([stop('a', 'long', '95')])
  const stops = new TrailedStops(ask, () => {})
  stops.hear(orders, 'm', 100n)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(stops.shown(orders.values())).toEqual([...orders.values()])
  stops.hear(orders, 'm', 105n)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(stops.shown(orders.values())).toMatchObject([{ triggerPrice: '95' }])
})
