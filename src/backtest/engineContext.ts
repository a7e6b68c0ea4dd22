/** The context of a backtest: the engine itself, acted on at the time of the price being processed. */
import type { Command } from '../domain/command.ts'
import type { OrderRecord } from '../domain/order/order.ts'
import type { PositionRecord } from '../domain/position/position.ts'
import type { Engine } from '../engine/engine.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { AccountRecord } from '../projections/accountRecord.ts'
import type { MarketRecord } from '../projections/marketRecord.ts'
import { fp9 } from '../quantity/decimal.ts'
import type { Quote } from '../quantity/units.ts'
import { entryAmount } from './positionSizing.ts'
import type { ActionResult, EntryOrder, ExitOrder, OrderChanges, StrategyContext } from './strategy.ts'

export class EngineContext implements StrategyContext {
  readonly accountId: string
  readonly #engine: Engine
  readonly #marketIds: ReadonlyMap<string, string>
  readonly #onRefused: (command: Command, code: string) => void

  /** `marketIds` by asset; `onRefused` is told of every refusal. */
  constructor(
    engine: Engine,
    accountId: string,
    marketIds: ReadonlyMap<string, string>,
    onRefused: (command: Command, code: string) => void,
  ) {
    this.#engine = engine
    this.accountId = accountId
    this.#marketIds = marketIds
    this.#onRefused = onRefused
  }

  get now(): number {
    return this.#engine.now
  }

  account(): AccountRecord {
    return this.#engine.read.account(this.accountId) as AccountRecord
  }

  market(asset: string): MarketRecord {
    return this.#engine.read.market(this.#marketId(asset)) as MarketRecord
  }

  equity(): Quote {
    return this.#engine.read.equity(this.accountId) as Quote
  }

  freeBalance(): Quote {
    return this.account().riskStatus.freeBalance
  }

  positions(asset?: string): readonly PositionRecord[] {
    return this.#engine.read.activePositions(this.accountId, this.#optionalMarketId(asset))
  }

  orders(asset?: string): readonly OrderRecord[] {
    return this.#engine.read.activeOrders(this.accountId, this.#optionalMarketId(asset))
  }

  open(order: EntryOrder): ActionResult<OrderRecord> {
    const market = this.market(order.asset)
    const entryPrice = order.stopLimitPrice ?? order.triggerPrice ?? market.state.indexPrice
    return this.#do({
      type: 'placeOrder',
      accountId: this.accountId,
      marketId: market.id,
      orderType: order.type ?? 'market',
      direction: order.direction,
      amount: entryAmount(order, market, this.equity(), entryPrice),
      leverage: fp9(order.leverage),
      triggerPrice: order.triggerPrice ?? null,
      stopLimitPrice: order.stopLimitPrice ?? null,
      stopTriggerPrice: order.stopLoss ?? null,
      takeTriggerPrice: order.takeProfit ?? null,
    })
  }

  close(order: ExitOrder): ActionResult<OrderRecord> {
    const { position, type = 'take' } = order
    return this.#do({
      type: 'placeOrder',
      accountId: this.accountId,
      marketId: position.market,
      orderType: type,
      direction: position.direction,
      positionId: position.idx,
      amount: order.size ?? position.size,
      triggerPrice: type === 'trailing_stop' ? null : (order.triggerPrice ?? 0n),
      trailingStopActivationPrice: order.activationPrice ?? null,
      trailingStopOffset: order.offset ?? null,
      trailingStopOffsetPercent: order.offsetPercent === undefined ? null : fp9(order.offsetPercent),
    })
  }

  edit(orderId: string, changes: OrderChanges): ActionResult<OrderRecord> {
    return this.#do({ type: 'editOrder', orderId, ...changes })
  }

  cancel(orderId: string): ActionResult<OrderRecord> {
    return this.#do({ type: 'cancelOrder', orderId })
  }

  changeMargin(position: PositionRecord, change: Quote): ActionResult<PositionRecord> {
    return this.#do({ type: 'changeMargin', positionId: position.idx, marginChange: change })
  }

  closeAll(): ActionResult<readonly OrderRecord[]> {
    const outcome = this.#do({ type: 'closeAll', accountId: this.accountId })
    return outcome.ok ? { ok: true, value: outcome.value.orders } : outcome
  }

  #do<C extends Command>(command: C): Outcome<C> {
    const outcome = this.#engine.dispatch(command)
    if (!outcome.ok) this.#onRefused(command, outcome.error.code)
    return outcome
  }

  #marketId(asset: string): string {
    const id = this.#marketIds.get(asset)
    if (id === undefined) throw new RangeError(`this run has no market ${asset}`)
    return id
  }

  #optionalMarketId(asset: string | undefined): string | undefined {
    return asset === undefined ? undefined : this.#marketId(asset)
  }
}
