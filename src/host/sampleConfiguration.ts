/** A configuration to begin with: two markets with simulated prices, an operator, a trader with an account. */
import { randomUUID } from 'node:crypto'
import { newApiKey, newToken } from './secret.ts'

/** The text of the file, with ids and secrets of its own. */
export function sampleConfiguration(): string {
  const userId = randomUUID()
  return `// A venue: margin-core serve --config THIS_FILE --data DIRECTORY
// Every key, its default and what it means: docs/configuration.md of margin-core.
//
// Amounts are decimals with their unit ("10000 USD", "0.1%", "50x"), or whole numbers of 10^-9 without one.
// What a market or an account leaves out has a default. A log that has begun keeps what it has: later changes
// of markets and accounts are made with platform commands, and what differs here is told at start.
// This file holds secrets in clear: let nobody else read it.
{
  // The token of the operator: Authorization: Bearer TOKEN on /operator/...
  "operatorToken": "${newToken()}",

  // Simulated prices. null: they come from the operator's updatePrice commands alone.
  "feed": { "kind": "simulated", "intervalMs": 1000, "step": "0.05%" },

  // Requests of each API key, reading and writing each; null = no limit.
  "rateLimit": { "perSecond": 10, "perMinute": 60 },

  "markets": [
    {
      "id": "${randomUUID()}",
      "baseAsset": "BTC",
      "ticker": "BTC/USD",
      "category": "crypto",
      "indexPrice": "95000 USD",
      "spread": "0.03%",
      "feeRate": "0.08%",
      "maxLeverage": "100x",
      "maintenanceMarginRate": "0.5%",
      "minNotional": "10 USD",
      "maxOpenNotionalLong": "10000000 USD", // over all accounts; null = unlimited
      "maxOpenNotionalShort": "10000000 USD",
      "fundingRate": "0.01%"
    },
    {
      "id": "${randomUUID()}",
      "baseAsset": "XAU",
      "ticker": "XAU/USD",
      "category": "rwa",
      "indexPrice": "2650 USD",
      "maxLeverage": "20x",
      "maintenanceMarginRate": "1%"
    }
  ],

  "users": [
    {
      "id": "${userId}",
      // Stands for the interactive session: it may manage API keys.
      "sessionToken": "${newToken()}",
      "apiKeys": [{ "key": "${newApiKey()}", "expiresAt": null }]
    }
  ],

  "accounts": [
    {
      "id": "${randomUUID()}",
      "userId": "${userId}",
      "type": "demo",
      "balance": "10000 USD",
      "maxLeverage": "10x",
      "maxDailyLoss": "5%",
      "maxTotalLoss": "10%",
      "profitTarget": "5%",
      "minProfitableDays": 3
    }
  ]
}
`
}
