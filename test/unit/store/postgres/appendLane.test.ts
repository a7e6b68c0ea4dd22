// The one connection of the appends that are under way: taken for the first, given back after the last, closed when one failed.

import { expect, test } from 'vitest'
import { AppendLane } from '../../../../src/store/postgres/appendLane.ts'
import { RecordedPool } from './recordedPool.ts'

const statement = (text: string) => ({ text, values: [] })

/** A pool whose answers come when the test says. */
function held() {
  const waiting: { readonly answer: () => void; readonly fail: (error: Error) => void }[] = []
  const recorded = new RecordedPool(
    () => new Promise((resolve, reject) => waiting.push({ answer: () => resolve({}), fail: reject })),
  )
  return { recorded, waiting, lane: new AppendLane(recorded.pool) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('what is sent while another is under way goes over the same connection, in the order it was sent in', async () => {
  const { recorded, waiting, lane } = held()
  const sent = ['one', 'two'].map((text) => lane.send(statement(text)))
  await turn()
  sent.push(lane.send(statement('three')))
  // Over a connection that is there it is sent at once.
  expect(recorded.asked.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(recorded.connections.length).toBe(1)
  expect(recorded.released).toEqual([])
  for (const { answer } of waiting.slice(0, 2)) answer()
  await Promise.all(sent.slice(0, 2))
  expect(recorded.released).toEqual([])
  waiting[2]?.answer()
  await sent[2]
  expect(recorded.released).toEqual([undefined])

  const again = lane.send(statement('four'))
  await turn()
  waiting[3]?.answer()
  await again
  expect(recorded.asked.map(({ connection }) => connection)).toEqual([1, 1, 1, 2])
})

test('a connection on which one failed is closed with the first failure, and the next is another', async () => {
  const { recorded, waiting, lane } = held()
  const failed = ['one', 'two'].map((text) =>
    lane.send(statement(text)).catch((error: Error) => error.message),
  )
  await turn()
  waiting[0]?.fail(new Error('first'))
  waiting[1]?.fail(new Error('second'))
  expect(await Promise.all(failed)).toEqual(['first', 'second'])
  expect(recorded.released.map((error) => error?.message)).toEqual(['first'])

  const sound = lane.send(statement('three'))
  await turn()
  waiting[2]?.answer()
  await sound
  expect(recorded.asked.map(({ connection }) => connection)).toEqual([1, 1, 2])
  expect(recorded.released.map((error) => error?.message)).toEqual(['first', undefined])
})

test('a connection that breaks is heard once while it is out, and by nobody here once it is back', async () => {
  const { recorded, waiting, lane } = held()
  const sent = ['one', 'two'].map((text) => lane.send(statement(text)))
  await turn()
  const [connection] = recorded.connections
  expect(connection?.listenerCount('error')).toBe(1)
  expect(connection?.emit('error', new Error('lost'))).toBe(true)
  for (const { answer } of waiting) answer()
  await Promise.all(sent)
  expect(connection?.listenerCount('error')).toBe(0)
})
