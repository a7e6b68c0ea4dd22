/**
 * The context of a strategy that trades on a live host, through the API and nothing else. Where the venue has a stream, readings are what
 * it has told, and an action is over once the stream has told it too: so nothing that was done is unknown afterwards. Without
 * one they are those of the last `refresh`, which the run makes before every hook and the context after every action.
 */
import {
  ApiError,
  type ApiOrder,
  type ApiPlacement,
  type MarginTradingClient,
  type StreamMessage,
  type VenueStream,
  VenueUnreachable,
} from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import type { ErrorCode } from '../../terms/errors.ts'
import type { Learned } from '../learned/learned.ts'
import type { Learning } from '../learned/learning.ts'
import { HeardBars } from '../strategy/heardBars.ts'
import type { Calculation, Candle, Indicator, IndicatorOptions } from '../strategy/indicator.ts'
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
import type { ActionWatch, Asked } from './actionWatch.ts'
import { LiveError } from './liveError.ts'
import { placedInTime } from './placedInTime.ts'
import { ToldByStream } from './toldByStream.ts'
import { VenueTime } from './venueTime.ts'
import { fromWire, toWire } from './wireRecords.ts'

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
 * by; LiveError, from whatever asks
 * the venue, where the key or the venue is at fault. A refused order is no error: the answer says so.
 */
export class LiveContext implements StrategyContext {
  readonly accountId: string
  readonly #client: MarginTradingClient
  readonly #time: VenueTime
  readonly #bars = new HeardBars()
  #account: AccountRecord
  #assets: readonly string[] | null = null
  #markets: readonly MarketRecord[] = []
  #positions: readonly PositionRecord[] = []
  #orders: readonly OrderRecord[] = []
  readonly #trailing = new TrailingEntries()
  readonly #marketWithinMs: number
  #watch: ActionWatch = { asked: () => {}, asker: () => undefined, caused: () => [], late: () => {} }
  /** The stream that readings come from, what it has told, and whether that was taken over; null without one. */
  #followed: { readonly stream: VenueStream; readonly told: ToldByStream; isTaken: boolean } | null = null

  private constructor(
    client: MarginTradingClient,
    account: AccountRecord,
    clock: () => number,
    marketWithinMs: number,
  ) {
    this.#client = client
    this.#marketWithinMs = marketWithinMs
    this.#account = account
    this.accountId = account.accountId
    this.#time = new VenueTime(clock)
  }

  /**
   * Opens the account of a key; with several, the one named.
   *
   * @param marketWithinMs a market order is not sent again later than this after it was decided, ms.
   * @throws LiveError where the key has no such account, or the host cannot be reached.
   */
  static async open(
    client: MarginTradingClient,
    clock: () => number,
    accountId?: string,
    marketWithinMs = MARKET_WITHIN_MS,
  ): Promise<LiveContext> {
    const accounts = fromWire<AccountRecord[]>(await read(client, client.accounts()))
    const account = accounts.find((candidate) => accountId === undefined || candidate.accountId === accountId)
    if (account === undefined)
      throw new LiveError(
        accountId === undefined ? 'the key has no account' : `the key has no account ${accountId}`,
      )
    const context = new LiveContext(client, account, clock, marketWithinMs)
    await context.refresh()
    return context
  }

  /** Epoch ms: by the venue's clock where a stream tells it, else by the one it was opened with. */
  get now(): number {
    return this.#time.now
  }

  /** Reads prices only. */
  async refreshMarkets(): Promise<void> {
    this.#markets = fromWire(await this.#read(this.#client.markets(this.accountId)))
  }

  /** Reads markets, account, positions and orders. */
  async refresh(): Promise<void> {
    await this.refreshMarkets()
    const accounts = fromWire<AccountRecord[]>(await this.#read(this.#client.accounts()))
    this.#account = accounts.find(({ accountId }) => accountId === this.accountId) ?? this.#account
    this.#positions = fromWire(await this.#read(this.#client.activePositions(this.accountId)))
    this.#orders = fromWire(await this.#read(this.#client.activeOrders(this.accountId)))
  }

  /** The markets that the strategy is told of. @throws RangeError for one that the venue has not. */
  only(assets: readonly string[]): void {
    for (const asset of assets) this.market(asset)
    this.#assets = assets
  }

  /** Tells of every action from now on, once it is answered. */
  watch(watch: ActionWatch): void {
    this.#watch = watch
  }

  /** From now on, until {@link leave}, readings are what a stream has told; call {@link told} with each of its messages. */
  follow(stream: VenueStream): void {
    this.#followed = { stream, told: new ToldByStream(), isTaken: true }
  }

  /** The stream has ended: readings come from the venue again, with the next `refresh`. */
  leave(): void {
    this.#takeOver()
    this.#followed = null
  }

  /** A message of the stream that is followed, as it comes. */
  told(message: StreamMessage): void {
    this.#time.told(Date.parse(message.at))
    if (this.#followed === null) return
    this.#followed.isTaken = false
    this.#followed.told.add(message)
  }

  /** Call with every event of the account once the strategy may act on it: an entry that has filled gets its trailing stop. */
  async heard(event: StrategyEvent): Promise<ActionResult<OrderRecord> | null> {
    const fill = this.#trailing.heard(event)
    const position = this.positions().find(({ id }) => id === fill?.positionId)
    if (fill === null || position === undefined) return null
    return this.close({ position, type: 'trailing_stop', size: fill.size, ...fill.trailingStop })
  }

  /** What the stream has told by now, as records. */
  #takeOver(): void {
    const followed = this.#followed
    if (followed === null || followed.isTaken || followed.stream.markets.size === 0) return
    const { accounts, markets, positions, orders } = followed.stream
    followed.isTaken = true
    this.#account = fromWire(accounts.get(this.accountId) ?? toWire(this.#account))
    this.#markets = fromWire([...markets.values()])
    this.#positions = newestFirst(fromWire<PositionRecord[]>([...positions.values()]), 'openedAt')
    this.#orders = newestFirst(fromWire<OrderRecord[]>([...orders.values()]), 'createdAt')
  }

  /** Those that a run follows, else all of the venue's. */
  get assets(): readonly string[] {
    return this.#assets ?? this.markets.map(({ config }) => config.baseAsset)
  }

  of(account: string): StrategyContext {
    throw new RangeError(`a live run has one account; there is no ${account}`)
  }

  account(): AccountRecord {
    this.#takeOver()
    return this.#account
  }

  market(asset: string): MarketRecord {
    const market = this.markets.find(({ config }) => config.baseAsset === asset)
    if (market === undefined) throw new RangeError(`the venue has no market ${asset}`)
    return market
  }

  get markets(): readonly MarketRecord[] {
    this.#takeOver()
    return this.#markets
  }

  equity(): Quote {
    return this.account().riskStatus.currentEquity
  }

  freeBalance(): Quote {
    return this.account().riskStatus.freeBalance
  }

  positions(asset?: string): readonly PositionRecord[] {
    this.#takeOver()
    return this.#on(this.#positions, asset)
  }

  orders(asset?: string): readonly OrderRecord[] {
    this.#takeOver()
    return this.#on(this.#orders, asset)
  }

  bars(asset: string, interval: string): readonly Bar[] {
    this.market(asset)
    return this.#bars.of(asset, interval)
  }

  indicator<Input, Result>(
    asset: string,
    name: string,
    calculation: Calculation<Input, Result>,
    options: IndicatorOptions<keyof Candle | 'candle'> = {},
  ): Indicator<Result> {
    this.market(asset)
    return this.#bars.indicator(asset, name, calculation, options)
  }

  learn(asset: string, name: string, learning: Learning): Learned {
    this.market(asset)
    return this.#bars.learn(asset, name, learning)
  }

  /**
   * A bar that the strategy is about to be told of.
   *
   * @throws RangeError for one longer than a length it asked for; LearningFailure for what a model is learned by.
   */
  hear(bar: Bar): void {
    this.#bars.add(bar)
  }

  async open(order: EntryOrder): Promise<ActionResult<OrderRecord>> {
    mustTrail(order)
    if (order.trailingStop !== undefined && this.#followed === null)
      throw new RangeError(
        'an entry with a trailing stop needs a venue with a stream: only that tells of the fill',
      )
    const market = this.market(order.asset)
    const { orderType: type, ...fields } = entryFields(order, market, this.equity())
    const { asset, direction: side } = order
    const placed = await this.#place(
      { action: 'open', asset, side },
      { marketId: market.id, type, ...fields },
    )
    if (placed.ok) this.#trailing.add(placed.value.id, order)
    return placed
  }

  close(order: ExitOrder): Promise<ActionResult<OrderRecord>> {
    const { orderType: type, ...fields } = exitFields(order)
    const { marketId, direction: side } = order.position
    return this.#place({ action: 'close', asset: this.#assetOf(marketId), side }, { type, ...fields })
  }

  async edit(orderId: string, changes: OrderChanges): Promise<ActionResult<OrderRecord>> {
    const asked = this.#askedOf('edit', orderId)
    const edited = await this.#actOnOrder(asked, this.#client.editOrder(orderId, toWire(changes)))
    if (edited.ok) this.#trailing.replaced(orderId, edited.value.id)
    return edited
  }

  cancel(orderId: string): Promise<ActionResult<OrderRecord>> {
    return this.#actOnOrder(this.#askedOf('cancel', orderId), this.#client.cancelOrder(orderId))
  }

  changeMargin(position: PositionRecord, change: Quote): Promise<ActionResult<PositionRecord>> {
    const { marketId, direction: side } = position
    return this.#act<PositionRecord>(
      { action: 'changeMargin', asset: this.#assetOf(marketId), side },
      this.#client.changeMargin(position.id, change.toString()),
      (told, { id, version }) => told.position(id, version),
    )
  }

  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    const answer = await this.#act<{ readonly orders: readonly OrderRecord[] }>(
      { action: 'closeAll', asset: null, side: null },
      this.#client.closeAll(this.accountId),
      async (told, { orders }) => {
        for (const { id, status } of orders) if (!(await told.order(id, status))) return false
        return true
      },
    )
    return answer.ok ? { ok: true, value: answer.value.orders } : answer
  }

  #place(what: Asked, fields: object): Promise<ActionResult<OrderRecord>> {
    const order = toWire<ApiPlacement>({ accountId: this.accountId, ...fields })
    const at = this.now
    const onFate = (placed: ApiOrder | null) =>
      this.#watch.late({ ...what, orderId: placed?.id ?? null, ms: this.now - at })
    return this.#actOnOrder(
      what,
      placedInTime(this.#client, order, { withinMs: this.#marketWithinMs, onFate }),
    )
  }

  #actOnOrder(what: Asked, asked: Promise<unknown>): Promise<ActionResult<OrderRecord>> {
    return this.#act<OrderRecord>(what, asked, (told, { id, status }) => told.order(id, status))
  }

  /**
   * A null is an order that was not taken in time. `isTold` waits until the stream has told what was answered; where it does not, or there
   * is none, the venue is read.
   */
  async #act<T>(
    what: Asked,
    asked: Promise<unknown>,
    isTold: (told: ToldByStream, value: T) => Promise<boolean>,
  ): Promise<ActionResult<T>> {
    const at = this.now
    const part = this.#watch.asker()
    const answered = (answer: string, orderId: string | null) =>
      this.#watch.asked({
        ...{ type: 'asked', at, ...what, orderId, answer, tookMs: this.now - at },
        ...(part === undefined ? {} : { part }),
      })
    let answer: unknown
    try {
      answer = await asked
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === UNEXPECTED) {
        answered('unknown', null)
        throw liveError(this.#client, error)
      }
      const { details } = error.body
      answered(error.code, null)
      return {
        ok: false,
        error: { code: error.code as ErrorCode, ...(details !== undefined && { details }) },
      }
    }
    if (answer === null) {
      answered(NOT_TAKEN, null)
      return { ok: false, error: { code: NOT_TAKEN } }
    }
    const value = fromWire<T>(answer)
    const orderId = orderIdOf(value)
    answered('accepted', orderId)
    const told = this.#followed?.told
    if (told === undefined || !(await isTold(told, value))) await this.refresh()
    // The messages of one commit come one after the other, and this may be the first of them.
    else await new Promise((resolve) => setImmediate(resolve))
    return { ok: true, value, events: orderId === null ? [] : this.#watch.caused(orderId) }
  }

  #askedOf(action: Asked['action'], orderId: string): Asked {
    const order = this.orders().find(({ id }) => id === orderId)
    const asset = order === undefined ? null : this.#assetOf(order.marketId)
    return { action, asset, side: order?.direction ?? null }
  }

  #assetOf(marketId: string): string | null {
    return this.markets.find(({ id }) => id === marketId)?.config.baseAsset ?? null
  }

  #read<Answer>(asked: Promise<Answer>): Promise<Answer> {
    return read(this.#client, asked)
  }

  #on<T extends { readonly marketId: string }>(items: readonly T[], asset: string | undefined): readonly T[] {
    if (asset === undefined) return items
    const { id } = this.market(asset)
    return items.filter(({ marketId }) => marketId === id)
  }
}

/** Null where what came of an action is no order. */
function orderIdOf(value: unknown): string | null {
  const isOrder = typeof value === 'object' && value !== null && 'id' in value && 'orderType' in value
  return isOrder ? String(value.id) : null
}

/** As the reads give them. */
function newestFirst<Field extends string, T extends { readonly [Key in Field]: number }>(
  items: readonly T[],
  field: Field,
): readonly T[] {
  return [...items].reverse().sort((a, b) => b[field] - a[field])
}

/** How long a market order is sent again where nothing else is said, ms. */
const MARKET_WITHIN_MS = 10_000

const NOT_TAKEN = 'not_taken_in_time'

/** The code of an answer that is none of the API's. */
const UNEXPECTED = 'unexpected_answer'

/** What only fails when something is wrong with the key, the account or the venue. @throws LiveError */
async function read<Answer>(client: MarginTradingClient, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw liveError(client, error)
  }
}

function liveError({ baseUrl }: MarginTradingClient, error: unknown): unknown {
  if (error instanceof VenueUnreachable) return new LiveError(error.message, { cause: error })
  if (!(error instanceof ApiError)) return error
  const { request, code, statusCode, body } = error
  return code === UNEXPECTED
    ? new LiveError(`${request}: the answer is none of the API's (status ${statusCode})`, { cause: error })
    : new LiveError(`${baseUrl} refuses ${request} (${code}): ${body.message}`, { cause: error })
}
