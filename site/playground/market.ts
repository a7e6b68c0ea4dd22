// A venue of one market and one account, for a page on which a reader moves the price: the engine as programs have it, and
// what the page shows of it.

import {
  createEngine,
  type Engine,
  type Event,
  formatDecimal,
  fp9,
  type Placement,
  PROFIT_WINDOW_MS,
  toJson,
} from '../../src/index.ts'

const [MARKET, ACCOUNT, USER] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
  '00000000-0000-4000-8000-000000000003',
]
const OPENS_AT = Date.UTC(2026, 0, 5, 12)
export const FIRST_PRICE = 50_000

/** What a position is opened with, as people write it. */
export interface Entry {
  readonly direction: 'long' | 'short'
  /** USD that leave the free balance. */
  readonly amount: string
  readonly leverage: string
  /** How far from the price a stop-loss is attached, percent; 0 = none. */
  readonly stopPercent: number
}

/** An open position as the page shows it: prices in USD. */
export interface ShownPosition {
  readonly id: string
  readonly direction: 'long' | 'short'
  readonly size: string
  readonly margin: string
  readonly entry: number
  readonly liquidation: number
  /** What closing all of it at the index would earn, before spread and fee. */
  readonly unrealized: string
  /** Seconds left in which a profit is capped (D1). */
  readonly window: number
}

/** Something that happened: its name, and its fields as JSON. */
export interface ShownEvent {
  readonly seq: number
  readonly second: number
  readonly type: string
  readonly isRefusal: boolean
  readonly detail: string
}

/** What the page shows at one moment. */
export interface Shown {
  readonly second: number
  readonly price: number
  readonly positions: readonly ShownPosition[]
  /** Prices of resting stops. */
  readonly stops: readonly number[]
  readonly equity: string
  readonly balance: string
  /** What of unrealized profit counts now: equity without the balance (D7). */
  readonly counted: string
  readonly dailyLossFloor: string
  readonly status: string
  readonly stateHash: string
}

export class PlaygroundMarket {
  readonly #engine: Engine
  readonly events: ShownEvent[] = []
  /** Price by second, oldest first. */
  readonly path: (readonly [second: number, price: number])[] = []
  #at = OPENS_AT
  #price = FIRST_PRICE

  constructor() {
    this.#engine = createEngine({
      seed: 'playground',
      at: OPENS_AT,
      markets: [{ id: MARKET as string, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' }],
      accounts: [
        {
          id: ACCOUNT as string,
          userId: USER as string,
          balance: fp9('10000'),
          maxDailyLoss: fp9('50%'),
          maxTotalLoss: fp9('90%'),
        },
      ],
    })
    this.#engine.subscribe(({ seq, at, events }) => {
      for (const event of events) this.#tell(seq, at, event.type, detailOf(event))
    })
    this.move(FIRST_PRICE)
  }

  /** The price a second later; whole cents. */
  move(price: number): void {
    this.#at += 1_000
    this.#price = Math.max(Math.round(price * 100) / 100, 0.01)
    this.#dispatch({ type: 'updatePrice', marketId: MARKET as string, indexPrice: fp9(String(this.#price)) })
    this.path.push([this.second, this.#price])
  }

  /** Time passes, and the price stays. */
  wait(seconds: number): void {
    this.#at += seconds * 1_000
    this.move(this.#price)
  }

  open({ direction, amount, leverage, stopPercent }: Entry): void {
    const away = direction === 'long' ? 1 - stopPercent / 100 : 1 + stopPercent / 100
    this.#dispatch({
      type: 'placeOrder',
      accountId: ACCOUNT as string,
      marketId: MARKET as string,
      orderType: 'market',
      direction,
      amount: fp9(amount || '0'),
      leverage: fp9(leverage || '0'),
      stopTriggerPrice: stopPercent > 0 ? fp9((this.#price * away).toFixed(2)) : null,
    })
  }

  /** Closes a share of a position at the market: 1, or a half. */
  close(positionId: string, parts: 1 | 2): void {
    const position = this.#engine.read.position(positionId)
    if (position === undefined) return
    this.#dispatch({
      type: 'placeOrder',
      accountId: ACCOUNT as string,
      marketId: MARKET as string,
      orderType: 'take',
      direction: position.direction,
      amount: position.size / BigInt(parts),
      positionId,
      triggerPrice: 0n,
    })
  }

  get second(): number {
    return (this.#at - OPENS_AT) / 1_000
  }

  shown(): Shown {
    const { read } = this.#engine
    const equity = read.equity(ACCOUNT as string) as bigint
    const balance = read.balance(ACCOUNT as string) as bigint
    const risk = read.riskStatus(ACCOUNT as string)
    return {
      second: this.second,
      price: this.#price,
      positions: read.activePositions(ACCOUNT as string).map((position) => this.#position(position)),
      stops: read.activeOrders(ACCOUNT as string).map(({ triggerPrice }) => asNumber(triggerPrice)),
      equity: formatDecimal(equity, 2),
      balance: formatDecimal(balance, 2),
      counted: formatDecimal(equity - balance, 2),
      dailyLossFloor: formatDecimal(risk?.dailyLossFloor ?? 0n, 2),
      status: read.accountStanding(ACCOUNT as string)?.status ?? '',
      stateHash: this.#engine.stateHash(),
    }
  }

  #position({
    id,
    direction,
    size,
    margin,
    notional,
  }: ReturnType<Engine['read']['activePositions']>[number]) {
    const levels = this.#engine.read.levels(id) as NonNullable<ReturnType<Engine['read']['levels']>>
    const worth = Number(formatDecimal(size)) * this.#price
    const gain = direction === 'long' ? worth - asNumber(notional) : asNumber(notional) - worth
    const increased = this.#engine.read
      .positionEvents(id)
      ?.find(({ eventName }) => eventName === 'increasePosition')
    const since = this.#at - (increased?.lastUpdatedAt ?? this.#at)
    return {
      id,
      direction,
      size: formatDecimal(size),
      margin: formatDecimal(margin, 2),
      entry: asNumber(levels.entryPrice),
      liquidation: asNumber(levels.liquidationPrice),
      unrealized: gain.toFixed(2),
      window: Math.max(0, (PROFIT_WINDOW_MS - since) / 1_000),
    }
  }

  #dispatch(command: Placement | { type: 'updatePrice'; marketId: string; indexPrice: bigint }): void {
    const outcome = this.#engine.dispatch(command as Parameters<Engine['dispatch']>[0], {
      at: this.#at,
    })
    if (!outcome.ok) this.#tell(this.#engine.head, this.#at, 'refused', outcome.error.code, true)
  }

  #tell(seq: number, at: number, type: string, detail: string, isRefusal = false): void {
    this.events.unshift({ seq, second: (at - OPENS_AT) / 1_000, type, isRefusal, detail })
  }
}

const asNumber = (price: bigint): number => Number(formatDecimal(price))

/** Amounts as people write them, ids left out. */
function detailOf(event: Event): string {
  const { type: _, ...fields } = toJson(event) as Record<string, unknown>
  return Object.entries(fields)
    .filter(([name]) => !/Id$/.test(name))
    .map(([name, value]) => `${name} ${typeof value === 'string' ? shortened(value) : JSON.stringify(value)}`)
    .join(', ')
}

function shortened(text: string): string {
  return /^-?\d+$/.test(text) ? formatDecimal(BigInt(text)) : text
}
