/**
 * The context of a strategy that trades on a live host, through the documented API and nothing else. Readings are those
 * of the last `refresh`, which the run makes before every hook and the context after every action.
 */
import { randomUUID } from 'node:crypto'
import {
  ApiError,
  type ApiPlacement,
  type MarginTradingClient,
  VenueUnreachable,
} from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import type { ErrorCode } from '../../terms/errors.ts'
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
import { LiveError } from './liveError.ts'
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
 */
export class LiveContext implements StrategyContext {
  readonly accountId: string
  readonly #client: MarginTradingClient
  readonly #clock: () => number
  readonly #bars = new HeardBars()
  #account: AccountRecord
  #markets: readonly MarketRecord[] = []
  #positions: readonly PositionRecord[] = []
  #orders: readonly OrderRecord[] = []

  private constructor(client: MarginTradingClient, account: AccountRecord, clock: () => number) {
    this.#client = client
    this.#account = account
    this.accountId = account.accountId
    this.#clock = clock
  }

  /**
   * Opens the account of a key; with several, the one named.
   *
   * @throws LiveError where the key has no such account, or the host cannot be reached.
   */
  static async open(
    client: MarginTradingClient,
    clock: () => number,
    accountId?: string,
  ): Promise<LiveContext> {
    const accounts = fromWire<AccountRecord[]>(await read(client, client.accounts()))
    const account = accounts.find((candidate) => accountId === undefined || candidate.accountId === accountId)
    if (account === undefined)
      throw new LiveError(
        accountId === undefined ? 'the key has no account' : `the key has no account ${accountId}`,
      )
    const context = new LiveContext(client, account, clock)
    await context.refresh()
    return context
  }

  /** Epoch ms, by the clock it was opened with. */
  get now(): number {
    return this.#clock()
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

  of(account: string): StrategyContext {
    throw new RangeError(`a live run has one account; there is no ${account}`)
  }

  account(): AccountRecord {
    return this.#account
  }

  market(asset: string): MarketRecord {
    const market = this.#markets.find(({ config }) => config.baseAsset === asset)
    if (market === undefined) throw new RangeError(`the venue has no market ${asset}`)
    return market
  }

  get markets(): readonly MarketRecord[] {
    return this.#markets
  }

  equity(): Quote {
    return this.#account.riskStatus.currentEquity
  }

  freeBalance(): Quote {
    return this.#account.riskStatus.freeBalance
  }

  positions(asset?: string): readonly PositionRecord[] {
    return this.#on(this.#positions, asset)
  }

  orders(asset?: string): readonly OrderRecord[] {
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

  /** A bar that the strategy is about to be told of. @throws RangeError for one longer than a length it asked for. */
  hear(bar: Bar): void {
    this.#bars.add(bar)
  }

  open(order: EntryOrder): Promise<ActionResult<OrderRecord>> {
    const market = this.market(order.asset)
    const { orderType: type, ...fields } = entryFields(order, market, this.equity())
    return this.#place({ marketId: market.id, type, ...fields })
  }

  close(order: ExitOrder): Promise<ActionResult<OrderRecord>> {
    const { orderType: type, ...fields } = exitFields(order)
    return this.#place({ type, ...fields })
  }

  edit(orderId: string, changes: OrderChanges): Promise<ActionResult<OrderRecord>> {
    return this.#act(this.#client.editOrder(orderId, toWire(changes)))
  }

  cancel(orderId: string): Promise<ActionResult<OrderRecord>> {
    return this.#act(this.#client.cancelOrder(orderId))
  }

  changeMargin(position: PositionRecord, change: Quote): Promise<ActionResult<PositionRecord>> {
    return this.#act(this.#client.changeMargin(position.id, change.toString()))
  }

  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    const answer = await this.#act<{ readonly orders: readonly OrderRecord[] }>(
      this.#client.closeAll(this.accountId),
    )
    return answer.ok ? { ok: true, value: answer.value.orders } : answer
  }

  /** Under a key of its own, so that an order whose answer was lost is asked for again and not placed again. */
  #place(fields: object): Promise<ActionResult<OrderRecord>> {
    const order = toWire<ApiPlacement>({ accountId: this.accountId, ...fields })
    return this.#act(this.#client.placeOrder(order, { idempotencyKey: randomUUID() }))
  }

  async #act<T>(asked: Promise<unknown>): Promise<ActionResult<T>> {
    let answer: unknown
    try {
      answer = await asked
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === UNEXPECTED) throw liveError(this.#client, error)
      const { details } = error.body
      return {
        ok: false,
        error: { code: error.code as ErrorCode, ...(details !== undefined && { details }) },
      }
    }
    await this.refresh()
    return { ok: true, value: fromWire<T>(answer) }
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
