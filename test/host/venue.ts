// A venue under test: a manual clock, two markets, two traders, served over a real socket.

import { readConfiguration } from '../../src/host/configuration.ts'
import { type ServedVenue, type ServeOptions, serveVenue } from '../../src/host/serveVenue.ts'

const START = '2026-01-05T00:10:00.000Z'
export const BTC = 'b0000000-0000-4000-8000-000000000001'
export const GOLD = 'b0000000-0000-4000-8000-000000000002'
export const ALICE = {
  userId: 'a0000000-0000-4000-8000-000000000001',
  accountId: 'a0000000-0000-4000-8000-0000000000a1',
  key: 'mtk_alice',
  session: 'session-of-alice',
}
export const BOB = {
  userId: 'a0000000-0000-4000-8000-000000000002',
  accountId: 'a0000000-0000-4000-8000-0000000000b1',
  key: 'mtk_bob',
  session: 'session-of-bob',
}
export const OPERATOR = 'operator-secret'

export const market = (id: string, baseAsset: string, category: string, more: object = {}) => ({
  id,
  baseAsset,
  ticker: `${baseAsset}/USD`,
  category,
  indexPrice: '50000000000000',
  status: 'open',
  spread: '0',
  feeRate: '1000000',
  minLeverage: '1000000000',
  maxLeverage: '100000000000',
  maintenanceMarginRate: '5000000',
  minNotional: '10000000000',
  minStopDistance: '0',
  scalpingWindowMs: 0,
  scalpingCoefficient: '1000000000',
  maxPriceAgeMs: 10_000,
  fundingIntervalMs: 28_800_000,
  fundingRate: '0',
  ...more,
})

export const account = (trader: { accountId: string; userId: string }, more: object = {}) => ({
  id: trader.accountId,
  userId: trader.userId,
  type: 'demo',
  balance: '10000000000000',
  maxLeverage: '10000000000',
  maxDailyLoss: '1000000000',
  maxTotalLoss: '1000000000',
  ...more,
})

export const CONFIGURATION = {
  seed: 'test',
  clock: { mode: 'manual', start: START },
  operatorToken: OPERATOR,
  feed: null,
  rateLimit: null as object | null,
  markets: [market(BTC, 'BTC', 'crypto'), market(GOLD, 'XAU', 'rwa')],
  users: [ALICE, BOB].map(({ userId, key, session }) => ({
    id: userId,
    sessionToken: session,
    apiKeys: [{ key, expiresAt: null }],
  })),
  accounts: [account(ALICE), account(BOB)],
}

export interface Call {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are examined field by field
  readonly body: any
}

export class VenueUnderTest {
  readonly venue: ServedVenue

  constructor(venue: ServedVenue) {
    this.venue = venue
  }

  /** As Alice unless another key is given; null for none. */
  async call(
    method: string,
    path: string,
    { key = ALICE.key, body, headers = {} }: Call = {},
  ): Promise<Answer> {
    const response = await fetch(this.venue.url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }

  get = (path: string, call: Call = {}) => this.call('GET', path, call)
  post = (path: string, body?: unknown, call: Call = {}) => this.call('POST', path, { ...call, body })
  patch = (path: string, body?: unknown, call: Call = {}) => this.call('PATCH', path, { ...call, body })
  delete = (path: string, call: Call = {}) => this.call('DELETE', path, call)

  /** Platform commands; every one must be accepted. */
  async operate(...commands: object[]): Promise<void> {
    const { body } = await this.call('POST', '/operator/commands', { key: OPERATOR, body: commands })
    const refused = body.results.find((result: { ok: boolean }) => !result.ok)
    if (refused !== undefined) throw new Error(JSON.stringify(refused))
  }

  tick = (indexPrice: string, marketId = BTC) => this.operate({ type: 'updatePrice', marketId, indexPrice })
  advance = (ms: number) => this.operate({ type: 'advanceTime', ms })
}

export async function startVenue(
  configuration: object = CONFIGURATION,
  options: Partial<ServeOptions> = {},
): Promise<VenueUnderTest> {
  const read = readConfiguration(Buffer.from(JSON.stringify(configuration)))
  return new VenueUnderTest(await serveVenue({ configuration: read, port: 0, ...options }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A market order of Alice's that fills: 1,000 at 5x. */
export const marketOrder = (more: object = {}) => ({
  accountId: ALICE.accountId,
  marketId: BTC,
  type: 'market',
  direction: 'long',
  amount: '1000000000000',
  leverage: '5000000000',
  ...more,
})

export const limitOrder = (more: object = {}) =>
  marketOrder({ type: 'limit', triggerPrice: '40000000000000', ...more })
