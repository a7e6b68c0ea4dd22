// A venue's day in small: pseudo-random commands of every kind, the same for the same seed.

import { type Command, type Engine, fp9, type Genesis } from '../../src/index.ts'

const uuid = (kind: number, n: number) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const MARKETS = [uuid(1, 1), uuid(1, 2)] as const
export const ACCOUNTS = [uuid(2, 1), uuid(2, 2), uuid(2, 3)] as const
export const USERS = [uuid(3, 1), uuid(3, 2)] as const
/** An hour before the first funding instant of a Monday. */
export const START = Date.UTC(2026, 0, 5, 7)

export const GENESIS: Genesis = {
  seed: 'traffic',
  at: START,
  markets: [
    {
      id: MARKETS[0],
      baseAsset: 'BTC',
      ticker: 'BTC/USD',
      category: 'crypto',
      indexPrice: fp9('50000'),
      maxPriceAgeMs: 7_200_000,
    },
    {
      id: MARKETS[1],
      baseAsset: 'GOLD',
      ticker: 'GOLD/USD',
      category: 'rwa',
      indexPrice: fp9('2000'),
      maxOpenNotionalLong: fp9('200000'),
      fundingIntervalMs: 3_600_000,
      maxPriceAgeMs: 600_000,
    },
  ],
  accounts: [
    {
      id: ACCOUNTS[0],
      userId: USERS[0],
      balance: fp9('100000'),
      maxDailyLoss: fp9('1'),
      maxTotalLoss: fp9('1'),
    },
    { id: ACCOUNTS[1], userId: USERS[0], balance: fp9('50000'), dailyBreach: 'freeze', minProfitableDays: 0 },
    { id: ACCOUNTS[2], userId: USERS[1], balance: fp9('20000'), maxTotalLoss: fp9('0.5'), autoPromote: true },
  ],
}

/** xorshift32: enough to shuffle a test. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0 || 1
  }

  below(limit: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    this.#state >>>= 0
    return this.#state % limit
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}

/** What happens next. Some of it is refused, as in life. */
export function nextCommand(chance: Chance, engine: Engine): { command: Command; at: number } {
  const at = engine.now + chance.of([0, 1, 40, 900, 5_000, 61_000])
  const roll = chance.below(100)
  if (roll < 40) return { command: tick(chance, engine), at }
  if (roll < 92) return { command: traderCommand(chance, engine), at }
  return { command: platformCommand(chance, engine), at }
}

function tick(chance: Chance, engine: Engine): Command {
  const marketId = chance.of(MARKETS)
  const now = engine.read.market(marketId)?.state.indexPrice ?? 0n
  const move = BigInt(chance.of([1, 2, 5, 20, 40, 40, 150, 900]) * chance.of([-1, 1]))
  return { type: 'updatePrice', marketId, indexPrice: now + (now * move) / 10_000n }
}

function traderCommand(chance: Chance, engine: Engine): Command {
  const accountId = chance.of(ACCOUNTS)
  const marketId = chance.of(MARKETS)
  const index = engine.read.market(marketId)?.state.indexPrice ?? 0n
  const direction = chance.of(['long', 'short'] as const)
  const sign = direction === 'long' ? 1n : -1n
  const near = (hundredths: number) => index + (index * sign * BigInt(hundredths)) / 10_000n
  const position = chance.of([...engine.read.activePositions(accountId), undefined])
  const order = chance.of([...engine.read.activeOrders(accountId), undefined])
  const on = { accountId, marketId, direction, leverage: fp9(chance.of(['2', '5', '10'])) }
  const amount = fp9(chance.of(['20', '100', '750']))
  const key = chance.below(3) === 0 ? { idempotencyKey: `key-${chance.below(30)}` } : {}
  switch (chance.below(12)) {
    case 0:
    case 1:
      return { type: 'placeOrder', ...on, ...key, orderType: 'market', amount, stopTriggerPrice: near(-300) }
    case 2:
      return { type: 'placeOrder', ...on, ...key, orderType: 'market', amount, takeTriggerPrice: near(200) }
    case 3:
      return { type: 'placeOrder', ...on, ...key, orderType: 'limit', amount, triggerPrice: near(-30) }
    case 4:
      return { type: 'placeOrder', ...on, orderType: 'stop_market', amount, triggerPrice: near(40) }
    case 5:
      return {
        type: 'placeOrder',
        ...on,
        orderType: 'stop_limit',
        amount,
        triggerPrice: near(40),
        stopLimitPrice: near(20),
      }
    case 6:
      return {
        type: 'placeOrder',
        ...on,
        orderType: 'limit',
        amount,
        sizeMode: 'base',
        baseSize: fp9('0.001'),
        triggerPrice: near(-10),
      }
    case 7:
    case 8:
      if (position === undefined) return { type: 'closeAll', accountId }
      return {
        type: 'placeOrder',
        accountId,
        marketId: position.marketId,
        direction: position.direction,
        positionId: position.id,
        amount: chance.of([position.size, position.size / 2n + 1n, position.size * 2n]),
        ...chance.of([
          { orderType: 'take' as const, triggerPrice: 0n },
          { orderType: 'trailing_stop' as const, trailingStopOffsetPercent: fp9('0.01') },
          { orderType: 'stop' as const, triggerPrice: 0n },
        ]),
      }
    case 9:
      if (position === undefined) return tick(chance, engine)
      return {
        type: 'changeMargin',
        positionId: position.id,
        marginChange: fp9(chance.of(['5', '-1', '0'])),
      }
    case 10:
      return order === undefined
        ? { type: 'cancelOrder', orderId: uuid(9, 9) }
        : { type: 'editOrder', orderId: order.id, amount: order.amount + fp9('1') }
    default:
      return order === undefined ? tick(chance, engine) : { type: 'cancelOrder', orderId: order.id }
  }
}

function platformCommand(chance: Chance, engine: Engine): Command {
  const accountId = chance.of(ACCOUNTS)
  const marketId = chance.of(MARKETS)
  const position = chance.of([...engine.read.activePositions(accountId), undefined])
  const n = chance.below(1_000_000)
  switch (chance.below(12)) {
    case 0:
    case 1:
    case 2:
      return { type: 'advanceTime', ms: chance.of([1_000, 600_000, 3_600_000, 40_000_000]) }
    case 3:
      return {
        type: 'setMarketStatus',
        marketId,
        status: chance.of(['open', 'open', 'open', 'paused', 'close_only'] as const),
      }
    case 4:
      return { type: 'setFundingRate', marketId, fundingRate: fp9(chance.of(['0.001', '-0.0005', '0'])) }
    case 5:
      return { type: 'adjustBalance', accountId, amount: fp9(chance.of(['1000', '-10'])) }
    case 6:
      if (chance.below(3) > 0) return { type: 'setMarketStatus', marketId, status: 'open' }
      return { type: 'stopAccount', accountId, reason: chance.of(['freeze', 'promote'] as const) }
    case 7:
      return { type: 'unfreezeAccount', accountId }
    case 8:
      return position === undefined
        ? { type: 'unfreezeAccount', accountId }
        : { type: 'forceClosePosition', positionId: position.id }
    case 9:
      return {
        type: 'registerApiKey',
        keyId: uuid(4, n),
        userId: chance.of(USERS),
        name: 'bot',
        hash: 'ab'.repeat(32).slice(6) + String(n).padStart(6, '0'),
        prefix: 'mtk_ab',
      }
    case 10:
      return { type: 'setAccountLock', accountId, locked: chance.below(6) === 0 }
    default:
      return { type: 'configureMarket', market: { id: marketId, spread: BigInt(chance.below(5)) * 100_000n } }
  }
}

/** Gives a number of commands to one engine. */
export function drive(engine: Engine, chance: Chance, commands: number): void {
  for (let count = 0; count < commands; count++) {
    const { command, at } = nextCommand(chance, engine)
    engine.dispatch(command, { at })
  }
}

/** Everything that can be read of an engine's state and history, page by page. */
export function everythingReadable({ read }: Pick<Engine, 'read'>, pageSize = 7): object {
  const all = <T>(page: (offset: number) => { data: readonly T[]; totalCount: number }) => {
    const found: T[] = []
    const { totalCount } = page(0)
    for (let offset = 0; offset < totalCount + pageSize; offset += pageSize) found.push(...page(offset).data)
    return { found, totalCount }
  }
  return ACCOUNTS.map((accountId) => ({
    account: read.account(accountId),
    active: [read.activeOrders(accountId), read.activePositions(accountId)],
    portfolio: all((offset) => read.portfolio(accountId, { limit: pageSize, offset })),
    markets: MARKETS.map((marketId) => ({
      orders: all((offset) => read.orderHistory(accountId, marketId, { limit: pageSize, offset })),
      positions: all((offset) => read.positionHistory(accountId, marketId, { limit: pageSize, offset })),
    })),
    events: read
      .portfolio(accountId, { limit: 100, offset: 0 })
      .data.map(({ id }) => [read.position(id), read.positionEvents(id)]),
  }))
}
