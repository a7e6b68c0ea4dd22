// I6, K3 and K11: keys come, change and go; what is kept of them is bounded, and a snapshot keeps all of it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { configuredKeyId } from '../../../../src/domain/formulas/configuredKeyId.ts'
import { ApiKeys, isLive } from '../../../../src/domain/state/apiKey.ts'
import { type Command, createEngine, type Engine, openEngine } from '../../../../src/index.ts'
import { MemoryStore } from '../../../../src/store/memoryStore.ts'

const USERS = ['u1', 'u2'] as const
const hashOf = (n: number) => n.toString(16).padStart(64, '0')
const register = (n: number, more: object = {}): Command => ({
  type: 'registerApiKey',
  keyId: `key-${n}`,
  userId: 'u1',
  name: 'n',
  hash: hashOf(n),
  prefix: 'mtk_',
  maxLive: 3,
  ...more,
})
const configured = (n: number, more: object = {}) =>
  register(n, { keyId: configuredKeyId(hashOf(n)), maxLive: null, ...more })

function send(engine: Engine, command: Command, at = engine.now): string {
  const outcome = engine.dispatch(command, { at })
  return outcome.ok ? 'ok' : [outcome.error.code, ...(outcome.error.details ?? [])].join(' ')
}

test('ten thousand keys that come and go leave no more than the limit behind', () => {
  const engine = createEngine({ at: 0 })
  for (let n = 0; n < 10_000; n++) {
    expect(send(engine, register(n))).toBe('ok')
    expect(send(engine, { type: 'revokeApiKey', keyId: `key-${n}`, userId: 'u1' })).toBe('ok')
  }
  const known = Array.from({ length: 10_000 }, (_, n) => engine.read.apiKey(`key-${n}`)).filter(Boolean)
  expect(known.length).toBe(1)
})

test('keys that expire are forgotten like those that are revoked, and not before', () => {
  const engine = createEngine({ at: 1_000 })
  for (let n = 0; n < 3; n++) expect(send(engine, register(n, { expiresAt: 2_000 + n }))).toBe('ok')
  expect(send(engine, register(3))).toBe('too_many_api_keys')
  expect(send(engine, register(3), 2_000)).toBe('ok')
  expect([0, 1, 2, 3].map((n) => engine.read.apiKey(`key-${n}`) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('no two keys have one hash, its own before a refresh included', () => {
  const engine = createEngine({ at: 0 })
  const refresh = (n: number): Command => ({
    type: 'refreshApiKey',
    keyId: 'key-1',
    userId: 'u1',
    hash: hashOf(n),
    prefix: 'x',
  })
  for (const n of [1, 2]) expect(send(engine, register(n))).toBe('ok')
  const { head } = engine
  expect(send(engine, register(3, { hash: hashOf(2) }))).toBe('validation_failed hash')
  for (const n of [1, 2]) expect(send(engine, refresh(n))).toBe('validation_failed hash')
  expect(engine.head).toBe(head)
  expect(send(engine, refresh(3))).toBe('ok')
  expect(send(engine, register(4, { hash: hashOf(1) }))).toBe('ok')
})

describe('keys of the configuration', () => {
  const id = configuredKeyId(hashOf(1))

  test('are told by id and hash, whatever they are called', () => {
    const engine = createEngine({ at: 0 })
    send(engine, configured(1))
    send(engine, register(2, { name: 'configured' }))
    expect(engine.read.configuredApiKeys().map((key) => key.id)).toEqual([id])
    send(engine, { type: 'refreshApiKey', keyId: id, userId: 'u1', hash: hashOf(3), prefix: 'x' })
    expect(engine.read.apiKey(id)?.configured).toBe(true)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('that are revoked stay known, so that they stay revoked', () => {
    const engine = createEngine({ at: 0 })
    send(engine, configured(1))
    send(engine, { type: 'revokeApiKey', hash: hashOf(1) })
    send(engine, register(2))
    expect(engine.read.apiKey(id)).toMatchObject({ revoked: true })
    expect(send(engine, configured(1))).toBe('validation_failed keyId')
  })

  test('that are withdrawn end at once and may come again', () => {
    const engine = createEngine({ at: 0 })
    send(engine, configured(1))
    expect(send(engine, { type: 'withdrawApiKey', keyId: id })).toBe('ok')
    expect(engine.read.apiKeyWithHash(hashOf(1))).toBeUndefined()
    expect(send(engine, { type: 'withdrawApiKey', keyId: id })).toBe('validation_failed keyId')
    expect(send(engine, configured(1))).toBe('ok')
    expect(engine.read.apiKeyWithHash(hashOf(1))?.id).toBe(id)
  })

  test('alone are withdrawn and amended', () => {
    const engine = createEngine({ at: 0 })
    send(engine, register(1))
    expect(send(engine, { type: 'withdrawApiKey', keyId: 'key-1' })).toBe('validation_failed keyId')
    expect(send(engine, { type: 'amendApiKey', keyId: 'key-1', userId: 'u2' })).toBe(
      'validation_failed keyId',
    )
  })

  test('change hands and ends; what is the same already is no commit', () => {
    const engine = createEngine({ at: 0 })
    send(engine, configured(1))
    expect(send(engine, { type: 'amendApiKey', keyId: id, userId: 'u2', expiresAt: 5 })).toBe('ok')
    expect(engine.read.apiKeys('u1')).toEqual([])
    expect(engine.read.apiKeys('u2')).toMatchObject([{ id, userId: 'u2', expiresAt: 5 }])
    expect(engine.read.apiKeyWithHash(hashOf(1))).toMatchObject({ userId: 'u2' })
    const { head } = engine
    expect(send(engine, { type: 'amendApiKey', keyId: id, userId: 'u2', expiresAt: 5 })).toBe('ok')
    expect(engine.head).toBe(head)
  })
})

/** Any key command on few keys of few users. */
const commands = fc.array(
  fc.tuple(
    fc.constantFrom(
      'register',
      'register',
      'register',
      'configured',
      'refresh',
      'revoke',
      'revokeHash',
      'amend',
      'withdraw',
    ),
    fc.nat({ max: 11 }),
    fc.constantFrom(...USERS),
    fc.option(fc.nat({ max: 200 })),
  ),
  { minLength: 30, maxLength: 120, size: 'max' },
)

function commandOf(
  kind: string,
  n: number,
  userId: string,
  expiresAt: number | null,
  fresh: number,
): Command {
  const keyId = n % 2 === 0 ? `key-${n}` : configuredKeyId(hashOf(n))
  const secret = { hash: hashOf(100 + fresh), prefix: 'x', expiresAt, maxLive: 3 }
  switch (kind) {
    case 'register':
      return register(n - (n % 2), { userId, expiresAt })
    case 'configured':
      return configured(n | 1, { userId, expiresAt })
    case 'refresh':
      return { type: 'refreshApiKey', keyId, userId, ...secret }
    case 'revoke':
      return { type: 'revokeApiKey', keyId, userId }
    case 'revokeHash':
      return { type: 'revokeApiKey', hash: hashOf(n) }
    case 'amend':
      return { type: 'amendApiKey', keyId, userId, expiresAt }
    default:
      return { type: 'withdrawApiKey', keyId }
  }
}

test('after any commands: limits hold, indexes agree, a restart from log or snapshot knows the same', async () => {
  let [accepted, full] = [0, 0]
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      const store = new MemoryStore()
      const engine = await openEngine({ store, at: 0 })
      for (const [at, [kind, n, userId, expiresAt]] of steps.entries()) {
        const limited = kind === 'register' || kind === 'refresh'
        const before = engine.read.apiKeys(userId).filter((key) => isLive(key, at)).length
        const result = send(engine, commandOf(kind, n, userId, expiresAt, at), at)
        if (result === 'ok') accepted += 1
        if (result === 'too_many_api_keys') full += 1
        const after = engine.read.apiKeys(userId).filter((key) => isLive(key, at)).length
        if (limited && after > before) expect(after).toBeLessThanOrEqual(3)
        for (const user of USERS)
          for (const key of engine.read.apiKeys(user)) {
            expect(key.userId).toBe(user)
            expect(engine.read.apiKey(key.id)).toBe(key)
            expect(engine.read.apiKeyWithHash(key.hash)).toBe(key)
          }
      }
      const shown = (one: Engine) => [one.stateHash(), USERS.map((user) => one.read.apiKeys(user))]
      const was = shown(engine)
      await engine.whenDurable()
      expect(shown(await openEngine({ store }))).toEqual(was)
      await engine.saveSnapshot()
      expect(shown(await openEngine({ store }))).toEqual(was)
    }),
    { numRuns: 60 },
  )
  expect(accepted).toBeGreaterThan(400)
  expect(full).toBeGreaterThan(4)
})

test('an old hash of a key that was amended or forgotten opens nothing', () => {
  const keys = new ApiKeys()
  const key = {
    id: 'k',
    userId: 'u1',
    name: 'n',
    createdAt: 0,
    hash: 'h',
    prefix: 'p',
    expiresAt: null,
    revoked: false,
    configured: true,
  }
  keys.add(key)
  keys.revoke(key)
  keys.add({ ...key, id: 'l', userId: 'u2' })
  keys.forget({ ...key, revoked: true })
  expect(keys.withHash('h')?.id).toBe('l')
  keys.forget({ ...key, id: 'l', userId: 'u2' })
  expect(keys.withHash('h')).toBeUndefined()
  expect([...keys.all(), ...keys.ofUser('u1'), ...keys.ofUser('u2')]).toEqual([])
})
