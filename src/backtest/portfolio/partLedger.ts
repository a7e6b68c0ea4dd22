/**
 * What each strategy of a portfolio has of the account's positions, and what it has earned: from the events alone. The venue holds one
 * position for each market and direction, whoever asked for it; so strategies that are on the same side of a market share a position,
 * and each closes its own share.
 *
 * A close belongs to whoever placed its order and takes that strategy's share; what goes beyond it, and what the platform closes, is taken
 * from all in proportion to their shares. So is funding. Each strategy reckons with what its own entries paid. Divisions are exact in sum:
 * the last that has a share takes the rest, so the strategies add up to the account.
 */
import { notionalDown, notionalUp } from '../../quantity/products.ts'
import type { Base, Price, Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import type { StrategyEvent, ToldPositionEvent } from '../strategy/strategyEvent.ts'

/** What one strategy of a portfolio came to. Amounts are fp9 quote currency. */
export interface PartResult {
  /** Its name in the portfolio. */
  readonly name: string
  /** What the strategy calls itself. */
  readonly strategy: string
  /** Times it went into a position and was out of it again. */
  readonly trades: number
  /** Those of them that gained, after fees and funding. */
  readonly wins: number
  /** Fills that it had a part in, opening and closing, those by the platform included. */
  readonly fills: number
  /** Of what it closed, gross of fees and funding, after the 60-second rule. */
  readonly realizedPnl: Quote
  readonly fees: Quote
  /** Received; what was paid is below zero. */
  readonly funding: Quote
  /** Of what it had open at the end, at the last prices. */
  readonly openPnl: Quote
  /** `realizedPnl` − `fees` + `funding` + `openPnl`. */
  readonly netProfit: Quote
  /** What it had earned, without what was open, after each event that changed it: epoch ms and quote currency. */
  readonly earned: readonly (readonly [at: number, amount: Quote])[]
}

/** The strategies of an account's portfolio: they add up to the account's net profit without transfers. */
export interface PortfolioResult {
  readonly parts: readonly PartResult[]
  /** Net profit of the account that is no strategy's: of positions it had before them. Mostly 0. */
  readonly unattributed: Quote
}

type PartIdentity = Pick<PartResult, 'name' | 'strategy'>

interface Shared {
  readonly marketId: string
  readonly direction: Direction
  /** By strategy. */
  readonly sizes: Base[]
  /** By strategy: what its entries paid for the size it still has. */
  readonly costs: Quote[]
  /** By strategy: earned since it went in. */
  readonly earned: Quote[]
}

interface Earnings {
  trades: number
  wins: number
  fills: number
  realizedPnl: Quote
  fees: Quote
  funding: Quote
  readonly earned: [at: number, amount: Quote][]
}

/** Closes that belong to one order, or to the platform. */
type Close = Extract<ToldPositionEvent, { readonly type: 'closePosition' | 'liquidate' | 'forceClose' }>

/**
 * Who has what of the positions of one account, kept by the events of its run; made by `portfolio`. A strategy is named by its index
 * in the portfolio, `part`.
 */
export class PartLedger {
  readonly #names: readonly PartIdentity[]
  readonly #owners = new Map<string, number>()
  /** Entries that ask for a trailing stop, which the run places under an id that nobody is told. */
  readonly #trailing = new Set<string>()
  /** By position, whose trailing stops are about to be placed. */
  readonly #dueStops = new Map<string, number[]>()
  readonly #positions = new Map<string, Shared>()
  readonly #earnings: readonly Earnings[]
  /** Who asks for something right now. */
  #asker: number | null = null
  /** What was heard as the answer to an action is told once more. */
  readonly #heard = new WeakSet<StrategyEvent>()

  constructor(parts: readonly PartIdentity[]) {
    this.#names = parts
    this.#earnings = parts.map(() => ({
      ...{ trades: 0, wins: 0, fills: 0, realizedPnl: 0n, fees: 0n, funding: 0n },
      earned: [],
    }))
  }

  /** A strategy's order was accepted. Call before its events are added. */
  placed(part: number, orderId: string, trails = false): void {
    this.#owners.set(orderId, part)
    if (trails) this.#trailing.add(orderId)
  }

  /** An order of an earlier run is a strategy's, by its name; a name that is no more has none. */
  restored(name: string, orderId: string): void {
    const part = this.#names.findIndex((known) => known.name === name)
    if (part >= 0 && !this.#owners.has(orderId)) this.placed(part, orderId)
  }

  /** Whose an order is; undefined where it is nobody's. */
  ownerOf(orderId: string): number | undefined {
    return this.#owners.get(orderId)
  }

  /** The name of the strategy an order is of; undefined where it is nobody's. */
  nameOf(orderId: string): string | undefined {
    const owner = this.#owners.get(orderId)
    return owner === undefined ? undefined : this.#names[owner]?.name
  }

  /** The name of the strategy that asks for something right now; undefined while none does. */
  get asker(): string | undefined {
    return this.#asker === null ? undefined : this.#names[this.#asker]?.name
  }

  /** Asks for something in a strategy's name: whoever is asked may want to know at once. */
  asking<T>(part: number, ask: () => T): T {
    this.#asker = part
    try {
      return ask()
    } finally {
      this.#asker = null
    }
  }

  /** How much of a position is a strategy's. */
  shareOf(positionId: string, part: number): Base {
    return this.#positions.get(positionId)?.sizes[part] ?? 0n
  }

  /** Whether an event concerns a strategy: its order, a position it is in, or the account as a whole. */
  concerns(event: StrategyEvent, part: number): boolean {
    const owner = 'orderId' in event ? this.#owners.get(event.orderId) : undefined
    if (owner !== undefined) return owner === part || this.#isIn(event, part)
    return 'positionId' in event && event.positionId !== null ? this.#isIn(event, part) : true
  }

  /** Call with every event of the account, in their order, and when it happened: `at`, epoch ms. */
  add(event: StrategyEvent, at: number): void {
    if (this.#heard.has(event)) return
    this.#heard.add(event)
    switch (event.type) {
      case 'orderPlaced':
        return this.#placed(event)
      case 'orderReplaced':
        return this.#inherit(event.orderId, event.replacementId)
      case 'increasePosition':
        return this.#increase(event, at)
      case 'closePosition':
      case 'liquidate':
      case 'forceClose':
        return this.#close(event, at)
      case 'payFunding':
        return this.#fund(event, at)
      default:
        return
    }
  }

  /**
   * @param netProfit of the account, without transfers.
   * @param priceOf the last index price of a market.
   */
  result(netProfit: Quote, priceOf: (marketId: string) => Price): PortfolioResult {
    const open = this.#openPnl(priceOf)
    const earned = this.#earnings.reduce((sum, earnings) => sum + earnedOf(earnings), 0n)
    // Roundings, and what the 60-second rule holds back of what is open.
    const rest = netProfit - earned - open.reduce((sum, amount) => sum + amount, 0n)
    const last = this.#lastHolder()
    if (last !== null) open[last] = (open[last] as Quote) + rest
    const parts = this.#earnings.map((earnings, index) => {
      const openPnl = open[index] as Quote
      const identity = this.#names[index] as PartIdentity
      return { ...identity, ...earnings, openPnl, netProfit: earnedOf(earnings) + openPnl }
    })
    return { parts, unattributed: last === null ? rest : 0n }
  }

  #isIn(event: StrategyEvent, part: number): boolean {
    const positionId = 'positionId' in event ? event.positionId : null
    return positionId !== null && this.shareOf(positionId, part) > 0n
  }

  #placed(event: Extract<StrategyEvent, { readonly type: 'orderPlaced' }>): void {
    const { orderId, parentOrderId, positionId, orderType } = event
    if (this.#owners.has(orderId)) return
    if (parentOrderId !== null) return this.#inherit(parentOrderId, orderId)
    if (orderType !== 'trailing_stop' || positionId === null) return
    const due = this.#dueStops.get(positionId)?.shift()
    if (due !== undefined) this.#owners.set(orderId, due)
  }

  #inherit(from: string, to: string): void {
    const owner = this.#owners.get(from)
    if (owner !== undefined) this.#owners.set(to, owner)
    if (this.#trailing.has(from)) this.#trailing.add(to)
  }

  #increase(event: Extract<ToldPositionEvent, { readonly type: 'increasePosition' }>, at: number): void {
    const owner = this.#owners.get(event.orderId)
    if (owner === undefined) return
    const shared = this.#shared(event)
    shared.sizes[owner] = (shared.sizes[owner] as Base) + event.size
    shared.costs[owner] = (shared.costs[owner] as Quote) + event.notional
    const earnings = this.#earnings[owner] as Earnings
    earnings.fills += 1
    earnings.fees += event.fee
    this.#earn(shared, owner, -event.fee, at)
    if (!this.#trailing.delete(event.orderId)) return
    const due = this.#dueStops.get(event.positionId) ?? []
    this.#dueStops.set(event.positionId, [...due, owner])
  }

  #close(event: Close, at: number): void {
    const shared = this.#positions.get(event.positionId)
    if (shared === undefined) return
    const sizes = this.#sizesClosed(event, shared)
    const weights = sizes.every((size) => size === 0n) ? [] : sizes
    const exchanged = divided(event.exchangedQuote, weights)
    const adjusted = divided(event.pnl - event.rawPnl, weights)
    const fees = divided(event.fee, weights)
    for (const [part, size] of weights.entries()) {
      if (size === 0n) continue
      const held = shared.sizes[part] as Base
      const cost =
        size === held ? (shared.costs[part] as Quote) : ((shared.costs[part] as Quote) * size) / held
      const raw = ((exchanged[part] as Quote) - cost) * (event.direction === 'long' ? 1n : -1n)
      const pnl = raw + (adjusted[part] as Quote)
      const fee = fees[part] as Quote
      shared.sizes[part] = held - size
      shared.costs[part] = (shared.costs[part] as Quote) - cost
      const earnings = this.#earnings[part] as Earnings
      earnings.fills += 1
      earnings.realizedPnl += pnl
      earnings.fees += fee
      this.#earn(shared, part, pnl - fee, at)
      if (held === size) this.#out(shared, part)
    }
    if (shared.sizes.every((size) => size === 0n)) this.#positions.delete(event.positionId)
  }

  /** By strategy, how much of its share a close takes. */
  #sizesClosed(event: Close, { sizes }: Shared): Base[] {
    const owner = event.type === 'closePosition' ? this.#owners.get(event.orderId) : undefined
    const own = owner === undefined ? 0n : lesser(sizes[owner] as Base, event.size)
    const others = sizes.map((size, part) => (part === owner ? size - own : size))
    const held = others.reduce((sum, size) => sum + size, 0n)
    return divided(lesser(event.size - own, held), others).map((size, part) =>
      part === owner ? size + own : size,
    )
  }

  #fund(event: Extract<ToldPositionEvent, { readonly type: 'payFunding' }>, at: number): void {
    const shared = this.#positions.get(event.positionId)
    if (shared === undefined) return
    for (const [part, amount] of divided(event.amount, shared.sizes).entries()) {
      if (amount === 0n) continue
      const earnings = this.#earnings[part] as Earnings
      earnings.funding += amount
      this.#earn(shared, part, amount, at)
    }
  }

  #earn(shared: Shared, part: number, amount: Quote, at: number): void {
    shared.earned[part] = (shared.earned[part] as Quote) + amount
    const earnings = this.#earnings[part] as Earnings
    earnings.earned.push([at, earnedOf(earnings)])
  }

  #out(shared: Shared, part: number): void {
    const earnings = this.#earnings[part] as Earnings
    earnings.trades += 1
    if ((shared.earned[part] as Quote) > 0n) earnings.wins += 1
    shared.earned[part] = 0n
  }

  #shared({ positionId, marketId, direction }: ToldPositionEvent): Shared {
    const known = this.#positions.get(positionId)
    if (known !== undefined) return known
    const none = () => this.#names.map(() => 0n)
    const shared = { marketId, direction, sizes: none(), costs: none(), earned: none() }
    this.#positions.set(positionId, shared)
    return shared
  }

  #openPnl(priceOf: (marketId: string) => Price): Quote[] {
    const open = this.#names.map(() => 0n)
    for (const { marketId, direction, sizes, costs } of this.#positions.values())
      for (const [part, size] of sizes.entries()) {
        const cost = costs[part] as Quote
        const price = priceOf(marketId)
        const pnl = direction === 'long' ? notionalDown(size, price) - cost : cost - notionalUp(size, price)
        open[part] = (open[part] as Quote) + pnl
      }
    return open
  }

  #lastHolder(): number | null {
    let last: number | null = null
    for (const { sizes } of this.#positions.values())
      for (const [part, size] of sizes.entries()) if (size > 0n) last = part
    return last
  }
}

function earnedOf({ realizedPnl, fees, funding }: Earnings): Quote {
  return realizedPnl - fees + funding
}

/** In proportion to weights, each part cut toward zero; the last that weighs anything takes the rest. */
function divided(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) return weights.map(() => 0n)
  const parts = weights.map((weight) => (amount * weight) / total)
  const last = weights.findLastIndex((weight) => weight > 0n)
  const others = parts.reduce((sum, part, index) => (index === last ? sum : sum + part), 0n)
  parts[last] = amount - others
  return parts
}

function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
