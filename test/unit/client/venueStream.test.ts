// A stream that cannot be had is asked for again ever more seldom, and quickly again once it was heard.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OpenStream, VenueStream } from '../../../src/client/venueStream.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Connections after which no more are tried: whoever tries ever more often would never come to an end. */
const MOST = 100

/** The pauses between the connections that are tried within ten minutes, ms, with the stream open at some of them. */
async function pauses(opens: (attempt: number) => boolean): Promise<number[]> {
  const at: number[] = []
  const leaving = new AbortController()
  const open: OpenStream = async function* () {
    at.push(Date.now())
    if (at.length === MOST) leaving.abort()
    if (!opens(at.length)) throw new TypeError('fetch failed')
    yield { id: 7, message: { type: 'ping', data: null } }
    yield { id: null, message: { type: 'end', data: { reason: 'closing' } } }
  }
  const heard = (async () => {
    for await (const _ of new VenueStream(open, { signal: leaving.signal }));
  })()
  await vi.advanceTimersByTimeAsync(600_000)
  leaving.abort()
  await heard
  return at.slice(1).map((time, index) => time - (at[index] as number))
}

/** With up to half of a pause left out by chance. */
function expectPause(pause: number | undefined, longest: number): void {
  expect(pause).toBeLessThanOrEqual(longest + 1)
  expect(pause).toBeGreaterThanOrEqual(longest / 2)
}

test('each pause is twice the one before it, from 100 ms to 10 s', async () => {
  const all = await pauses(() => false)
  expect(all.length).toBeGreaterThan(50)
  for (const [index, pause] of all.entries()) expectPause(pause, Math.min(100 * 2 ** index, 10_000))
})

test('after a connection that said something the pauses begin anew', async () => {
  const all = await pauses((attempt) => attempt === 6)
  expectPause(all[4], 1_600)
  for (const [index, pause] of all.slice(5, 15).entries())
    expectPause(pause, Math.min(100 * 2 ** index, 10_000))
})

test('what the venue refuses is thrown, and what it may answer later is asked for again', async () => {
  const asked = async (statusCode: number) => {
    let attempts = 0
    const leaving = new AbortController()
    const open: OpenStream = async function* () {
      attempts += 1
      if (attempts === 3) leaving.abort()
      yield* []
      throw Object.assign(new Error(), { statusCode })
    }
    const heard = (async () => {
      for await (const _ of new VenueStream(open, { signal: leaving.signal }));
    })()
    const settled = heard.then(
      () => 'goes on',
      () => 'thrown',
    )
    await vi.advanceTimersByTimeAsync(60_000)
    return [await settled, attempts]
  }
  for (const status of [400, 401, 428, 430, 499]) expect(await asked(status)).toEqual(['thrown', 1])
  for (const status of [399, 429, 500, 503]) expect(await asked(status)).toEqual(['goes on', 3])
})

test('however often it connects anew, its signal has no listener left of the pauses before', async () => {
  const leaving = new AbortController()
  let listeners = 0
  const { signal } = leaving
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  vi.spyOn(signal, 'addEventListener').mockImplementation((...terms: Parameters<typeof add>) => {
    listeners += 1
    add(...terms)
  })
  vi.spyOn(signal, 'removeEventListener').mockImplementation((...terms: Parameters<typeof remove>) => {
    listeners -= 1
    remove(...terms)
  })
  const most: number[] = []
  const open: OpenStream = async function* () {
    most.push(listeners)
    if (most.length === 20) leaving.abort()
    yield* []
    throw new TypeError('fetch failed')
  }
  const heard = (async () => {
    for await (const _ of new VenueStream(open, { signal }));
  })()
  await vi.advanceTimersByTimeAsync(600_000)
  await heard
  expect(most).toEqual(Array(20).fill(1))
})
