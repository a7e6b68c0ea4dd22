// What the parts of a large venue are made of, and a directory to keep it in.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Engine, ONE, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import type { Store } from '../../src/store/store.ts'
import { accountId, away, marketId, must, PRICE, START, scatter } from '../venue.ts'

const share = Number(process.env.SCALE_SHARE ?? '1')

export function size(full: number): number {
  return Math.max(1, Math.round(full * share))
}

export function named(count: number): string {
  return count.toLocaleString('en')
}

/** A directory that is removed in the end. */
export async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-scale-'))
  try {
    await work(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** A venue that keeps its log in a directory, and a snapshot when it is asked to and on closing. */
export async function openedIn(
  directory: string,
  within: (store: Store) => void = () => {},
): Promise<Engine> {
  const store = await openLmdbStore(directory)
  within(store)
  return openEngine({ seed: 'bench', at: START, store, snapshotEvery: 1e9 })
}

export function list(engine: Engine, market: number): void {
  must(engine, {
    type: 'configureMarket',
    market: {
      id: marketId(market),
      baseAsset: `A${market}`,
      ticker: `A${market}/USD`,
      category: 'crypto',
      indexPrice: PRICE,
      maxPriceAgeMs: 1e12,
    },
  })
}

export function open(engine: Engine, account: number): void {
  must(engine, {
    type: 'openAccount',
    account: {
      id: accountId(account),
      userId: accountId(account),
      balance: 1_000_000n * ONE,
      maxLeverage: 100n * ONE,
      maxActiveOrders: null,
    },
  })
}

export function rest(engine: Engine, account: number, market: number, n: number, idempotencyKey?: string) {
  return must(engine, {
    type: 'placeOrder',
    accountId: accountId(account),
    marketId: marketId(market),
    orderType: 'limit',
    direction: 'long',
    amount: 100n * ONE,
    leverage: 2n * ONE,
    triggerPrice: away(-200 - scatter(n, 2_000)),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}
