// The configuration file is checked to its last key, and every fault is named by its path.

import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { openVenue } from '../../src/host/venue.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'
import { ALICE, BTC, CONFIGURATION, market } from './venue.ts'

const read = (configuration: unknown) => readConfiguration(Buffer.from(JSON.stringify(configuration)))
const [btc] = CONFIGURATION.markets
const [alice] = CONFIGURATION.accounts

test('the least a configuration can say has the documented defaults', async () => {
  const configuration = read({
    clock: { mode: 'manual', start: '2026-01-05T00:10:00.000Z' },
    markets: [{ id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' }],
    accounts: [{ id: ALICE.accountId, userId: ALICE.userId, balance: '1000000000' }],
  })
  expect(configuration).toMatchObject({ rateLimit: { perSecond: 10, perMinute: 60 }, feed: null })
  const { engine } = await openVenue(configuration)
  expect(engine.read.markets()[0]).toMatchObject({ config: { feeRate: 800_000n }, state: { indexPrice: 0n } })
  expect(engine.read.accounts()[0]).toMatchObject({ status: 'active', apiTrading: true, type: 'demo' })
})

test('what a feed says is taken, what it leaves out has a default', () => {
  const feedOf = (feed: object) => read({ ...CONFIGURATION, clock: { mode: 'system' }, feed }).feed
  const replay = { kind: 'replay', file: 'prices.csv', marketId: BTC }
  expect(feedOf({ ...replay, marketId: BTC.toUpperCase() })).toEqual({ ...replay, speed: 1 })
  expect(feedOf({ ...replay, speed: 0.5 })).toEqual({ ...replay, speed: 0.5 })
  const simulated = { kind: 'simulated', seed: 'demo', intervalMs: 1_000, step: 500_000n }
  expect(feedOf({ kind: 'simulated' })).toEqual(simulated)
  expect(feedOf({ kind: 'simulated', seed: 's', intervalMs: 20, step: '3' })).toEqual({
    ...simulated,
    seed: 's',
    intervalMs: 20,
    step: 3n,
  })
})

describe('refused, by path', () => {
  test.each<[object, string]>([
    [{ colour: 'red' }, 'colour'],
    [{ clock: { mode: 'manual', begin: 'now' } }, 'clock.begin'],
    [{ clock: { mode: 'lunar' } }, 'clock.mode'],
    [{ clock: { mode: 'manual', start: 'yesterday' } }, 'clock.start'],
    [{ rateLimit: { perSecond: 0 } }, 'rateLimit.perSecond'],
    [{ rateLimit: { perHour: 1 } }, 'rateLimit.perHour'],
    [{ feed: { kind: 'simulated', intervalMs: 1 } }, 'feed'],
    [{ markets: [{ ...btc, spred: '0' }] }, 'markets[0].spred'],
    [{ markets: [btc, { ...btc, spread: 0 }] }, 'markets[1].spread'],
    [{ markets: [{ id: BTC }] }, 'markets[0].baseAsset'],
    [{ markets: [btc, btc] }, 'markets[1].id'],
    [{ markets: [{ ...btc, id: 'one' }] }, 'markets[0].id'],
    [{ users: [{ id: ALICE.userId, apiKeys: [{ key: 'k', until: null }] }] }, 'users[0].apiKeys[0].until'],
    [
      { users: [{ id: ALICE.userId, apiKeys: [{ key: 'k', expiresAt: 'x' }] }] },
      'users[0].apiKeys[0].expiresAt',
    ],
    [{ accounts: [{ ...alice, ballance: '1' }] }, 'accounts[0].ballance'],
    [{ accounts: [{ id: ALICE.accountId, userId: ALICE.userId }] }, 'accounts[0].balance'],
    [{ accounts: [{ ...alice, phase: 'active' }] }, 'accounts[0].phase'],
  ])('%j', (change, path) => {
    expect(() => read({ ...CONFIGURATION, ...change })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(path) }),
    )
  })

  test.each(['', '[]', 'null', '{"seed":"a","seed":"b"}', '{"seed":', '{"__proto__":{}}'])(
    'the text %j',
    (text) => {
      expect(() => readConfiguration(Buffer.from(text))).toThrow(/^configuration: /)
    },
  )

  test.each<[object, string]>([
    [{ markets: [{ ...btc, maintenanceMarginRate: '20000000' }] }, 'markets[0].maintenanceMarginRate'],
    [{ markets: [btc, market(ALICE.userId, 'BTC', 'crypto')] }, 'markets[1].baseAsset'],
    [{ markets: [{ ...btc, baseAsset: 'portfolio' }] }, 'markets[0].baseAsset'],
    [{ accounts: [{ ...alice, maxDailyLoss: '1000000001' }] }, 'accounts[0].maxDailyLoss'],
  ])('by the engine: %j', async (change, path) => {
    await expect(openVenue(read({ ...CONFIGURATION, ...change }))).rejects.toThrow(path)
  })
})

test('ids are lower case whatever the file says', async () => {
  const { engine } = await openVenue(read({ ...CONFIGURATION, markets: [{ ...btc, id: BTC.toUpperCase() }] }))
  expect(engine.read.market(BTC)).toBeDefined()
})

test('on a later start the log is the truth: known ids stay, new ones are added, the clock resumes', async () => {
  const store = new MemoryStore()
  const first = await openVenue(read(CONFIGURATION), { store })
  await first.engine.send({ type: 'advanceTime', ms: 5_000 })
  const later = {
    ...CONFIGURATION,
    clock: { mode: 'manual', start: '2027-01-01T00:00:00.000Z' },
    markets: [{ ...btc, feeRate: '0', spread: '0' }, market(ALICE.userId, 'NEW', 'rwa')],
  }
  const second = await openVenue(read(later), { store })
  expect(second.clock.now()).toBe(Date.parse('2026-01-05T00:10:05.000Z'))
  expect(second.engine.read.markets().map(({ config }) => config.baseAsset)).toEqual(['BTC', 'XAU', 'NEW'])
  expect(second.engine.read.market(BTC)?.config.feeRate).toBe(1_000_000n)
  expect(second.ignored).toEqual([`market ${BTC}: feeRate is 1000000 in the log, 0 was not applied`])
})
