// The venue whose shard is measured, where it is kept, and how a figure is told.
import { fp9, type Genesis } from '../../src/index.ts'
import { PostgresServer } from '../../test/postgres/postgresServer.ts'

export const line = (name: string, value: string) => process.stdout.write(`${name.padEnd(58)}${value}\n`)
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`
export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
export const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] as number

export const id = (kind: number, n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const MARKET = id(1, 1)
export const GENESIS: Genesis = {
  seed: 'bench',
  at: Date.UTC(2026, 0, 5, 1),
  markets: [
    {
      id: MARKET,
      baseAsset: 'BTC',
      ticker: 'BTC/USD',
      category: 'crypto',
      indexPrice: fp9('50000'),
      maxPriceAgeMs: 1_000_000_000,
    },
  ],
  accounts: Array.from({ length: 64 }, (_, n) => ({
    id: id(2, n),
    userId: id(2, n),
    balance: fp9('1000000000'),
    maxActiveOrders: null,
  })),
}
export const [AMOUNT, LEVERAGE] = [fp9('10'), fp9('5')]

/** With a database of its own. */
export async function withServer<T>(use: (server: PostgresServer) => Promise<T>): Promise<T> {
  const server = await PostgresServer.start()
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
