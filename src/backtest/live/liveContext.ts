/** The context of a strategy that trades on a live host, through the API and nothing else. */
import type { MarginTradingClient, StreamMessage, VenueStream } from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import type { AdoptingContext } from '../learned/adopting.ts'
import type { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import type { ModelShelf } from '../learned/modelShelf.ts'
import { WarmUp } from '../run/warmUp.ts'
import { HeardBars } from '../strategy/heardBars.ts'
import type { Calculation, Indicator, IndicatorInput, IndicatorOptions } from '../strategy/indicator.ts'
import { entryFields, exitFields } from '../strategy/orderFields.ts'
import type {
  ActionResult,
  Bar,
  EntryOrder,
  ExitOrder,
  OrderChanges,
  StrategyContext,
} from '../strategy/strategy.ts'
import type { StrategyEvent } from '../strategy/strategyEvent.ts'
import { mustTrail, TrailingEntries } from '../strategy/trailingEntries.ts'
import { IDLE } from '../strategy/warmingUp.ts'
import type { ActionWatch, Asked } from './actionWatch.ts'
import { askedOf } from './askedOf.ts'
import { LiveActions } from './liveActions.ts'
import { LiveError } from './liveError.ts'
import { LiveReadings } from './liveReadings.ts'
import { fromWire } from './wireRecords.ts'

/** How long a market order is sent again where nothing else is said, ms. */
const MARKET_WITHIN_MS = 10_000

/**
 * What a strategy sees and does of an account behind the Margin Trading API.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const served = await serveVenue({ configuration, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: served.url, token: apiKey })
 * const context = await LiveContext.open(client, () => Date.now())
 * await served.close()
 * context.markets.length // → 4
 * ```
 *
 * @throws RangeError for a market, an interval or a decimal that is none, from whatever takes one; LearningFailure for what a model is learned
 * by; KeptModelError for a kept model that is another; LiveError, from whatever asks
 * the venue, where the key or the venue is at fault. A refused order is no error: the answer says so.
 */
export class LiveContext implements AdoptingContext {
  readonly accountId: string
  readonly #readings: LiveReadings
  readonly #actions: LiveActions
  readonly #bars: HeardBars
  readonly #warmUp = new WarmUp()
  readonly #trailing = new TrailingEntries()
  #assets: readonly string[] | null = null
  #onLearned: (learned: Learned) => void = () => {}

  private constructor(
    accountId: string,
    readings: LiveReadings,
    actions: LiveActions,
    models: ModelShelf | null,
  ) {
    this.#bars = new HeardBars(null, models)
    this.accountId = accountId
    this.#readings = readings
    this.#actions = actions
  }

  /**
   * Opens the account of a key; with several, the one named.
   *
   * @param marketWithinMs a market order is not sent again later than this after it was decided, ms.
   * @param models the kept models that those of the strategy start from, and where they are kept.
   * @throws LiveError where the key has no such account, or the host cannot be reached.
   */
  static async open(
    client: MarginTradingClient,
    clock: () => number,
    accountId?: string,
    marketWithinMs = MARKET_WITHIN_MS,
    models: ModelShelf | null = null,
  ): Promise<LiveContext> {
    const accounts = fromWire<AccountRecord[]>(await askedOf(client, client.accounts()))
    const account = accounts.find((candidate) => accountId === undefined || candidate.accountId === accountId)
    if (account === undefined)
      throw new LiveError(
        accountId === undefined ? 'the key has no account' : `the key has no account ${accountId}`,
      )
    const readings = new LiveReadings(client, account, clock)
    const actions = new LiveActions(client, readings, marketWithinMs)
    await readings.refresh()
    return new LiveContext(account.accountId, readings, actions, models)
  }

  /**
   * Epoch ms: by the venue's clock where a stream tells it, else by the one it was opened with. During a warm-up that of the price told.
   */
  get now(): number {
    return this.#warmUp.isOn ? this.#warmUp.now : this.#readings.now
  }

  /** Epoch ms: what `now` is outside of a warm-up. */
  get venueNow(): number {
    return this.#readings.now
  }

  /** Reads prices only. */
  refreshMarkets(): Promise<void> {
    return this.#readings.refreshMarkets()
  }

  /** Reads markets, account, positions and orders. */
  refresh(): Promise<void> {
    return this.#readings.refresh()
  }

  /** The markets that the strategy is told of. @throws RangeError for one that the venue has not. */
  only(assets: readonly string[]): void {
    for (const asset of assets) this.market(asset)
    this.#assets = assets
  }

  /** Tells of every action from now on, once it is answered. */
  watch(watch: ActionWatch): void {
    this.#actions.watch(watch)
  }

  /** Tells of every model that the strategy makes from now on. */
  watchLearned(onLearned: (learned: Learned) => void): void {
    this.#onLearned = onLearned
  }

  /** From now on, until {@link leave}, readings are what a stream has told; call {@link told} with each of its messages. */
  follow(stream: VenueStream): void {
    this.#readings.follow(stream)
  }

  /** The stream has ended: readings come from the venue again, with the next `refresh`. */
  leave(): void {
    this.#readings.leave()
  }

  /** A message of the stream that is followed, as it comes. */
  told(message: StreamMessage): void {
    this.#readings.told(message)
  }

  /** What the strategy is told before it may trade: while it is on, time and prices are those of the data. */
  get warmUp(): WarmUp {
    return this.#warmUp
  }

  /** Call with every event of the account once the strategy may act on it: an entry that has filled gets its trailing stop. */
  async heard(event: StrategyEvent): Promise<ActionResult<OrderRecord> | null> {
    const fill = this.#trailing.heard(event)
    const position = this.positions().find(({ id }) => id === fill?.positionId)
    if (fill === null || position === undefined) return null
    return this.close({ position, type: 'trailing_stop', size: fill.size, ...fill.trailingStop })
  }

  /** Those that a run follows, else all of the venue's. */
  get assets(): readonly string[] {
    return this.#assets ?? this.markets.map(({ config }) => config.baseAsset)
  }

  of(account: string): StrategyContext {
    throw new RangeError(`a live run has one account; there is no ${account}`)
  }

  account(): AccountRecord {
    return this.#readings.account
  }

  market(asset: string): MarketRecord {
    const market = this.markets.find(({ config }) => config.baseAsset === asset)
    if (market === undefined) throw new RangeError(`the venue has no market ${asset}`)
    if (!this.#warmUp.isOn) return market
    return { ...market, state: { ...market.state, indexPrice: this.#warmUp.priceOf(market.id) } }
  }

  get markets(): readonly MarketRecord[] {
    return this.#readings.markets
  }

  equity(): Quote {
    return this.account().riskStatus.currentEquity
  }

  freeBalance(): Quote {
    return this.account().riskStatus.freeBalance
  }

  positions(asset?: string): readonly PositionRecord[] {
    return this.#on(this.#readings.positions, asset)
  }

  orders(asset?: string): readonly OrderRecord[] {
    return this.#on(this.#readings.orders, asset)
  }

  bars(asset: string, interval: string): readonly Bar[] {
    this.market(asset)
    return this.#bars.of(asset, interval)
  }

  indicator<Input, Result>(
    asset: string,
    name: string,
    calculation: Calculation<Input, Result>,
    options: IndicatorOptions<IndicatorInput> = {},
  ): Indicator<Result> {
    this.market(asset)
    return this.#bars.indicator(asset, name, calculation, options)
  }

  learn(asset: string, name: string, learning: Learning): Learned {
    this.market(asset)
    const learned = this.#bars.learn(asset, name, learning)
    this.adopt(learned)
    return learned
  }

  adopt(learned: Learned): void {
    this.#onLearned(learned)
  }

  /** Ask before {@link hear}: a fit that is used from this bar on may have to be waited for. False where nobody is to be told of the bar. */
  ready(bar: Bar): Promise<boolean> | undefined {
    return this.#bars.ready(bar)
  }

  /**
   * A bar that the strategy is about to be told of.
   *
   * @throws RangeError for one longer than a length it asked for; LearningFailure for what a model is learned by; KeptModelError for
   * features that are not those of a kept model.
   */
  hear(bar: Bar): void {
    this.#bars.add(bar)
  }

  async open(order: EntryOrder): Promise<ActionResult<OrderRecord>> {
    mustTrail(order)
    if (order.trailingStop !== undefined && this.#readings.toldByStream === null)
      throw new RangeError(
        'an entry with a trailing stop needs a venue with a stream: only that tells of the fill',
      )
    const market = this.market(order.asset)
    const { orderType: type, ...fields } = entryFields(order, market, this.equity())
    const { asset, direction: side } = order
    if (this.#warmUp.isOn) return IDLE
    const placed = await this.#actions.place(
      { action: 'open', asset, side },
      { marketId: market.id, type, ...fields },
    )
    if (placed.ok) this.#trailing.add(placed.value.id, order)
    return placed
  }

  async close(order: ExitOrder): Promise<ActionResult<OrderRecord>> {
    const { orderType: type, ...fields } = exitFields(order)
    const { marketId, direction: side } = order.position
    if (this.#warmUp.isOn) return IDLE
    return this.#actions.place({ action: 'close', asset: this.#assetOf(marketId), side }, { type, ...fields })
  }

  async edit(orderId: string, changes: OrderChanges): Promise<ActionResult<OrderRecord>> {
    if (this.#warmUp.isOn) return IDLE
    const edited = await this.#actions.edit(this.#askedOf('edit', orderId), orderId, changes)
    if (edited.ok) this.#trailing.replaced(orderId, edited.value.id)
    return edited
  }

  async cancel(orderId: string): Promise<ActionResult<OrderRecord>> {
    if (this.#warmUp.isOn) return IDLE
    return this.#actions.cancel(this.#askedOf('cancel', orderId), orderId)
  }

  async changeMargin(position: PositionRecord, change: Quote): Promise<ActionResult<PositionRecord>> {
    const { id, marketId, direction: side } = position
    if (this.#warmUp.isOn) return IDLE
    return this.#actions.changeMargin(
      { action: 'changeMargin', asset: this.#assetOf(marketId), side },
      id,
      change,
    )
  }

  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    return this.#warmUp.isOn ? IDLE : this.#actions.closeAll()
  }

  #askedOf(action: Asked['action'], orderId: string): Asked {
    const order = this.orders().find(({ id }) => id === orderId)
    const asset = order === undefined ? null : this.#assetOf(order.marketId)
    return { action, asset, side: order?.direction ?? null }
  }

  #assetOf(marketId: string): string | null {
    return this.markets.find(({ id }) => id === marketId)?.config.baseAsset ?? null
  }

  #on<T extends { readonly marketId: string }>(items: readonly T[], asset: string | undefined): readonly T[] {
    if (asset === undefined) return items
    const { id } = this.market(asset)
    return items.filter(({ marketId }) => marketId === id)
  }
}
