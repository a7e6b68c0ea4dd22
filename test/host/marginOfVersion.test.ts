// A change of margin that says which version of the position it is for is done to that one or not at all.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, MarginTradingClient } from '../../src/client/index.ts'
import { ALICE, BOB, CONFIGURATION, marketOrder, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
let path = ''
beforeAll(async () => {
  venue = await startVenue(CONFIGURATION)
  await venue.post('/orders', marketOrder())
  path = `/positions/${(await held()).idx}/margin`
  for (let n = 0; n < 3; n++) await venue.patch(path, { marginChange: '1' }, { key: ALICE.session })
})
afterAll(() => venue.venue.close())

const held = async () => (await venue.get(`/positions/${ALICE.accountId}/active`)).body[0]
const move = (marginChange: string, version: string, key = ALICE.session) =>
  venue.patch(path, { marginChange }, { key, headers: { 'if-match': version } })

test('of those for one version one at most is accepted, however many come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 1, maxLength: 6 }),
      async (offsets) => {
        const { version, margin } = await held()
        const asked = offsets.map((offset) => move('1', `"${version + offset}"`))
        const statuses = (await Promise.all(asked)).map(({ status }) => status)
        const after = await held()
        const done = statuses.filter((status) => status === 200).length
        expect(done).toBe(after.version - version)
        expect(BigInt(after.margin) - BigInt(margin)).toBe(BigInt(done))
        expect(statuses.every((status) => [200, 409].includes(status))).toBe(true)
        // Those for the version that is there are one that is done, and others that come too late.
        expect(done >= 1).toBe(offsets.includes(0))
        for (const offset of [0, 1, 2]) {
          const those = statuses.filter((_, at) => offsets[at] === offset)
          expect(those.filter((status) => status === 200).length).toBeLessThanOrEqual(1)
        }
      },
    ),
    { numRuns: 20 },
  )
})

test('what it is refused with, and what is refused before', async () => {
  const { version } = await held()
  expect((await move('1', `"${version + 1}"`)).body).toMatchObject({
    statusCode: 409,
    error: 'position_changed',
  })
  for (const wrong of [`${version}`, '*', '"0"', '"-1"', `W/"${version}"`, `"${version}", "7"`, '""'])
    expect((await move('1', wrong)).body).toMatchObject({ error: 'validation_failed', details: ['if-match'] })
  expect((await move('1', '"1"', BOB.session)).body.error).toBe('account_access_denied')
  expect((await held()).version).toBe(version)
})

test('the client says it', async () => {
  const client = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.session })
  const { idx, version } = await held()
  const moved = await client.changeMargin(idx, '5', { version })
  expect(moved.version).toBe(version + 1)
  const again = client.changeMargin(idx, '5', { version })
  await expect(again).rejects.toThrow(ApiError)
  await expect(again).rejects.toMatchObject({ code: 'position_changed', statusCode: 409 })
})
