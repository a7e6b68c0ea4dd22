// The venue that the figures are measured on: markets, accounts, and as much resting in them as a figure asks for.

import {
  type Command,
  createEngine,
  type Engine,
  type MemoryEngineOptions,
  ONE,
  type Outcome,
} from '../src/index.ts'

export const START = 1_767_571_800_000
export const PRICE = 50_000n * ONE

export const marketId = (n: number) => uuid(1, n)
export const accountId = (n: number) => uuid(2, n)

function uuid(kind: number, n: number): string {
  return `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`
}

export interface VenueSize {
  readonly markets?: number
  readonly accounts?: number
  /** Whether any number of orders may rest in an account; otherwise the parameter is left out, which 0.1.0 does not know. */
  readonly unlimited?: boolean
}

export function benchVenue(
  { markets = 1, accounts = 1, unlimited = true }: VenueSize,
  options: MemoryEngineOptions = {},
  create = createEngine,
): Engine {
  const engine = create({ seed: 'bench', at: START, ...options })
  for (let n = 0; n < markets; n++)
    must(engine, {
      type: 'configureMarket',
      market: {
        id: marketId(n),
        baseAsset: `A${n}`,
        ticker: `A${n}/USD`,
        category: 'crypto',
        indexPrice: PRICE,
        maxPriceAgeMs: 1e12,
      },
    })
  for (let n = 0; n < accounts; n++)
    must(engine, {
      type: 'openAccount',
      account: {
        id: accountId(n),
        userId: uuid(3, n),
        balance: 1_000_000n * ONE,
        maxLeverage: 100n * ONE,
        ...(unlimited ? { maxActiveOrders: null } : {}),
      },
    })
  return engine
}

/** Dispatches what must be accepted. */
export function must<C extends Command>(engine: Engine, command: C, at?: number): Outcome<C> & { ok: true } {
  const outcome = engine.dispatch(command, at === undefined ? {} : { at })
  if (!outcome.ok) throw new Error(`${command.type}: ${outcome.error.code} ${outcome.error.details ?? ''}`)
  return outcome
}

/** Numbers that scatter evenly and are the same in every run. */
export function scatter(n: number, below: number): number {
  return Number((BigInt(n) * 0x9e3779b97f4a7c15n) & 0xffffffffn) % below
}

/** A price `tenThousandths` away from the middle. */
export function away(tenThousandths: number): bigint {
  return PRICE + (PRICE * BigInt(tenThousandths)) / 10_000n
}

/** Opens a long or a short, with stop-loss and take-profit where they are given. */
export function open(
  engine: Engine,
  account: number,
  market: number,
  direction: 'long' | 'short',
  guarded: boolean,
) {
  const long = direction === 'long'
  const [down, up] = [away(-300 - scatter(account, 600)), away(300 + scatter(account, 600))]
  const outcome = must(engine, {
    type: 'placeOrder',
    accountId: accountId(account),
    marketId: marketId(market),
    orderType: 'market',
    direction,
    amount: 1_000n * ONE,
    leverage: 5n * ONE,
    stopTriggerPrice: guarded ? (long ? down : up) : null,
    takeTriggerPrice: guarded ? (long ? up : down) : null,
  })
  for (const event of outcome.events) if (event.type === 'increasePosition') return event
  throw new Error('no position')
}

/** `count` things that can fire on market 0: guarded positions, their trailing stops, and limit orders. */
export function restOn(engine: Engine, count: number): void {
  for (let n = 0; n * 8 < count; n++) {
    const direction = n % 2 === 0 ? 'long' : 'short'
    const { positionId, size } = open(engine, n, 0, direction, true)
    const common = { type: 'placeOrder', accountId: accountId(n), marketId: marketId(0), direction } as const
    must(engine, {
      ...common,
      orderType: 'trailing_stop',
      positionId,
      amount: size,
      ...(n % 4 < 2
        ? { trailingStopOffset: PRICE / 20n + BigInt(scatter(n, 1_000_000)) }
        : { trailingStopOffsetPercent: ONE / 20n + BigInt(scatter(n, 1_000_000)) }),
    })
    for (let k = 0; k < 4; k++)
      must(engine, {
        ...common,
        orderType: 'limit',
        amount: 1_000n * ONE,
        leverage: 2n * ONE,
        triggerPrice: away((direction === 'long' ? -1 : 1) * (200 + scatter(n * 4 + k, 2_000))),
      })
  }
}
