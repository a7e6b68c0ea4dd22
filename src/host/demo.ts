/** The built-in demo venue: four moving markets and one account to trade them on. */

import { fp9 } from '../quantity/decimal.ts'
import { MAX_API_KEYS_PER_USER } from './apiKeyLimit.ts'
import type { VenueConfiguration } from './configuration.ts'
import { DEFAULT_RATE_LIMITS } from './rateLimit.ts'
import { newApiKey, newToken } from './secret.ts'

/** Ids that stay the same from start to start, so that scripts can keep them. */
export const DEMO = {
  userId: '00000000-0000-4000-8000-000000000001',
  accountId: '00000000-0000-4000-8000-000000000002',
  marketIds: {
    BTC: '00000000-0000-4000-8000-00000000000b',
    ETH: '00000000-0000-4000-8000-00000000000e',
    SOL: '00000000-0000-4000-8000-000000000050',
    XAU: '00000000-0000-4000-8000-0000000000a0',
  },
} as const

/**
 * A fresh operator's token with every start, and a fresh key where none is given: nobody else's script holds them.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const venue = await serveVenue({ configuration, port: 0 })
 * await venue.close()
 * ```
 */
export function demoVenue(apiKey: string = newApiKey()): {
  readonly configuration: VenueConfiguration
  readonly apiKey: string
  readonly operatorToken: string
} {
  const operatorToken = newToken()
  const market = (baseAsset: keyof typeof DEMO.marketIds, price: string, category: 'crypto' | 'rwa') => ({
    id: DEMO.marketIds[baseAsset],
    baseAsset,
    ticker: `${baseAsset}/USD`,
    category,
    indexPrice: fp9(price),
  })
  const configuration: VenueConfiguration = {
    seed: null,
    clock: { mode: 'system', start: null },
    operatorToken,
    operatorTokens: [],
    operatorListen: null,
    webhooks: [],
    feed: { kind: 'simulated', seed: 'demo', intervalMs: 1_000, step: fp9('0.05%') },
    rateLimit: DEFAULT_RATE_LIMITS,
    cluster: null,
    maxApiKeysPerUser: MAX_API_KEYS_PER_USER,
    markets: [
      market('BTC', '95000', 'crypto'),
      market('ETH', '3300', 'crypto'),
      market('SOL', '190', 'crypto'),
      market('XAU', '2650', 'rwa'),
    ],
    users: [{ id: DEMO.userId, sessionToken: null, apiKeys: [{ key: apiKey, expiresAt: null }] }],
    accounts: [{ id: DEMO.accountId, userId: DEMO.userId, balance: fp9('100000') }],
  }
  return { configuration, apiKey, operatorToken }
}
