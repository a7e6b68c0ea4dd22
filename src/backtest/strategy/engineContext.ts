/** The context of a backtest: the engine itself, acted on at the time of the price being processed. */

import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Accepted, Outcome } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import type { Event } from '../../events/event.ts'
import { uncheckedOrder } from '../../events/placeOrder.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { AdoptingContext } from '../learned/adopting.ts'
import type { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import type { WarmUp } from '../run/warmUp.ts'
import type { HeardBars } from './heardBars.ts'
import type { Calculation, Indicator, IndicatorInput, IndicatorOptions } from './indicator.ts'
import { entryFields, exitFields } from './orderFields.ts'
import type { ActionResult, Bar, EntryOrder, ExitOrder, OrderChanges, StrategyContext } from './strategy.ts'
import { mustTrail, TrailingEntries } from './trailingEntries.ts'
import { IDLE } from './warmingUp.ts'

/** What a context needs of the run it belongs to. */
export interface ContextRun {
  readonly engine: Engine
  /** Ids by asset. */
  readonly marketIds: ReadonlyMap<string, string>
  /** The bars that strategies have heard, as longer ones. */
  readonly bars: HeardBars
  /** What is told before the run begins; the engine knows nothing of it. */
  readonly warmUp: WarmUp
  /** Whether reports draw the indicators of an account. */
  isCharted(accountId: string): boolean
  /** Brings the engine up to the price being processed. */
  catchUp(): void
  /** Is told of every accepted command. */
  accepted(command: Command, outcome: Accepted<unknown>): void
  /** The context of another account. @throws RangeError for a name the run has not. */
  contextOf(account: string): StrategyContext
}

export class EngineContext implements AdoptingContext {
  readonly accountId: string
  readonly #run: ContextRun
  readonly #onRefused: (rejection: Rejection) => void
  readonly #trailing = new TrailingEntries()
  readonly #learned: Learned[] = []

  /** `onRefused` is told of every rejection. */
  constructor(run: ContextRun, accountId: string, onRefused: (rejection: Rejection) => void) {
    this.#run = run
    this.accountId = accountId
    this.#onRefused = onRefused
  }

  get now(): number {
    const { warmUp } = this.#run
    return warmUp.isOn ? warmUp.now : this.#engine.now
  }

  get assets(): readonly string[] {
    return [...this.#run.marketIds.keys()]
  }

  of(account: string): StrategyContext {
    return this.#run.contextOf(account)
  }

  account(): AccountRecord {
    return this.#engine.read.account(this.accountId) as AccountRecord
  }

  market(asset: string): MarketRecord {
    const id = this.#marketId(asset)
    const market = this.#engine.read.market(id) as MarketRecord
    const { warmUp } = this.#run
    if (!warmUp.isOn) return market
    return { ...market, state: { ...market.state, indexPrice: warmUp.priceOf(id) } }
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

  bars(asset: string, interval: string): readonly Bar[] {
    this.#marketId(asset)
    return this.#run.bars.of(asset, interval)
  }

  indicator<Input, Result>(
    asset: string,
    name: string,
    calculation: Calculation<Input, Result>,
    options: IndicatorOptions<IndicatorInput> = {},
  ): Indicator<Result> {
    this.#marketId(asset)
    const chart = this.#run.isCharted(this.accountId) ? {} : ({ chart: 'none' } as const)
    return this.#run.bars.indicator(asset, name, calculation, { ...options, ...chart })
  }

  learn(asset: string, name: string, learning: Learning): Learned {
    this.#marketId(asset)
    const learned = this.#run.bars.learn(asset, name, learning, this.#run.isCharted(this.accountId))
    this.adopt(learned)
    return learned
  }

  adopt(learned: Learned): void {
    this.#learned.push(learned)
  }

  /** In the order in which they were made. */
  get learned(): readonly Learned[] {
    return this.#learned
  }

  open(order: EntryOrder): ActionResult<OrderRecord> {
    mustTrail(order)
    const market = this.market(order.asset)
    const outcome = this.#do(
      uncheckedOrder({
        type: 'placeOrder',
        accountId: this.accountId,
        marketId: market.id,
        ...entryFields(order, market, this.equity()),
      }),
    )
    if (!outcome.ok) return outcome
    this.#trailing.add(outcome.value.id, order)
    for (const event of outcome.events) this.heard(event)
    return outcome
  }

  /** Call with every event of the account: an entry that has filled gets the trailing stop it was placed with. */
  heard(event: Event): void {
    const fill = this.#trailing.heard(event)
    if (fill === null) return
    const position = this.#engine.read.position(fill.positionId)
    if (position === undefined || position.status !== 'opened') return
    this.close({ position, type: 'trailing_stop', size: fill.size, ...fill.trailingStop })
  }

  close(order: ExitOrder): ActionResult<OrderRecord> {
    return this.#do(uncheckedOrder({ type: 'placeOrder', accountId: this.accountId, ...exitFields(order) }))
  }

  edit(orderId: string, changes: OrderChanges): ActionResult<OrderRecord> {
    return this.#do({ type: 'editOrder', orderId, ...changes })
  }

  cancel(orderId: string): ActionResult<OrderRecord> {
    return this.#do({ type: 'cancelOrder', orderId })
  }

  changeMargin(position: PositionRecord, change: Quote): ActionResult<PositionRecord> {
    return this.#do({ type: 'changeMargin', positionId: position.id, marginChange: change })
  }

  closeAll(): ActionResult<readonly OrderRecord[]> {
    const outcome = this.#do({ type: 'closeAll', accountId: this.accountId })
    return outcome.ok ? { ok: true, value: outcome.value.orders } : outcome
  }

  /** The engine, up to date. */
  get #engine(): Engine {
    this.#run.catchUp()
    return this.#run.engine
  }

  #do<C extends Command>(command: C): Outcome<C> | typeof IDLE {
    if (this.#run.warmUp.isOn) return IDLE
    const outcome = this.#engine.dispatch(command)
    if (outcome.ok) this.#run.accepted(command, outcome)
    else this.#onRefused(outcome.error)
    return outcome
  }

  #marketId(asset: string): string {
    const id = this.#run.marketIds.get(asset)
    if (id === undefined)
      throw new RangeError(
        `this run has no market ${asset}; it has ${[...this.#run.marketIds.keys()].join(', ')}`,
      )
    return id
  }

  #optionalMarketId(asset: string | undefined): string | undefined {
    return asset === undefined ? undefined : this.#marketId(asset)
  }
}
