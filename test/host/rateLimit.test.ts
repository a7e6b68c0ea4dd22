// I5: fixed windows aligned to the epoch, per key and bucket; what is refused for the rate consumes nothing.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RateLimiter, retryAfterSeconds } from '../../src/host/rateLimit.ts'
import { SteadyTime } from '../../src/host/steadyTime.ts'
import { BOB, CONFIGURATION, startVenue, type VenueUnderTest } from './venue.ts'

describe('the windows', () => {
  test('never more than the limit in any aligned window, and never fewer than allowed', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 100, maxLength: 300 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 1e12 }), (gaps, start) => {
        const limiter = new RateLimiter({ perSecond: 3, perMinute: 20 })
        const taken: number[] = []
        let now = start
        for (const gap of gaps) {
          now += gap % 7 === 0 ? gap : gap % 100
          const inSecond = taken.filter((at) => Math.floor(at / 1_000) === Math.floor(now / 1_000)).length
          const inMinute = taken.filter((at) => Math.floor(at / 60_000) === Math.floor(now / 60_000)).length
          const tripped = limiter.take('key', 'read', now)
          expect(tripped?.window ?? null).toBe(inMinute >= 20 ? 'minute' : inSecond >= 3 ? 'second' : null)
          if (tripped === null) taken.push(now)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('whichever way the wall clock is stepped, each window of the venue’s time has its limit, and a step back opens none', () => {
    const steps = fc.array(
      fc.record({
        ms: fc.integer({ min: 1, max: 3_000 }),
        step: fc.oneof(
          { weight: 8, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: -70_000, max: 70_000 }) },
        ),
      }),
      { minLength: 50, maxLength: 200 },
    )
    const met = { back: 0, stepped: 0 }
    fc.assert(
      fc.property(steps, fc.nat(1e12), (moves, start) => {
        const limits = { perSecond: 3, perMinute: 20 }
        const limiter = new RateLimiter(limits)
        let [monotonic, wall] = [0, start]
        const steady = new SteadyTime({ wall, monotonic }, 0)
        const taken = new Map<string, number>()
        const opened = new Set<number>()
        let followed = 0
        for (const { ms, step } of moves) {
          monotonic += ms
          wall += ms + step
          if (steady.read({ wall, monotonic })?.kind === 'stepped') followed += 1
          if (step < 0) met.back += 1
          const now = steady.time
          opened.add(Math.floor(now / 60_000))
          for (let request = 0; request < 5; request++) {
            if (limiter.take('key', 'read', now) !== null) continue
            for (const window of [`${Math.floor(now / 1_000)} s`, `${Math.floor(now / 60_000)} min`])
              taken.set(window, (taken.get(window) ?? 0) + 1)
          }
        }
        for (const [window, count] of taken)
          expect(count).toBeLessThanOrEqual(window.endsWith(' s') ? limits.perSecond : limits.perMinute)
        // Time runs by a tenth too fast at most; each stretch of it between two steps that are followed begins and ends within a window.
        expect(opened.size).toBeLessThanOrEqual(2 * (1 + followed) + Math.floor((1.1 * monotonic) / 60_000))
        met.stepped += followed
      }),
      { numRuns: 100 },
    )
    expect(Math.min(met.back, met.stepped)).toBeGreaterThan(10)
  })

  test('at exactly the end of a window the next one begins', () => {
    const limiter = new RateLimiter({ perSecond: 1, perMinute: 100 })
    expect(limiter.take('key', 'read', 1_999)).toBeNull()
    expect(limiter.take('key', 'read', 1_999)).toMatchObject({ window: 'second', retryAt: 2_000 })
    expect(limiter.take('key', 'read', 2_000)).toBeNull()
  })

  test('of keys that made no request in this minute nothing is held', () => {
    const limiter = new RateLimiter({ perSecond: 10, perMinute: 10 })
    for (let key = 0; key < 100; key++) limiter.take(`${key}`, 'read', 59_999)
    expect(limiter.size).toBe(100)
    expect(limiter.take('0', 'read', 60_000)).toBeNull()
    expect(limiter.size).toBe(1)
    limiter.take('1', 'write', 60_001)
    expect(limiter.size).toBe(2)
  })

  test('keys and buckets do not share', () => {
    const limiter = new RateLimiter({ perSecond: 1, perMinute: 1 })
    expect(limiter.take('a', 'read', 0)).toBeNull()
    expect(limiter.take('a', 'write', 0)).toBeNull()
    expect(limiter.take('b', 'read', 0)).toBeNull()
    expect(limiter.take('a', 'read', 0)).toMatchObject({ window: 'minute' })
  })

  test.each([
    [1_000, 0, 1],
    [1_000, 999, 1],
    [60_000, 1, 60],
    [60_000, 58_999, 2],
  ])('until %d from %d is %d seconds', (retryAt, now, seconds) => {
    expect(retryAfterSeconds(retryAt, now)).toBe(seconds)
  })
})

test('what is left is said of the window that is nearest to its limit', () => {
  const limiter = new RateLimiter({ perSecond: 3, perMinute: 5 })
  const seen = [0, 1, 999, 1_000, 1_500].map((now) => {
    expect(limiter.take('key', 'read', now)).toBeNull()
    const { limit, remaining, resetAt } = limiter.quota('key', 'read', now)
    return [limit, remaining, resetAt]
  })
  expect(seen).toEqual([
    [3, 2, 1_000],
    [3, 1, 1_000],
    [3, 0, 1_000],
    [5, 1, 60_000],
    [5, 0, 60_000],
  ])
  expect(limiter.quota('key', 'write', 0)).toEqual({ limit: 3, remaining: 3, resetAt: 1_000 })
})

test('successful answers to keys say what is left, others do not', async () => {
  const venue = await startVenue({ ...CONFIGURATION, rateLimit: { perSecond: 5, perMinute: 8 } })
  const left = async (path: string, key: string) => {
    const { headers } = await venue.get(path, { key })
    return ['limit', 'remaining', 'reset'].map((what) => headers.get(`ratelimit-${what}`))
  }
  const accounts = '/accounts/with-risk-status'
  expect(await left(accounts, BOB.key)).toEqual(['5', '4', '1'])
  expect(await left('/nowhere', BOB.key)).toEqual([null, null, null])
  expect(await left('/v2/markets', BOB.key)).toEqual([null, null, null])
  expect(await left(accounts, BOB.session)).toEqual([null, null, null])
  await venue.advance(1_000)
  expect(await left(accounts, BOB.key)).toEqual(['8', '4', '59'])
  for (let at = 0; at < 4; at++) await left(accounts, BOB.key)
  expect(await left(accounts, BOB.key)).toEqual([null, null, null])
  await venue.venue.close()
})

describe('over HTTP', () => {
  let venue: VenueUnderTest
  beforeAll(async () => {
    venue = await startVenue({ ...CONFIGURATION, rateLimit: { perSecond: 2, perMinute: 4 } })
  })
  afterAll(() => venue.venue.close())

  test('the body, the header and the clock', async () => {
    const get = () => venue.get('/accounts/with-risk-status')
    expect([(await get()).status, (await get()).status]).toEqual([200, 200])
    const second = await get()
    expect(second.status).toBe(429)
    expect(second.headers.get('retry-after')).toBe('1')
    expect(second.body).toEqual({
      statusCode: 429,
      message: expect.any(String),
      error: 'api_key_rate_limit_exceeded',
      bucket: 'read',
      window: 'second',
      limit: 2,
      retryAt: '2026-01-05T00:10:01.000Z',
    })
    expect((await venue.post('/nowhere')).status).toBe(403)
    await venue.advance(1_000)
    expect([(await get()).status, (await get()).status]).toEqual([200, 200])
    const minute = await get()
    expect(minute.body).toMatchObject({ window: 'minute', limit: 4, retryAt: '2026-01-05T00:11:00.000Z' })
    expect(minute.headers.get('retry-after')).toBe('59')
    expect((await venue.get('/accounts/with-risk-status', { key: BOB.key })).status).toBe(200)
    await venue.advance(59_000)
    expect((await get()).status).toBe(200)
  })

  test('a refused request of an allowed rate counts', async () => {
    await venue.advance(60_000)
    await venue.post('/nowhere')
    await venue.post('/orders', {})
    expect((await venue.post('/orders', {})).body).toMatchObject({ bucket: 'write', window: 'second' })
  })

  test('J29: sessions and the operator are not limited', async () => {
    for (const _ of Array(12))
      expect((await venue.get('/user/api-keys', { key: 'session-of-bob' })).status).toBe(200)
    for (const _ of Array(12)) await venue.advance(0)
  })
})
