// Secrets are looked up, not searched for, and one stands for one thing (K10).

import { expect, test, vi } from 'vitest'
import { Authentication } from '../../src/host/authentication.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import * as secret from '../../src/host/secret.ts'
import { createEngine } from '../../src/index.ts'
import { ALICE, BOB, CONFIGURATION } from './venue.ts'

vi.mock('../../src/host/secret.ts', async (original) => {
  const actual = await original<typeof secret>()
  return { ...actual, sameHash: vi.fn(actual.sameHash) }
})

const { read } = createEngine({ at: 0 })

test('a token costs the same among a hundred thousand sessions as among one', () => {
  const sessions = Array.from({ length: 100_000 }, (_, at) => ({
    userId: `user ${at}`,
    token: `token ${at}`,
  }))
  const authentication = new Authentication(
    read,
    sessions.map(({ userId, token }) => ({ userId, token: token.replace(' ', '-') })),
    [],
  )
  const compared = vi.mocked(secret.sameHash)
  compared.mockClear()
  for (let at = 0; at < 100; at++) expect(authentication.principal(`Bearer wrong-${at}`, 0)).toBeNull()
  expect(compared.mock.calls.length).toBe(0)
  expect(authentication.principal('Bearer token-99999', 0)).toEqual({
    userId: 'user 99999',
    apiKey: false,
    keyId: null,
  })
  expect(compared.mock.calls.length).toBe(1)
})

test('what a stream began with is good for its caller until it expires, is withdrawn, or has become another’s', () => {
  const terms = { id: 'k', userId: 'u', hash: secret.hashOf('key'), expiresAt: 5 }
  const unwritten = new Map<string, typeof terms | null>([[terms.hash, terms]])
  const authentication = new Authentication(read, [{ userId: 'v', token: 'token' }], [], unwritten)
  const renewal = (token: string, userId: string) =>
    authentication.renewal(`Bearer ${token}`, { userId, apiKey: true, keyId: null })
  const byKey = renewal('key', 'u')
  expect([byKey(4), byKey(5), renewal('key', 'v')(4)]).toEqual([true, false, false])
  unwritten.set(terms.hash, { ...terms, expiresAt: 10 })
  expect([byKey(5), byKey(10)]).toEqual([true, false])
  unwritten.set(terms.hash, null)
  expect(byKey(4)).toBe(false)
  expect([renewal('token', 'v')(99), renewal('token', 'u')(99), renewal('other', 'v')(99)]).toEqual([
    true,
    false,
    false,
  ])
})

test('one secret for two things is refused, two operators of one name too', () => {
  const session = { userId: 'u', token: 'x' }
  const operator = { name: 'o', token: 'x', role: 'read' } as const
  const make = (...[sessions, operators]: [(typeof session)[], (typeof operator)[]]) =>
    new Authentication(read, sessions, operators)
  expect(() => make([session], [operator])).toThrow('one secret is used for two things')
  expect(() => make([session, session], [])).toThrow('one secret is used for two things')
  expect(() => make([], [operator, { ...operator, token: 'y' as 'x' }])).toThrow('two operators are called o')
  make([session], [{ ...operator, token: 'y' as 'x' }])
})

const [alice, bob] = CONFIGURATION.users
const named = { name: 'n', token: 't', role: 'read' }
test.each<[object, string]>([
  [{ operatorTokens: [{ ...named, token: CONFIGURATION.operatorToken }] }, 'operatorTokens[0].token'],
  [{ operatorTokens: [named, { ...named, name: 'm' }] }, 'operatorTokens[1].token'],
  [{ operatorTokens: [{ ...named, token: ALICE.session }] }, 'users[0].sessionToken'],
  [{ operatorToken: BOB.key }, 'users[1].apiKeys[0].key'],
  [{ users: [alice, { ...bob, sessionToken: ALICE.session }] }, 'users[1].sessionToken'],
  [{ users: [alice, { ...bob, apiKeys: [{ key: ALICE.key }] }] }, 'users[1].apiKeys[0].key'],
  [{ users: [{ ...alice, apiKeys: [{ key: 'k' }, { key: 'k' }] }] }, 'users[0].apiKeys[1].key'],
  [{ users: [{ ...alice, sessionToken: ALICE.key }] }, 'users[0].apiKeys[0].key'],
  [{ operatorTokens: [named, { ...named, token: 'u' }] }, 'operatorTokens[1].name'],
  [{ operatorTokens: [{ ...named, name: 'operator' }] }, 'operatorTokens[0].name'],
  [{ operatorTokens: [{ ...named, name: 'line\nbreak' }] }, 'operatorTokens[0].name'],
  [{ operatorTokens: [{ ...named, role: 'root' }] }, 'operatorTokens[0].role'],
  [{ operatorListen: '8080' }, 'operatorListen'],
  [{ operatorListen: '127.0.0.1:70000' }, 'operatorListen'],
  [{ operatorListen: '127.0.0.1:1', operatorToken: null }, 'operatorListen'],
])('the configuration %j is refused by path', (change, path) => {
  expect(() => readConfiguration(Buffer.from(JSON.stringify({ ...CONFIGURATION, ...change })))).toThrow(path)
})

test.each([
  ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
  ['operators.internal:81', { host: 'operators.internal', port: 81 }],
])('operators listen at %s', (operatorListen, address) => {
  const read = readConfiguration(Buffer.from(JSON.stringify({ ...CONFIGURATION, operatorListen })))
  expect(read.operatorListen).toEqual(address)
})
