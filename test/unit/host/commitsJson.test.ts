// A page of commits is one JSON text, in pieces: of commits without an event and with several, up to the limit.

import { expect, test } from 'vitest'
import { commitsJson } from '../../../src/host/json.ts'
import type { Commit } from '../../../src/index.ts'

const commitOf = (seq: number, events: number): Commit =>
  ({
    ...{ seq, at: 5, command: { type: 'advanceTime', ms: 1 } },
    events: Array.from({ length: events }, (_, index) => ({ type: 'timeAdvanced', at: index })),
  }) as unknown as Commit

const COUNTS = [0, 1, 2, 3, 0, 1]
async function* commits() {
  for (const [index, count] of COUNTS.entries()) yield commitOf(index + 1, count)
}

async function page(limit: number, epochs: { first: number; epoch: number }[] = []) {
  let text = ''
  for await (const piece of commitsJson(commits(), { limit, head: 9, epochs: epochs as never })) text += piece
  return JSON.parse(text)
}

test.each([1, 2, 4, 6, 7])('up to %i of them', async (limit) => {
  const { data, head } = await page(limit)
  expect(head).toBe(9)
  expect(data).toHaveLength(Math.min(limit, COUNTS.length))
  for (const [index, { seq, events }] of data.entries()) {
    expect(seq).toBe(index + 1)
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      Array(COUNTS[index]).fill('timeAdvanced'),
    )
  }
})

test('each has the epoch that it is of, and none where there are none', async () => {
  const { data } = await page(6, [
    { first: 2, epoch: 4 },
    { first: 5, epoch: 7 },
  ])
  expect(data.map(({ epoch }: { epoch?: number }) => epoch)).toEqual([undefined, 4, 4, 4, 7, 7])
})
