// K11: the configuration is the truth about the keys and tokens it names; every other difference is told.

import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { hashOf } from '../../src/host/secret.ts'
import { openVenue, type Venue } from '../../src/host/venue.ts'
import type { Commit } from '../../src/index.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'
import { ALICE, account, BOB, BTC, CONFIGURATION, market } from './venue.ts'

const START = Date.parse('2026-01-05T00:10:00.000Z')
const read = (configuration: object) => readConfiguration(Buffer.from(JSON.stringify(configuration)))
type Key = { readonly key: string; readonly expiresAt?: string | null }
const withKeys = (alice: readonly Key[], bob: readonly Key[] = []) => ({
  ...CONFIGURATION,
  users: [
    { id: ALICE.userId, sessionToken: ALICE.session, apiKeys: alice },
    { id: BOB.userId, sessionToken: BOB.session, apiKeys: bob },
  ],
})

/** Starts a venue on what the one before has left, and sends it commands. */
class Restarts {
  readonly store = new MemoryStore()
  #venue: Venue | undefined

  async start(configuration: object): Promise<Venue> {
    this.#venue = await openVenue(read(configuration), { store: this.store })
    return this.#venue
  }

  /** Whose key it is, where it is one that works now. */
  userOf(key: string): string | null {
    const { engine } = this.#venue as Venue
    const found = engine.read.apiKeyWithHash(hashOf(key))
    return found === undefined || (found.expiresAt ?? Number.POSITIVE_INFINITY) <= engine.now
      ? null
      : found.userId
  }

  async commits(): Promise<Commit[]> {
    const commits: Commit[] = []
    for await (const run of this.store.read(1)) commits.push(...run)
    return commits
  }
}

describe('a key of the configuration', () => {
  test('that has left it is revoked by a commit, and comes again with it', async () => {
    const venue = new Restarts()
    await venue.start(withKeys([{ key: 'one' }, { key: 'two' }]))
    expect(venue.userOf('one')).toBe(ALICE.userId)
    await venue.start(withKeys([{ key: 'two' }]))
    expect([venue.userOf('one'), venue.userOf('two')]).toEqual([null, ALICE.userId])
    const { events } = (await venue.commits()).at(-1) as Commit
    expect(events.map(({ type }) => type)).toEqual(['apiKeyRevoked', 'apiKeyForgotten'])
    await venue.start(withKeys([{ key: 'one' }, { key: 'two' }]))
    expect(venue.userOf('one')).toBe(ALICE.userId)
  })

  test('leaves with its user, and with all of them', async () => {
    const venue = new Restarts()
    await venue.start(withKeys([{ key: 'one' }], [{ key: 'two' }]))
    await venue.start({ ...CONFIGURATION, users: [] })
    expect([venue.userOf('one'), venue.userOf('two')]).toEqual([null, null])
  })

  test('that moves to another user is theirs', async () => {
    const venue = new Restarts()
    await venue.start(withKeys([{ key: 'one' }]))
    const { ignored } = await venue.start(withKeys([], [{ key: 'one' }]))
    expect(venue.userOf('one')).toBe(BOB.userId)
    expect(ignored).toEqual([])
  })

  test('expires as the file says, sooner, later, now or never', async () => {
    const venue = new Restarts()
    for (const [expiresAt, works] of [
      [null, true],
      ['2026-01-05T00:10:00.001Z', true],
      ['2026-01-05T00:10:00.000Z', false],
      ['2027-01-05T00:10:00.000Z', true],
      ['2020-01-01T00:00:00.000Z', false],
      [null, true],
    ] as const) {
      await venue.start(withKeys([{ key: 'one', expiresAt }]))
      expect(venue.userOf('one') !== null, String(expiresAt)).toBe(works)
    }
  })

  test('starting again with the same file is no commit', async () => {
    const venue = new Restarts()
    const file = withKeys([{ key: 'one' }, { key: 'two', expiresAt: '2020-01-01T00:00:00.000Z' }])
    const { engine } = await venue.start(file)
    const { head } = engine
    expect((await venue.start(file)).engine.head).toBe(head)
  })

  test('that its user or an operator has revoked stays so, and that is told', async () => {
    const venue = new Restarts()
    const { engine } = await venue.start(withKeys([{ key: 'one' }]))
    await engine.send({ type: 'revokeApiKey', hash: hashOf('one') })
    for (const users of [[{ key: 'one' }], [], [{ key: 'one' }]]) {
      const { ignored } = await venue.start(withKeys(users))
      expect(venue.userOf('one')).toBeNull()
      expect(ignored).toEqual(
        users.length === 0 ? [] : ['users[0].apiKeys[0]: the key was revoked and stays so'],
      )
    }
  })

  describe('with another secret since', () => {
    const refreshed = async () => {
      const venue = new Restarts()
      const { engine } = await venue.start(withKeys([{ key: 'one' }]))
      const keyId = engine.read.apiKeyWithHash(hashOf('one'))?.id as string
      const secret = { hash: hashOf('new'), prefix: 'new', expiresAt: START + 1_000 }
      await engine.send({ type: 'refreshApiKey', keyId, userId: ALICE.userId, ...secret })
      return venue
    }

    test('keeps the new one, and the dead one is told', async () => {
      const venue = await refreshed()
      const { ignored } = await venue.start(withKeys([{ key: 'one' }]))
      expect([venue.userOf('one'), venue.userOf('new')]).toEqual([null, ALICE.userId])
      expect(ignored).toEqual([
        'users[0].apiKeys[0]: the key was given another secret, the one in the file is dead',
      ])
    })

    test('ends when it leaves the file, and when it expires there, but lives no longer for it', async () => {
      const venue = await refreshed()
      const { engine } = await venue.start(withKeys([{ key: 'one', expiresAt: '2027-01-05T00:10:00.000Z' }]))
      expect(engine.read.apiKeyWithHash(hashOf('new'))?.expiresAt).toBe(START + 1_000)
      await venue.start(withKeys([{ key: 'one', expiresAt: '2026-01-05T00:10:00.000Z' }]))
      expect(venue.userOf('new')).toBeNull()
      const other = await refreshed()
      await other.start(withKeys([]))
      expect(other.userOf('new')).toBeNull()
    })

    test('does not take its user into the account of another: it ends for good', async () => {
      const venue = await refreshed()
      const { ignored } = await venue.start(withKeys([], [{ key: 'one' }]))
      expect([venue.userOf('one'), venue.userOf('new')]).toEqual([null, null])
      expect(ignored).toEqual(['users[1].apiKeys[0]: the key was revoked and stays so'])
    })
  })

  test('is no model for those that users made, whatever they are called', async () => {
    const venue = new Restarts()
    const { engine } = await venue.start(withKeys([]))
    const made = { keyId: ALICE.accountId, userId: ALICE.userId, name: 'configured', prefix: 'x' }
    await engine.send({ type: 'registerApiKey', ...made, hash: hashOf('mine') })
    await venue.start(withKeys([]))
    expect(venue.userOf('mine')).toBe(ALICE.userId)
    const { engine: third } = await venue.start({ ...CONFIGURATION, users: [] })
    expect(third.read.apiKeyWithHash(hashOf('mine'))?.userId).toBe(ALICE.userId)
  })

  test('of a log of 0.1.0 is known by its id too', async () => {
    const venue = new Restarts()
    const { engine } = await venue.start(withKeys([{ key: 'one' }]))
    // What 0.1.0 derived: a change of the form would leave its keys to nobody.
    expect(engine.read.apiKeyWithHash(hashOf('one'))?.id).toBe('63b52b09-f747-4bc2-af04-82a8090e0828')
  })
})

test.each([
  ['operatorToken', { operatorToken: 'was a key' }],
  ['operatorTokens[0].token', { operatorTokens: [{ name: 'n', token: 'was a key', role: 'read' }] }],
  ['users[0].sessionToken', { users: [{ id: ALICE.userId, sessionToken: 'was a key' }] }],
])('%s must not be a key that a user made', async (path, change) => {
  const venue = new Restarts()
  const { engine } = await venue.start(CONFIGURATION)
  const made = { keyId: ALICE.accountId, userId: ALICE.userId, name: 'n', prefix: 'x' }
  await engine.send({ type: 'registerApiKey', ...made, hash: hashOf('was a key') })
  await expect(venue.start({ ...CONFIGURATION, ...change })).rejects.toThrow(`${path} is an API key`)
})

describe('differences', () => {
  const [btc, gold] = CONFIGURATION.markets
  const of = async (change: object, first: object = CONFIGURATION) => {
    const venue = new Restarts()
    await venue.start(first)
    return (await venue.start({ ...first, ...change })).ignored
  }

  test.each<[object, string]>([
    [{ status: 'paused' }, 'status is open in the log, paused'],
    [{ spread: '1' }, 'spread is 0% in the log, 0.0000001%'],
    [{ maxOrderNotional: '5' }, 'maxOrderNotional is null in the log, 0.000000005 USD'],
    [{ maxLeverage: '50x' }, 'maxLeverage is 100x in the log, 50x'],
    [{ scalpingCoefficient: '1.5x' }, 'scalpingCoefficient is 1x in the log, 1.5x'],
    [{ ticker: 'B/U' }, 'ticker is BTC/USD in the log, B/U'],
  ])('of a market: %j', async (change, told) => {
    const line = `market ${BTC}: ${told} was not applied`
    expect(await of({ markets: [{ ...btc, ...change }, gold] })).toEqual([line])
  })

  test.each<[object, string]>([
    [{ status: 'frozen' }, 'status is active in the log, frozen'],
    [{ phase: null }, 'phase is active_evaluation in the log, null'],
    [{ apiTrading: false }, 'apiTrading is true in the log, false'],
    [{ loaded: false }, 'loaded is true in the log, false'],
    [{ locked: true }, 'locked is false in the log, true'],
    [{ balance: '1' }, 'balance is 10000 USD in the log, 0.000000001 USD'],
    [{ userId: BOB.userId }, `userId is ${ALICE.userId} in the log, ${BOB.userId}`],
    [{ maxActiveOrders: null }, 'maxActiveOrders is 500 in the log, null'],
    [{ allowedCategories: ['rwa'] }, 'allowedCategories is [crypto,rwa] in the log, [rwa]'],
  ])('of an account: %j', async (change, told) => {
    const line = `account ${ALICE.accountId}: ${told} was not applied`
    expect(await of({ accounts: [account(ALICE, change), account(BOB)] })).toEqual([line])
  })

  test('null against a set limit is one', async () => {
    const first = {
      ...CONFIGURATION,
      markets: [market(BTC, 'BTC', 'crypto', { maxOrderNotional: '5' }), gold],
    }
    const change = { markets: [market(BTC, 'BTC', 'crypto', { maxOrderNotional: null }), gold] }
    const line = `market ${BTC}: maxOrderNotional is 0.000000005 USD in the log, null was not applied`
    expect(await of(change, first)).toEqual([line])
  })

  test('what is left out, the order of a list, a null that means the default and a price are none', async () => {
    const quiet = market(BTC, 'BTC', 'crypto', { spread: null, indexPrice: '1', priceAt: null })
    const change = {
      markets: [{ ...quiet, feeRate: undefined }, gold],
      accounts: [account(ALICE, { allowedCategories: ['rwa', 'crypto'], profitTarget: null }), account(BOB)],
    }
    expect(await of(change)).toEqual([])
  })
})

describe('a large configuration', () => {
  const accounts = Array.from({ length: 40_000 }, (_, n) => {
    const id = `d0000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    return { id, userId: ALICE.userId, balance: '1' }
  })

  test('is seeded in few flushes', async () => {
    let flushes = 0
    class Counting extends MemoryStore {
      override append(...terms: Parameters<MemoryStore['append']>) {
        flushes += 1
        return super.append(...terms)
      }
    }
    const few = { ...CONFIGURATION, accounts: accounts.slice(0, 3_000) }
    const { engine } = await openVenue(read(few), { store: new Counting() })
    expect(engine.head).toBeGreaterThan(3_000)
    expect(flushes).toBeLessThan(30)
  })

  test('is checked, and a repetition at its end found', () => {
    expect(() => read({ ...CONFIGURATION, accounts: [...accounts, accounts[7]] })).toThrow(
      'accounts[40000].id',
    )
  })
})
