// What a stream has told: known at once where it was told before, waited for where it was not, and given up after ten seconds.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ToldByStream } from '../../../../src/backtest/live/toldByStream.ts'
import type { StreamMessage } from '../../../../src/client/index.ts'

const order = (id: string, status: string) => ({ type: 'order', data: { id, status } }) as StreamMessage
const position = (idx: string, version: number) =>
  ({ type: 'position', data: { idx, version } }) as StreamMessage

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test.each<[string, StreamMessage, (told: ToldByStream) => Promise<boolean>]>([
  ['an order', order('a', 'active'), (told) => told.order('a', 'active')],
  ['an order that was filled by then', order('a', 'executed'), (told) => told.order('a', 'active')],
  ['how an order ended', order('a', 'executed'), (told) => told.order('a', 'executed')],
  ['a position', position('p', 3), (told) => told.position('p', 3)],
  ['a position at an earlier version', position('p', 3), (told) => told.position('p', 2)],
])('%s: told before, and told while it is waited for', async (_, message, asked) => {
  const told = new ToldByStream()
  const waiting = asked(told)
  told.add(order('another', 'active'))
  told.add(message)
  expect(await waiting).toBe(true)
  expect(await asked(told)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test.each<[string, StreamMessage, (told: ToldByStream) => Promise<boolean>]>([
  ['another order', order('b', 'active'), (told) => told.order('a', 'active')],
  ['another end', order('a', 'active'), (told) => told.order('a', 'executed')],
  ['an earlier version', position('p', 2), (told) => told.position('p', 3)],
])('%s: it is not told, after ten seconds and not before', async (_, message, asked) => {
  const told = new ToldByStream()
  told.add(message)
  const settled: boolean[] = []
  void asked(told).then((was) => settled.push(was))
  await vi.advanceTimersByTimeAsync(9_999)
  expect(settled).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(settled).toEqual([false])
})
