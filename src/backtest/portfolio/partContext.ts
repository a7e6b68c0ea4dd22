/** What one strategy of a portfolio sees of the account, and does on it: its own orders and its own share of positions. */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import type { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import type { Calculation, Indicator, IndicatorInput, IndicatorOptions } from '../strategy/indicator.ts'
import type {
  ActionResult,
  Bar,
  EntryOrder,
  ExitOrder,
  MaybePromise,
  OrderChanges,
  StrategyContext,
} from '../strategy/strategy.ts'
import type { PartLedger } from './partLedger.ts'

/** Which strategy of the portfolio it is. */
export interface PartPlace {
  readonly index: number
  readonly name: string
  /** The markets it trades; null = all. */
  readonly assets: readonly string[] | null
}

export class PartContext implements StrategyContext {
  readonly #place: PartPlace
  readonly #ledger: PartLedger
  readonly #account: StrategyContext

  constructor(place: PartPlace, ledger: PartLedger, account: StrategyContext) {
    this.#place = place
    this.#ledger = ledger
    this.#account = account
  }

  get now(): number {
    return this.#account.now
  }

  get accountId(): string {
    return this.#account.accountId
  }

  get assets(): readonly string[] {
    return this.#place.assets ?? this.#account.assets
  }

  of(account: string): StrategyContext {
    return this.#account.of(account)
  }

  account(): AccountRecord {
    return this.#account.account()
  }

  market(asset: string): MarketRecord {
    return this.#account.market(asset)
  }

  equity(): Quote {
    return this.#account.equity()
  }

  freeBalance(): Quote {
    return this.#account.freeBalance()
  }

  positions(asset?: string): readonly PositionRecord[] {
    return this.#account.positions(asset).flatMap((position) => {
      const share = this.#ledger.shareOf(position.id, this.#place.index)
      return share === 0n ? [] : [sharedRecord(position, share)]
    })
  }

  orders(asset?: string): readonly OrderRecord[] {
    return this.#account.orders(asset).filter(({ id }) => this.#isOwn(id))
  }

  bars(asset: string, interval: string): readonly Bar[] {
    return this.#account.bars(asset, interval)
  }

  indicator<Input, Result>(
    asset: string,
    name: string,
    calculation: Calculation<Input, Result>,
    options: IndicatorOptions<IndicatorInput> = {},
  ): Indicator<Result> {
    const { indicator } = this.#account as {
      indicator(asset: string, name: string, calculation: unknown, options: unknown): Indicator<Result>
    }
    return indicator.call(this.#account, asset, `${this.#place.name}: ${name}`, calculation, options)
  }

  learn(asset: string, name: string, learning: Learning): Learned {
    return this.#account.learn(asset, `${this.#place.name}: ${name}`, learning)
  }

  open(order: EntryOrder): MaybePromise<ActionResult<OrderRecord>> {
    const { name, assets } = this.#place
    if (assets !== null && !assets.includes(order.asset))
      throw new RangeError(`${name} trades ${assets.join(', ')} and not ${order.asset}`)
    return this.#placed(
      this.#asking(() => this.#account.open(order)),
      order.trailingStop !== undefined,
    )
  }

  close(order: ExitOrder): MaybePromise<ActionResult<OrderRecord>> {
    return this.#placed(this.#asking(() => this.#account.close(order)))
  }

  edit(orderId: string, changes: OrderChanges): MaybePromise<ActionResult<OrderRecord>> {
    this.#mustOwn(orderId)
    return this.#placed(this.#asking(() => this.#account.edit(orderId, changes)))
  }

  cancel(orderId: string): MaybePromise<ActionResult<OrderRecord>> {
    this.#mustOwn(orderId)
    return this.#asking(() => this.#account.cancel(orderId))
  }

  changeMargin(position: PositionRecord, change: Quote): MaybePromise<ActionResult<PositionRecord>> {
    return this.#asking(() => this.#account.changeMargin(position, change))
  }

  /** Cancels its own orders and closes its own shares; the first refusal ends it. */
  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    for (const { id } of this.orders()) {
      const canceled = await this.cancel(id)
      if (!canceled.ok) return canceled
    }
    const closed: OrderRecord[] = []
    for (const position of this.positions()) {
      const order = await this.close({ position })
      if (!order.ok) return order
      closed.push(order.value)
    }
    return { ok: true, value: closed }
  }

  #asking<T>(ask: () => T): T {
    return this.#ledger.asking(this.#place.index, ask)
  }

  /** Whose an order is has to be known before what it caused is. */
  #placed(
    answer: MaybePromise<ActionResult<OrderRecord>>,
    trails = false,
  ): MaybePromise<ActionResult<OrderRecord>> {
    if (answer instanceof Promise) return answer.then((result) => this.#noted(result, trails))
    return this.#noted(answer, trails)
  }

  #noted(result: ActionResult<OrderRecord>, trails: boolean): ActionResult<OrderRecord> {
    if (!result.ok) return result
    this.#ledger.placed(this.#place.index, result.value.id, trails)
    for (const event of result.events ?? []) this.#ledger.add(event, this.#account.now)
    return result
  }

  #isOwn(orderId: string): boolean {
    return this.#ledger.ownerOf(orderId) === this.#place.index
  }

  #mustOwn(orderId: string): void {
    if (!this.#isOwn(orderId))
      throw new RangeError(
        `${this.#place.name} has not placed the order ${orderId}: it is another strategy's`,
      )
  }
}

/** A share as a position of its own: what is held in proportion, the rest as it is. */
function sharedRecord(position: PositionRecord, share: bigint): PositionRecord {
  const { size, notional, margin } = position
  if (share >= size) return position
  return { ...position, size: share, notional: (notional * share) / size, margin: (margin * share) / size }
}
