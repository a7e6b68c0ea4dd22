// I6: keys are shown once, kept as hashes, and good until deleted, refreshed or expired.

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { hashOf } from '../../src/host/secret.ts'
import { openVenue } from '../../src/host/venue.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'
import { ALICE, BOB, CONFIGURATION, OPERATOR, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  venue = await startVenue()
})
afterAll(() => venue.venue.close())

const session = { key: ALICE.session }
const works = async (key: string) => (await venue.get('/accounts/with-risk-status', { key })).status === 200
const create = (body: object = { name: 'bot' }) => venue.post('/user/api-keys', body, session)

test('a key is made, listed without its secret, refreshed and deleted', async () => {
  const made = await create()
  expect(made.status).toBe(201)
  expect(Object.keys(made.body).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'key', 'name', 'prefix'])
  expect(made.body.key).toMatch(/^mtk_[A-Za-z0-9_-]{43}$/)
  expect(made.body.key.startsWith(made.body.prefix)).toBe(true)
  expect(made.body.expiresAt).toBe('2026-04-05T00:10:00.000Z')
  expect(await works(made.body.key)).toBe(true)

  const listed = await venue.get('/user/api-keys', session)
  const { key: secret, ...shown } = made.body
  expect(listed.body).toContainEqual(shown)
  expect(listed.text).not.toContain(secret)

  const refreshed = await venue.post(`/user/api-keys/${made.body.id}/refresh`, undefined, session)
  expect(refreshed).toMatchObject({ status: 200, body: { id: made.body.id, name: 'bot' } })
  expect(await works(made.body.key)).toBe(false)
  expect(await works(refreshed.body.key)).toBe(true)

  expect((await venue.delete(`/user/api-keys/${made.body.id.toUpperCase()}`, session)).status).toBe(200)
  expect(await works(refreshed.body.key)).toBe(false)
  expect((await venue.delete(`/user/api-keys/${made.body.id}`, session)).body).toMatchObject({
    error: 'validation_failed',
    details: ['id'],
  })
})

test('at exactly its expiry a key is over', async () => {
  const made = await create({ name: 'short', expiresAt: '2026-01-05T00:10:01.000Z' })
  await venue.advance(999)
  expect(await works(made.body.key)).toBe(true)
  await venue.advance(1)
  expect(await works(made.body.key)).toBe(false)
})

test.each([
  [{}, ['name']],
  [{ name: '' }, ['name']],
  [{ name: 'n'.repeat(256) }, ['name']],
  [{ name: 'n', expiresAt: '2020-01-01T00:00:00.000Z' }, ['expiresAt']],
  [{ name: 'n', expiresAt: '2027-02-30T00:00:00.000Z' }, ['expiresAt']],
  [{ name: 'n', expiresAt: 5 }, ['expiresAt']],
  [{ name: 'n', scope: 'all' }, ['scope']],
])('%j is refused', async (body, details) => {
  expect((await create(body)).body).toMatchObject({ error: 'validation_failed', details })
})

test('null is omitted', async () => {
  expect((await create({ name: 'n', expiresAt: null })).status).toBe(201)
})

test('keys manage no keys, and nobody touches those of others', async () => {
  const made = await create()
  expect((await venue.post('/user/api-keys', { name: 'x' })).body.error).toBe('api_key_not_allowed')
  for (const call of [
    venue.delete(`/user/api-keys/${made.body.id}`, { key: BOB.session }),
    venue.post(`/user/api-keys/${made.body.id}/refresh`, undefined, { key: BOB.session }),
  ])
    expect((await call).body).toMatchObject({ error: 'validation_failed', details: ['id'] })
  expect(await works(made.body.key)).toBe(true)
})

describe('all bad keys get the same code, and nobody learns of a secret they do not hold (I6)', () => {
  const told = async (call: Parameters<typeof venue.get>[1], at = '/accounts/with-risk-status') => {
    const { status, body } = await venue.get(at, call)
    expect([status, body.error]).toEqual([401, 'session_expired'])
    return body.message as string
  }

  test("of a wrong one the same is said as of one that is revoked, refreshed, or the operator's", async () => {
    const [revoked, refreshed] = [await create(), await create()]
    await venue.delete(`/user/api-keys/${revoked.body.id}`, { key: ALICE.session })
    await venue.post(`/user/api-keys/${refreshed.body.id}/refresh`, undefined, { key: ALICE.session })
    const keys = ['mtk_unknown', ALICE.key.slice(0, -1), `${ALICE.key}x`, OPERATOR]
    const sentences = await Promise.all(
      [...keys, revoked.body.key, refreshed.body.key].map((key) => told({ key })),
    )
    expect(new Set(sentences).size).toBe(1)
    expect(sentences[0]).toContain('it is wrong, or was revoked or refreshed')
  })

  test('whoever holds one that has expired is told so', async () => {
    const { engine } = venue.venue
    const expiresAt = engine.now + 1
    engine.dispatch({
      type: 'registerApiKey',
      ...{
        keyId: BOB.accountId,
        userId: BOB.userId,
        name: 'short',
        hash: hashOf('mtk_short'),
        prefix: 'mtk',
        expiresAt,
      },
    })
    engine.dispatch({ type: 'advanceTime', ms: 1 })
    expect(await told({ key: 'mtk_short' })).toBe('The key has expired.')
  })

  test('no header and another form of it are told', async () => {
    expect(await told({ key: null })).toContain('There is no Authorization header')
    for (const authorization of [`Basic ${ALICE.key}`, `Bearer ${ALICE.key} x`, 'Bearer', 'Bearer  '])
      expect(await told({ headers: { authorization } })).toContain('does not have the form Bearer KEY')
  })

  test("a path that is the operators' alone looks like one that is not there", async () => {
    for (const call of [{ key: null }, { key: 'mtk_unknown' }, { headers: { authorization: 'Basic x' } }])
      expect(await told(call, '/operator/health')).toBe(await told(call, '/nowhere'))
  })

  test('who is somebody is told that a path is not there, under the codes of I7', async () => {
    expect(await told({ key: ALICE.session }, '/nowhere')).toContain('There is no such path here')
    const { status, body } = await venue.get('/nowhere')
    expect([status, body.error]).toEqual([403, 'api_key_not_allowed'])
    expect(body.message).toContain('There is no such path here for API keys')
  })
})

test('the log holds hashes only', async () => {
  const made = await create()
  const commits = await venue.get('/operator/commits?limit=1000', { key: OPERATOR })
  expect(commits.text).toContain('apiKeyRegistered')
  for (const secret of [made.body.key, ALICE.key, ALICE.session, OPERATOR])
    expect(commits.text).not.toContain(`"${secret}"`)
})

test('keys survive a restart; a revoked configured key stays dead, a new one is added', async () => {
  const store = new MemoryStore()
  const read = (configuration: object) => readConfiguration(Buffer.from(JSON.stringify(configuration)))
  const first = await openVenue(read(CONFIGURATION), { store })
  const [alice] = first.engine.read.apiKeys(ALICE.userId)
  const [bob] = first.engine.read.apiKeys(BOB.userId)
  const key = { keyId: bob?.id as string, userId: BOB.userId, hash: 'f'.repeat(64), prefix: 'mtk_new' }
  await first.engine.send({ type: 'revokeApiKey', keyId: alice?.id as string, userId: ALICE.userId })
  await first.engine.send({ type: 'refreshApiKey', ...key })
  const hash = first.engine.stateHash()

  const second = await openVenue(read(CONFIGURATION), { store })
  expect(second.engine.stateHash()).toBe(hash)
  expect(second.engine.read.apiKeys(ALICE.userId)).toEqual([])
  expect(second.engine.read.apiKeyWithHash('f'.repeat(64))?.userId).toBe(BOB.userId)
  const [user] = CONFIGURATION.users
  const grown = {
    ...CONFIGURATION,
    users: [{ ...user, apiKeys: [...(user?.apiKeys ?? []), { key: 'mtk_second' }] }],
  }
  const third = await openVenue(read(grown), { store })
  expect(third.engine.read.apiKeys(ALICE.userId).map(({ prefix }) => prefix)).toEqual(['mtk'])
  expect(third.ignored).toEqual(['users[0].apiKeys[0]: the key was revoked and stays so'])
})

describe('K3: a user has at most twenty live keys', () => {
  const limited = async (
    run: (venue: VenueUnderTest, made: { id: string; key: string }[]) => Promise<void>,
  ) => {
    const own = await startVenue()
    const made = []
    for (let at = 0; at < 19; at++) made.push((await own.post('/user/api-keys', { name: 'n' }, session)).body)
    await run(own, made)
    await own.venue.close()
  }

  test('the configured one counts; deleting makes room; other users are not concerned', () =>
    limited(async (own, [first]) => {
      const refused = await own.post('/user/api-keys', { name: 'n' }, session)
      expect(refused).toMatchObject({ status: 400, body: { error: 'too_many_api_keys' } })
      expect((await own.post('/user/api-keys', { name: 'n' }, { key: BOB.session })).status).toBe(201)
      expect((await own.post(`/user/api-keys/${first?.id}/refresh`, undefined, session)).status).toBe(200)
      await own.delete(`/user/api-keys/${first?.id}`, session)
      expect((await own.post('/user/api-keys', { name: 'n' }, session)).status).toBe(201)
      expect((await own.post('/user/api-keys', { name: 'n' }, session)).status).toBe(400)
    }))

  test('at exactly its expiry a key makes room, and refreshing it needs room again', () =>
    limited(async (own) => {
      await own.delete(`/user/api-keys/${(await own.get('/user/api-keys', session)).body[5].id}`, session)
      const short = { name: 'short', expiresAt: '2026-01-05T00:10:01.000Z' }
      const { body: made } = await own.post('/user/api-keys', short, session)
      await own.advance(999)
      expect((await own.post('/user/api-keys', { name: 'n' }, session)).status).toBe(400)
      await own.advance(1)
      const refresh = () => own.post(`/user/api-keys/${made.id}/refresh`, undefined, session)
      expect((await refresh()).status).toBe(200)
      expect((await own.post('/user/api-keys', { name: 'n' }, session)).status).toBe(400)
    }))

  test('an expired key cannot come back over the limit', () =>
    limited(async (own, [first]) => {
      await own.delete(`/user/api-keys/${first?.id}`, session)
      const short = { name: 'short', expiresAt: '2026-01-05T00:10:01.000Z' }
      const { body: made } = await own.post('/user/api-keys', short, session)
      const { engine } = own.venue
      await own.advance(1_000)
      // As an operator with a larger limit would have left it.
      const more = { userId: ALICE.userId, name: 'n', prefix: 'mtk' }
      engine.dispatch({ type: 'registerApiKey', ...more, keyId: 'c'.repeat(36), hash: 'f'.repeat(64) })
      const refused = await own.post(`/user/api-keys/${made.id}/refresh`, undefined, session)
      expect(refused.body.error).toBe('too_many_api_keys')
    }))

  test('the host sets the limit', async () => {
    const own = await startVenue({ ...CONFIGURATION, maxApiKeysPerUser: 2 })
    expect((await own.post('/user/api-keys', { name: 'n' }, session)).status).toBe(201)
    expect((await own.post('/user/api-keys', { name: 'n' }, session)).body.error).toBe('too_many_api_keys')
    await own.venue.close()
  })

  test('requests at the same time do not get past it', async () => {
    const own = await startVenue({ ...CONFIGURATION, maxApiKeysPerUser: 5 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => own.post('/user/api-keys', { name: 'n' }, session)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
    await own.venue.close()
  })
})

test('an answer that shows a secret must not be kept on the way', async () => {
  const made = await create()
  const refreshed = await venue.post(`/user/api-keys/${made.body.id}/refresh`, undefined, session)
  for (const { headers, body } of [made, refreshed]) {
    expect(body.key).toMatch(/^mtk_/)
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

describe('an operator revokes a key', () => {
  const operate = async (command: object) =>
    (await venue.post('/operator/commands', { type: 'revokeApiKey', ...command }, { key: OPERATOR })).body
      .results[0]
  const hashed = (key: string) => createHash('sha256').update(key).digest('hex')

  test('by its id, by its hash, and of whom', async () => {
    const [one, two] = [await create(), await create()]
    expect(await operate({ keyId: one.body.id.toUpperCase(), userId: BOB.userId })).toMatchObject({
      ok: false,
    })
    expect(await works(one.body.key)).toBe(true)
    expect(await operate({ keyId: one.body.id.toUpperCase(), userId: ALICE.userId })).toMatchObject({
      ok: true,
    })
    expect(await works(one.body.key)).toBe(false)
    expect(await operate({ hash: hashed(two.body.key).toUpperCase() })).toMatchObject({ ok: true })
    expect(await works(two.body.key)).toBe(false)
    expect(await operate({ hash: hashed(two.body.key) })).toMatchObject({
      ok: false,
      error: 'validation_failed',
    })
    expect(await operate({ hash: hashed('unknown') })).toMatchObject({ ok: false })
    expect(await operate({})).toMatchObject({ ok: false })
    const both = { keyId: one.body.id, hash: hashed(one.body.key) }
    expect(await operate(both)).toMatchObject({ ok: false, error: 'validation_failed' })
  })
})
