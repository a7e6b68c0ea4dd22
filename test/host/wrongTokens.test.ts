// K10: twenty wrong operator tokens within a minute from an address, then a minute of 429, the right token included.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WrongTokens } from '../../src/host/wrongTokens.ts'
import { ALICE, OPERATOR, startVenue } from './venue.ts'

function counted() {
  const time = { now: 1_000 }
  return { time, wrong: new WrongTokens(() => time.now) }
}
const times = (count: number, act: () => void) => Array.from({ length: count }, act)

describe('the count', () => {
  test('the twentieth within a minute begins a minute of waiting', () => {
    const { time, wrong } = counted()
    times(19, () => wrong.add('1.1.1.1'))
    expect(wrong.wait('1.1.1.1')).toBe(0)
    time.now += 59_999
    wrong.add('1.1.1.1')
    expect(wrong.wait('1.1.1.1')).toBe(60_000)
    time.now += 59_999
    expect(wrong.wait('1.1.1.1')).toBe(1)
    time.now += 1
    expect(wrong.wait('1.1.1.1')).toBe(0)
    wrong.add('1.1.1.1')
    expect(wrong.wait('1.1.1.1')).toBe(0)
  })

  test('nobody waits whose twenty took a minute', () => {
    const { time, wrong } = counted()
    times(19, () => wrong.add('1.1.1.1'))
    time.now += 60_000
    times(19, () => wrong.add('1.1.1.1'))
    expect(wrong.wait('1.1.1.1')).toBe(0)
    wrong.add('1.1.1.1')
    expect(wrong.wait('1.1.1.1')).toBe(60_000)
  })

  test('never twenty-one within any minute, whatever the pace, and never a wait before twenty', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 6_000 }), { minLength: 50, maxLength: 200 }), (gaps) => {
        const { time, wrong } = counted()
        const letThrough: number[] = []
        for (const gap of gaps) {
          time.now += gap % 5 === 0 ? gap * 3 : gap
          const recent = letThrough.filter((at) => at > time.now - 60_000).length
          if (wrong.wait('a') === 0) {
            wrong.add('a')
            letThrough.push(time.now)
            expect(recent).toBeLessThan(20)
          } else expect(letThrough.length).toBeGreaterThanOrEqual(20)
        }
      }),
    )
  })

  test('addresses do not share, but those of one IPv6 network do', () => {
    const { wrong } = counted()
    times(20, () => wrong.add('1.1.1.1'))
    times(10, () => wrong.add('2001:db8:0:1::1'))
    times(10, () => wrong.add('2001:db8::1:ffff:0:0:7'))
    expect(wrong.wait('1.1.1.2')).toBe(0)
    expect(wrong.wait('2001:db8:0:1:a:b:c:d')).toBe(60_000)
    expect(wrong.wait('2001:db8:0:2::1')).toBe(0)
    times(20, () => wrong.add('::ffff:10.0.0.1'))
    expect(wrong.wait('::ffff:10.0.0.1')).toBe(60_000)
    expect(wrong.wait('::ffff:10.0.0.2')).toBe(0)
  })

  test('ten thousand addresses are remembered, and what is past is forgotten', () => {
    const { time, wrong } = counted()
    for (let at = 0; at < 50_000; at++) wrong.add(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    expect(wrong.size).toBe(10_000)
    time.now += 60_000
    wrong.add('1.1.1.1')
    expect(wrong.size).toBe(1)
  })
})

test('over HTTP: the twenty-first is 429 with the documented body, for the right token too; traders go on', async () => {
  const venue = await startVenue()
  const health = (key: string | null) => venue.get('/operator/health', { key })
  for (let at = 0; at < 20; at++) {
    expect((await health(null)).status).toBe(401)
    expect((await health(`wrong-${at}`)).status).toBe(401)
  }
  for (const key of ['wrong', null, OPERATOR, ALICE.session]) {
    const answer = await health(key)
    expect(answer).toMatchObject({
      status: 429,
      body: { error: 'api_key_rate_limit_exceeded', bucket: 'read', window: 'minute', limit: 20 },
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
  expect((await venue.get('/accounts/with-risk-status')).status).toBe(200)
  await venue.venue.close()
})
