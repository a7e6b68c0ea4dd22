/**
 * The context of a strategy that trades on a live host, through the documented API and nothing else. Readings are those
 * of the last `refresh`, which the run makes before every hook and the context after every action.
 */
import { randomUUID } from 'node:crypto'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { Quote } from '../../quantity/units.ts'
import { entryFields, exitFields } from '../strategy/orderFields.ts'
import type {
  ActionResult,
  EntryOrder,
  ExitOrder,
  OrderChanges,
  StrategyContext,
} from '../strategy/strategy.ts'
import { fromWire, LiveError, type TradingApi } from './tradingApi.ts'

/** What a strategy sees and does of an account behind the Margin Trading API. */
export class LiveContext implements StrategyContext {
  readonly accountId: string
  readonly #api: TradingApi
  readonly #clock: () => number
  #account: AccountRecord
  #markets: readonly MarketRecord[] = []
  #positions: readonly PositionRecord[] = []
  #orders: readonly OrderRecord[] = []

  private constructor(api: TradingApi, account: AccountRecord, clock: () => number) {
    this.#api = api
    this.#account = account
    this.accountId = account.accountId
    this.#clock = clock
  }

  /**
   * Opens the account of a key; with several, the one named.
   *
   * @throws LiveError where the key has no such account, or the host cannot be reached.
   */
  static async open(api: TradingApi, clock: () => number, accountId?: string): Promise<LiveContext> {
    const accounts = fromWire<AccountRecord[]>(await api.read('/accounts/with-risk-status'))
    const account = accounts.find((candidate) => accountId === undefined || candidate.accountId === accountId)
    if (account === undefined)
      throw new LiveError(
        accountId === undefined ? 'the key has no account' : `the key has no account ${accountId}`,
      )
    const context = new LiveContext(api, account, clock)
    await context.refresh()
    return context
  }

  get now(): number {
    return this.#clock()
  }

  /** Reads prices only. */
  async refreshMarkets(): Promise<void> {
    this.#markets = fromWire(await this.#api.read(`/v2/markets?accountId=${this.accountId}`))
  }

  /** Reads markets, account, positions and orders. */
  async refresh(): Promise<void> {
    await this.refreshMarkets()
    const accounts = fromWire<AccountRecord[]>(await this.#api.read('/accounts/with-risk-status'))
    this.#account = accounts.find(({ accountId }) => accountId === this.accountId) ?? this.#account
    this.#positions = fromWire(await this.#api.read(`/positions/${this.accountId}/active`))
    this.#orders = fromWire(await this.#api.read(`/orders/${this.accountId}/active`))
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
    return this.#act('PATCH', `/orders/${orderId}`, changes)
  }

  cancel(orderId: string): Promise<ActionResult<OrderRecord>> {
    return this.#act('DELETE', `/orders/${orderId}`)
  }

  changeMargin(position: PositionRecord, change: Quote): Promise<ActionResult<PositionRecord>> {
    return this.#act('PATCH', `/positions/${position.id}/margin`, { marginChange: change })
  }

  async closeAll(): Promise<ActionResult<readonly OrderRecord[]>> {
    const path = `/positions/${this.accountId}/close-all`
    const answer = await this.#act<{ readonly orders: readonly OrderRecord[] }>('POST', path)
    return answer.ok ? { ok: true, value: answer.value.orders } : answer
  }

  /** Under a key of its own, so that an order whose answer was lost is asked for again and not placed again. */
  #place(fields: object): Promise<ActionResult<OrderRecord>> {
    return this.#act('POST', '/orders', { accountId: this.accountId, ...fields }, randomUUID())
  }

  async #act<T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<ActionResult<T>> {
    const answer = await this.#api.send(method, path, body, idempotencyKey)
    if (!answer.ok) return answer
    await this.refresh()
    return { ok: true, value: fromWire<T>(answer.value) }
  }

  #on<T extends { readonly marketId: string }>(items: readonly T[], asset: string | undefined): readonly T[] {
    if (asset === undefined) return items
    const { id } = this.market(asset)
    return items.filter(({ marketId }) => marketId === id)
  }
}
