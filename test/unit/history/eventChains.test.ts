// Chains of places: each is walked as it was added, whatever others are dropped, and rows that were dropped are used again.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChainedEvent, EventChains } from '../../../src/history/eventChains.ts'

test('chains are what was added to them, oldest first, whichever others were dropped', () => {
  let dropped = 0
  fc.assert(
    fc.property(fc.array(fc.nat(99), { minLength: 200, maxLength: 600 }), (steps) => {
      const chains = new EventChains()
      const live: { last: number; events: ChainedEvent[] }[] = []
      for (const [step, what] of steps.entries()) {
        const chain = live[what % Math.max(live.length, 1)]
        const event = { seq: 2 ** 40 + step, index: step % 7, order: step % 3 === 0 ? null : step }
        if (what < 30 || chain === undefined)
          live.push({ last: chains.add(event.seq, event.index, null, event.order), events: [event] })
        else if (what < 85) {
          chain.last = chains.add(event.seq, event.index, chain.last, event.order)
          chain.events.push(event)
        } else {
          chains.drop(chain.last)
          live.splice(live.indexOf(chain), 1)
          dropped += 1
        }
      }
      const walked = live.map(({ last }) => chains.upTo(last))
      // As they were when they were walked, whatever becomes of them.
      for (const { last } of live) chains.drop(last)
      chains.add(1, 0, null, null)
      for (const [at, { events }] of live.entries())
        expect(Array.from({ length: walked[at]?.length ?? 0 }, (_, n) => walked[at]?.at(n))).toEqual(events)
    }),
    { numRuns: 30 },
  )
  expect(dropped).toBeGreaterThan(300)
})

test('what is added takes the room of what was dropped (H3)', () => {
  const chains = new EventChains()
  const add = (events: number) => {
    let last: number | null = null
    for (let n = 0; n < events; n++) last = chains.add(n + 1, n, last, null)
    return last as number
  }
  const first = Array.from({ length: 100 }, (_, n) => add(1 + n))
  const { room } = chains
  expect(room).toBeGreaterThan(30_000)
  let kept = first
  for (let phase = 0; phase < 10; phase++) {
    for (const last of kept) chains.drop(last)
    kept = Array.from({ length: 100 }, (_, n) => add(100 - n))
    expect(chains.room).toBe(room)
  }
})

test('a chain that was walked holds sixteen bytes for each event, as often as it is walked (K4)', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const held = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const EVENTS = 20_000
  const chains = new EventChains()
  let last: number | null = null
  for (let n = 0; n < EVENTS; n++) last = chains.add(2 ** 40 + n, n % 7, last, n)
  const before = held()
  const walked = Array.from({ length: 50 }, () => chains.upTo(last as number))
  expect((held() - before) / walked.length / EVENTS).toBeLessThan(20)
  expect(walked.at(-1)?.at(EVENTS - 1)).toEqual({
    seq: 2 ** 40 + EVENTS - 1,
    index: (EVENTS - 1) % 7,
    order: EVENTS - 1,
  })
})
