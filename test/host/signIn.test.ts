// What a token is good for, as the console is told: never a refusal, and never more than the address may know (K10).

import { afterEach, expect, test } from 'vitest'
import { MOST_WRONG } from '../../src/host/wrongTokens.ts'
import { ALICE, CONFIGURATION, OPERATOR, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
afterEach(() => venue.venue.close())

const signedIn = (key: string | null) => venue.get('/console/sign-in', { key })

test('a key, a session and an operator are told apart, and what is good for nothing is told why', async () => {
  venue = await startVenue()
  for (const [token, told] of [
    [ALICE.key, { role: 'trader' }],
    [ALICE.session, { role: 'trader' }],
    [OPERATOR, { role: 'operator', name: 'operator' }],
  ] as const) {
    const { status, body, headers } = await signedIn(token)
    expect([status, body]).toEqual([200, { ...told, message: null }])
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await signedIn(`${OPERATOR}x`)).body).toEqual({
    role: null,
    message: expect.stringMatching(/wrong/),
  })
  expect((await signedIn(null)).body).toEqual({
    role: null,
    message: expect.stringMatching(/no Authorization/),
  })
})

test('whoever guesses here has to wait as on the routes of operators, and no trader is held to be guessing', async () => {
  venue = await startVenue()
  for (let count = 0; count <= MOST_WRONG; count++) expect((await signedIn(ALICE.key)).status).toBe(200)
  for (let count = 0; count < MOST_WRONG; count++)
    expect((await signedIn(`guess-${count}`)).body.role).toBeNull()
  for (const path of ['/console/sign-in', '/operator/health'])
    expect((await venue.get(path, { key: OPERATOR })).status).toBe(429)
  expect((await signedIn(ALICE.key)).body.role).toBe('trader')
})

test('where operators have an address of their own each address knows its own tokens alone', async () => {
  venue = await startVenue({ ...CONFIGURATION, operatorListen: '127.0.0.1:0' } as never)
  const { operatorUrl } = venue.venue
  const roleAt = async (url: string | null, token: string) => {
    const response = await fetch(`${url}/console/sign-in`, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { role: string | null }).role
  }
  expect(await roleAt(venue.venue.url, OPERATOR)).toBeNull()
  expect(await roleAt(venue.venue.url, ALICE.key)).toBe('trader')
  expect(await roleAt(operatorUrl, OPERATOR)).toBe('operator')
  expect(await roleAt(operatorUrl, ALICE.session)).toBeNull()
})
