// Server-Sent Events as the venue uses them: each whole event once, however its bytes are cut.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsOf } from '../../../src/client/serverSentEvents.ts'

async function heard(parts: readonly Uint8Array[]) {
  const body = new ReadableStream({
    start: (stream) => {
      for (const part of parts) stream.enqueue(part)
      stream.close()
    },
  })
  const all = []
  for await (const event of eventsOf(new Response(body))) all.push(event)
  return all
}

test('events are those that were sent, wherever their bytes are cut', async () => {
  const event = fc.record({
    id: fc.option(fc.nat(), { nil: null }),
    message: fc.record({ text: fc.string({ unit: 'grapheme' }) }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 6 }),
      fc.array(fc.nat(300), { maxLength: 5 }),
      async (events, cuts) => {
        const text = events
          .map(({ id, message }) => `${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`)
          .join(': nothing\n\n')
        const bytes = new TextEncoder().encode(text)
        const ends = [...cuts.map((at) => Math.min(at, bytes.length)), bytes.length].sort((a, b) => a - b)
        const parts = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end))
        expect(await heard(parts)).toEqual(events)
      },
    ),
    { numRuns: 50 },
  )
})

test('an event that is not whole is none, and an answer without a body has none', async () => {
  const cut = new TextEncoder().encode('id: 1\ndata: {"a":1}\n\nid: 2\ndata: {"a":2}\n')
  expect(await heard([cut])).toEqual([{ id: 1, message: { a: 1 } }])
  const none = []
  for await (const event of eventsOf(new Response(null))) none.push(event)
  expect(none).toEqual([])
})
