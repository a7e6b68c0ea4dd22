// The configuration file is checked to its last key, and every fault is named by its path.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { openVenue } from '../../src/host/venue.ts'
import { doubtAbout, readWritten, unitsOf, written } from '../../src/host/writtenQuantity.ts'
import { formatDecimal } from '../../src/quantity/decimal.ts'
import { MemoryStore } from '../../src/store/memoryStore.ts'
import { ALICE, BOB, BTC, CONFIGURATION, market } from './venue.ts'

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

test('of all secrets there are no two may be the same (K10), and none may be left to fill in', () => {
  const places = 7
  const withSecrets = (same: readonly number[] = [], told = 'the same') => {
    const secret = (place: number) => (same.includes(place) ? told : `secret ${place}`)
    const user = (id: string, session: number, key: number) => ({
      ...{ id, sessionToken: secret(session) },
      apiKeys: [{ key: secret(key), expiresAt: null }],
    })
    return {
      ...CONFIGURATION,
      operatorToken: secret(0),
      operatorTokens: [{ name: 'desk', token: secret(1), role: 'desk' }],
      webhooks: [{ url: 'https://example.com', secret: secret(2), types: ['order.executed'] }],
      cluster: { shards: 2, secret: secret(3) },
      users: [user(ALICE.userId, 4, 5), { ...user(BOB.userId, 6, 7), apiKeys: [] }],
    }
  }
  expect(read(withSecrets()).cluster).toEqual({ shards: 2, secret: 'secret 3' })
  for (let one = 0; one < places; one++) {
    for (let other = 0; other < one; other++)
      expect(() => read(withSecrets([one, other]))).toThrow('one secret is used for two things')
    expect(() => read(withSecrets([one], `\${ANNA_TOKEN}`))).toThrow(
      /(token|Token|secret|key): names a variable/,
    )
    expect(() => read(withSecrets([one], '$A{b}$'))).not.toThrow()
  }
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

  test.each(['', '[]', 'null', '{"seed":"a","seed":"b"}', '{"seed":', '{"__proto__":{}}', '[['.repeat(1e5)])(
    'the text %j',
    (text) => {
      expect(() => readConfiguration(Buffer.from(text))).toThrow(/^configuration: (?!.*undefined)/)
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

describe('a fault is told with its line, the key, its value and what was expected', () => {
  const told = (text: string) => {
    try {
      readConfiguration(Buffer.from(text))
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  const inMarket = (line: string) => `{
  // A market, as few keys as it can have.
  "markets": [{
    "id": "${BTC}", "baseAsset": "BTC", "ticker": "BTC/USD", "category": "crypto",
    ${line}
  }]
}`
  const quote = 'a decimal with its unit (USD) such as "10000 USD", or an fp9 integer as a string'
  const rate = 'a decimal with its unit (%, bp) such as "0.1%", or an fp9 integer as a string'

  test.each([
    ['"spread": 0.1', `markets[0].spread: is 0.1; expected: ${rate}, at least 0`],
    ['"spread": "0.1"', `markets[0].spread: is "0.1"; expected: ${rate}, at least 0`],
    ['"spread": "5 USD"', `markets[0].spread: is "5 USD"; expected: ${rate}, at least 0`],
    ['"spread": "-1%"', `markets[0].spread: is "-1%"; expected: ${rate}, at least 0`],
    ['"spread": "0.12345678%"', 'markets[0].spread: "0.12345678%" has more than nine decimals'],
    ['"minNotional": "50x"', `markets[0].minNotional: is "50x"; expected: ${quote}, at least 0`],
    ['"status": "shut"', 'markets[0].status: is "shut"; expected: "open", "paused", "close_only"'],
    [
      '"priceAt": "today"',
      'markets[0].priceAt: is "today"; expected: an instant in ISO 8601 such as "2026-01-05T00:10:00.000Z"',
    ],
  ])('%s', (line, message) => {
    expect(told(inMarket(line))).toBe(`configuration: line 5: ${message}`)
  })

  test.each([
    ['{\n "a": 1,\n b: 2}', "configuration: not JSON at line 3, column 2: unexpected character 'b'"],
    ['{"seed": "a",\n"seed": "b"}', 'configuration: line 2: seed is given twice'],
    ['{"seed": "a"', 'configuration: not JSON at line 1, column 13: unexpected end of input'],
    ['', 'configuration: the file is empty'],
    ['[]', 'configuration: line 1: the file: is a list; expected: an object'],
    ['{"clock": 5}', 'configuration: line 1: clock: is 5; expected: an object'],
    [
      '{"clock": {"mode": "lunar"}}',
      'configuration: line 1: clock.mode: is "lunar"; expected: "manual", "system"',
    ],
    [
      '{"feed": {"kind": "dice"}}',
      'configuration: line 1: feed.kind: is "dice"; expected: "simulated", "replay", "websocket", "index"',
    ],
    [
      '{"feed": 5}',
      'configuration: line 1: feed.kind: is nothing; expected: "simulated", "replay", "websocket", "index"',
    ],
    [
      '{"feed": {"kind": "replay", "file": "a"}}',
      'configuration: line 1: feed.marketId: is missing; expected: a uuid: 8-4-4-4-12 hexadecimal digits',
    ],
    ['{"colour": 1}', expect.stringContaining('colour: there is no such key here, only seed, clock, ')],
    [
      '{"rateLimit": {"perSecond": 0}}',
      'configuration: line 1: rateLimit.perSecond: is 0; expected: a whole number from 1 to 1000000000',
    ],
    [
      '{"users": [{"id": "me"}]}',
      'configuration: line 1: users[0].id: is "me"; expected: a uuid: 8-4-4-4-12 hexadecimal digits',
    ],
    ['{"feed": {"kind": "simulated", "step": "5"}, "rateLimit": null /* off */,}', 'accepted'],
  ])('%s', (text, message) => expect(told(text)).toEqual(message))

  test('a secret is not repeated', () => {
    const users = [{ id: ALICE.userId, apiKeys: [{ key: ['mtk_secret'] }] }]
    expect(told(JSON.stringify({ users }))).toBe(
      'configuration: line 1: users[0].apiKeys[0].key: expected: a text of 1 to 255 characters',
    )
  })
})

describe('an amount with its unit', () => {
  test('is what the same amount is in fp9', () => {
    const people = {
      ...btc,
      ...{
        indexPrice: '65000 USD',
        spread: '3 bp',
        feeRate: '0.08%',
        maxLeverage: '50x',
        minNotional: '10USD',
      },
      ...{ fundingRate: '-0.01%', scalpingCoefficient: '1.5x' },
    }
    const fp9s = {
      ...btc,
      ...{ indexPrice: '65000000000000', spread: '300000', feeRate: '800000', maxLeverage: '50000000000' },
      ...{ minNotional: '10000000000', fundingRate: '-100000', scalpingCoefficient: '1500000000' },
    }
    expect(read({ ...CONFIGURATION, markets: [people] })).toEqual(read({ ...CONFIGURATION, markets: [fp9s] }))
  })

  const QUANTITIES = ['quote', 'price', 'rate', 'leverage'] as const

  test('is read exactly as it is written, with every unit it may have', () => {
    fc.assert(
      fc.property(fc.constantFrom(...QUANTITIES), fc.bigInt(-(10n ** 30n), 10n ** 30n), (quantity, value) => {
        expect(readWritten(written(value, quantity), quantity)).toBe(value)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), (value) => {
        expect(readWritten(`${formatDecimal(value * 10_000n)} bp`, 'rate')).toBe(value)
        const finer = value * 10_000n + 1n
        expect(() => readWritten(`${formatDecimal(finer)}bp`, 'rate')).toThrow('more than nine decimals')
      }),
    )
  })

  test('is not read with a unit that another kind of field has, nor without a unit unless it is fp9', () => {
    const unit = fc.constantFrom('USD', '%', 'bp', 'x', 'EUR', 'usd', '')
    fc.assert(
      fc.property(fc.constantFrom(...QUANTITIES), fc.nat({ max: 10 ** 9 }), unit, (quantity, whole, unit) => {
        const fits = unit === '' || unitsOf(quantity).includes(unit)
        expect(readWritten(`${whole} ${unit}`.trim(), quantity) !== undefined).toBe(fits)
      }),
    )
  })
})

test('an amount that is hardly meant as it stands is told, with what it is and what to write', () => {
  const doubts: string[] = []
  const file = {
    ...CONFIGURATION,
    markets: [
      { ...btc, indexPrice: '65000', spread: '5', feeRate: '1000', fundingRate: '-5', minNotional: '10' },
    ],
    accounts: [
      { ...alice, balance: '10000', maxLeverage: '50' },
      { ...alice, id: BTC, balance: '0.00001 USD' },
    ],
  }
  readConfiguration(Buffer.from(JSON.stringify(file, null, 1)), (doubt) =>
    doubts.push(doubt.replace(/ line \d+:/, '')),
  )
  const about = (path: string, bare: string, is: string, meant: string) =>
    `configuration: ${path}: "${bare}" is ${is}; write "${meant}" if that is what is meant, or "${is}" if not`
  expect(doubts).toEqual([
    about('markets[0].indexPrice', '65000', '0.000065 USD', '65000 USD'),
    about('markets[0].spread', '5', '0.0000005%', '5%'),
    about('markets[0].minNotional', '10', '0.00000001 USD', '10 USD'),
    about('markets[0].fundingRate', '-5', '-0.0000005%', '-5%'),
    about('accounts[0].balance', '10000', '0.00001 USD', '10000 USD'),
    about('accounts[0].maxLeverage', '50', '0.00000005x', '50x'),
  ])
})

test('what is doubted ends where an amount may be meant', () => {
  const least = { quote: 10_000_000n, price: 1_000_000n, rate: 1_000n, leverage: 1_000_000_000n } as const
  for (const [quantity, amount] of Object.entries(least) as [keyof typeof least, bigint][])
    for (const sign of [1n, -1n]) {
      expect(doubtAbout(String(sign * amount), quantity), quantity).toBeNull()
      expect(doubtAbout(String(sign * (amount - 1n)), quantity), quantity).not.toBeNull()
    }
})

test('what the engine refuses is told with its value and with what it means', async () => {
  const refusal = (change: object) => expect(openVenue(read({ ...CONFIGURATION, ...change }))).rejects
  await refusal({ markets: [{ ...btc, maintenanceMarginRate: '2%' }] }).toThrow(
    'configuration: markets[0].maintenanceMarginRate: the engine refuses it as 2%: Maintenance margin as a fraction of the current value; below (1 − spread) / maxLeverage − spread, or a fill would be liquidated at once.',
  )
  await refusal({ markets: [btc, market(ALICE.userId, 'BTC', 'crypto')] }).toThrow(
    /^configuration: markets\[1\].baseAsset: the engine refuses it as "BTC": Base asset ticker, unique among markets/,
  )
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
  expect(second.ignored).toEqual([`market ${BTC}: feeRate is 0.1% in the log, 0% was not applied`])
})
