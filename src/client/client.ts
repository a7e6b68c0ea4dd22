/**
 * A typed client of the Margin Trading API over `fetch`: nothing of Node in it, so it runs in a browser too. Quantities
 * stay fp9 strings; `fp9('1.5')` and `formatFp9` of margin-core convert them.
 */
import type { Static } from 'typebox'
import type { AccountResource, MarketResource, RiskStatusResource } from '../resources/account.ts'
import type { ApiKeyResource, CreateApiKeyBody, NewApiKeyResource } from '../resources/apiKey.ts'
import type { EditOrderBody, OrderResource, PlaceOrderBody } from '../resources/order.ts'
import type { CloseAllResource, PositionEventResource, PositionResource } from '../resources/position.ts'
import { ApiError } from './apiError.ts'
import { type Method, Requests, type RetryOptions } from './requests.ts'
import type { SentEvent } from './sentEvent.ts'
import { eventsOf } from './serverSentEvents.ts'
import { type StreamSocketClass, socketEvents } from './socketEvents.ts'
import { type OpenStream, type StreamOpening, type StreamOptions, VenueStream } from './venueStream.ts'

/** The Account resource. */
export type ApiAccount = Static<typeof AccountResource>
/** The Market resource. */
export type ApiMarket = Static<typeof MarketResource>
/** The risk status of an account. */
export type ApiRiskStatus = Static<typeof RiskStatusResource>
/** The Order resource. */
export type ApiOrder = Static<typeof OrderResource>
/** The Position resource. */
export type ApiPosition = Static<typeof PositionResource>
/** The Position event resource. */
export type ApiPositionEvent = Static<typeof PositionEventResource>
/** What a close-all answers (I9). */
export type ApiCloseAll = Static<typeof CloseAllResource>
/** An API key as its owner sees it (I6). */
export type ApiKeyShown = Static<typeof ApiKeyResource>
/** A new API key, with its secret: the one answer that carries it (I6). */
export type ApiKeyCreated = Static<typeof NewApiKeyResource>

/** What an order is placed with. */
export type ApiPlacement = PlaceOrderBody
/** What of an order is edited. */
export type ApiEdit = EditOrderBody

/** One page of a list. */
export interface ApiPage<Item> {
  readonly data: readonly Item[]
  /** Items there are, this page or not. */
  readonly totalCount: number
}

/** Which page; default 20 items from the newest. */
export interface PageOptions {
  /** Items at most, 1 to 100. */
  readonly limit?: number
  /** Items to leave out, from 0. */
  readonly offset?: number
}

/** How an order is placed. */
export interface PlacementOptions {
  /** 1 to 255 characters, one for each order. */
  readonly idempotencyKey?: string | undefined
  /**
   * Not sent again later than so many ms after it was first, a rate limit included; default: as often as the client's `retry` says. What
   * has got no answer by then may have been placed: {@link MarginTradingClient.placedUnder} tells.
   */
  readonly withinMs?: number | undefined
}

/** Where a client finds the API, and who it is. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** An API key, or the token of an interactive session. */
  readonly token: string
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** What is waited out rather than thrown, `{}` for the defaults; default: nothing is. */
  readonly retry?: RetryOptions
  /** Makes a key for each order that is placed without one, such as `randomUUID`, so that it can be asked for again. */
  readonly newIdempotencyKey?: () => string
  /** Streams go over a WebSocket of this kind; default: Server-Sent Events over `fetch`. */
  readonly webSocket?: StreamSocketClass
}

/**
 * Every call rejects with {@link ApiError} when it is refused, and with {@link VenueUnreachable} when there is no answer.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const venue = await serveVenue({ configuration, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: venue.url, token: apiKey })
 * const [account] = await client.accounts()
 * await client.placeOrder({
 *   accountId: account.accountId,
 *   marketId: DEMO.marketIds.BTC,
 *   type: 'market',
 *   direction: 'long',
 *   amount: String(fp9('100')),
 *   leverage: String(fp9('5')),
 * })
 * const { orders } = await client.closeAll(account.accountId)
 * await venue.close()
 * orders.length // → 1
 * ```
 *
 * @throws ApiError, from every request, where the venue refuses it; VenueUnreachable where there is no answer.
 */
export class MarginTradingClient {
  readonly #requests: Requests
  readonly #newIdempotencyKey: (() => string) | undefined
  readonly #webSocket: StreamSocketClass | undefined

  constructor({ baseUrl, token, fetch: send = fetch, retry, newIdempotencyKey, webSocket }: ClientOptions) {
    this.#requests = new Requests(baseUrl, token, send, retry ?? null)
    this.#newIdempotencyKey = newIdempotencyKey
    this.#webSocket = webSocket
  }

  /** Without a slash at its end. */
  get baseUrl(): string {
    return this.#requests.baseUrl
  }

  accounts(): Promise<ApiAccount[]> {
    return this.#call('GET', '/accounts/with-risk-status')
  }

  riskStatus(accountId: string): Promise<ApiRiskStatus> {
    return this.#call('GET', path`/accounts/${accountId}/risk-status`)
  }

  markets(accountId: string): Promise<ApiMarket[]> {
    return this.#call('GET', path`/v2/markets?accountId=${accountId}`)
  }

  /** With an idempotency key a repetition within an hour replays the first answer instead of acting again. */
  placeOrder(order: ApiPlacement, options: PlacementOptions = {}): Promise<ApiOrder> {
    const { idempotencyKey = this.#newIdempotencyKey?.(), withinMs } = options
    return this.#call('POST', '/orders', order, { idempotencyKey, withinMs })
  }

  /**
   * What became of a placement whose answer was lost: the order, or null where none was accepted under the key within an hour. Nothing is
   * placed by asking: what is sent under the key is no order, so that a venue which knows the key answers as it did, and any other refuses
   * the form.
   */
  async placedUnder(idempotencyKey: string): Promise<ApiOrder | null> {
    try {
      return await this.#call<ApiOrder>('POST', '/orders', {}, { idempotencyKey })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'validation_failed') return null
      throw error
    }
  }

  /** The answer is the replacement, with an id of its own. */
  editOrder(orderId: string, edit: ApiEdit): Promise<ApiOrder> {
    return this.#call('PATCH', path`/orders/${orderId}`, edit)
  }

  cancelOrder(orderId: string): Promise<ApiOrder> {
    return this.#call('DELETE', path`/orders/${orderId}`)
  }

  /** Of one market by its base asset ticker, or of all. */
  activeOrders(accountId: string, asset?: string): Promise<ApiOrder[]> {
    const at =
      asset === undefined ? path`/orders/${accountId}/active` : path`/orders/${accountId}/${asset}/active`
    return this.#call('GET', at)
  }

  orderHistory(accountId: string, asset: string, page: PageOptions = {}): Promise<ApiPage<ApiOrder>> {
    const at = path`/orders/${accountId}/${asset}/history`
    return this.#call('GET', at + queryOf(page))
  }

  activePositions(accountId: string, asset?: string): Promise<ApiPosition[]> {
    const at =
      asset === undefined
        ? path`/positions/${accountId}/active`
        : path`/positions/${accountId}/${asset}/active`
    return this.#call('GET', at)
  }

  /** Closed and liquidated ones. */
  positionHistory(accountId: string, asset: string, page: PageOptions = {}): Promise<ApiPage<ApiPosition>> {
    const at = path`/positions/${accountId}/${asset}/history`
    return this.#call('GET', at + queryOf(page))
  }

  /** Open and closed ones, on all markets. */
  portfolio(accountId: string, page: PageOptions = {}): Promise<ApiPage<ApiPosition>> {
    const at = path`/positions/${accountId}/portfolio/history`
    return this.#call('GET', at + queryOf(page))
  }

  positionEvents(positionId: string): Promise<ApiPositionEvent[]> {
    const at = path`/positions/${positionId}/history`
    return this.#call('GET', at)
  }

  /**
   * Signed fp9: positive adds, negative withdraws. With a `version` of the position it is refused with `position_changed` where that has
   * another: of all that are sent for one version one at most is done, whatever becomes of their answers.
   */
  changeMargin(
    positionId: string,
    marginChange: string,
    { version }: { readonly version?: number } = {},
  ): Promise<ApiPosition> {
    return this.#call('PATCH', path`/positions/${positionId}/margin`, { marginChange }, { version })
  }

  closeAll(accountId: string): Promise<ApiCloseAll> {
    const at = path`/positions/${accountId}/close-all`
    return this.#requests.send('POST', at, { isRepeatable: true }) as Promise<ApiCloseAll>
  }

  /**
   * What happens to the caller's accounts and to the markets, as it happens; it reconnects by itself, and each iteration
   * is a stream of its own.
   */
  stream(options: StreamOptions = {}): VenueStream {
    const Socket = this.#webSocket
    const open: OpenStream = (opening, signal) =>
      Socket === undefined
        ? this.#events(opening, signal)
        : socketEvents(
            Socket,
            `${this.baseUrl.replace(/^http/, 'ws')}/stream`,
            { token: this.#requests.token, ...opening },
            signal,
          )
    return new VenueStream(open, options)
  }

  /** Sessions only, as the three below. */
  createApiKey(key: Static<typeof CreateApiKeyBody>): Promise<ApiKeyCreated> {
    return this.#call('POST', '/user/api-keys', key)
  }

  apiKeys(): Promise<ApiKeyShown[]> {
    return this.#call('GET', '/user/api-keys')
  }

  refreshApiKey(id: string): Promise<ApiKeyCreated> {
    return this.#call('POST', path`/user/api-keys/${id}/refresh`)
  }

  deleteApiKey(id: string): Promise<ApiKeyShown> {
    return this.#call('DELETE', path`/user/api-keys/${id}`)
  }

  async *#events(
    { accountIds = [], from }: StreamOpening,
    signal: AbortSignal,
  ): AsyncGenerator<SentEvent, void> {
    const terms = accountIds.map((id) => path`accountId=${id}`)
    if (from !== undefined) terms.push(`from=${from}`)
    const at = terms.length === 0 ? '/stream' : `/stream?${terms.join('&')}`
    yield* eventsOf(await this.#requests.open(at, signal))
  }

  #call<Answer>(
    method: Method,
    at: string,
    body?: object,
    { idempotencyKey, withinMs, version }: PlacementOptions & { readonly version?: number | undefined } = {},
  ): Promise<Answer> {
    const isRepeatable = method === 'GET' || idempotencyKey !== undefined
    const fields = {
      ...(body && { body }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(withinMs !== undefined && { withinMs }),
      ...(version !== undefined && { version }),
    }
    return this.#requests.send(method, at, { ...fields, isRepeatable }) as Promise<Answer>
  }
}

/** A path with its parts escaped. */
function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((whole, text, at) => whole + encodeURIComponent(parts[at - 1] ?? '') + text)
}

function queryOf({ limit, offset }: PageOptions): string {
  const terms = [
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(offset === undefined ? [] : [`offset=${offset}`]),
  ]
  return terms.length === 0 ? '' : `?${terms.join('&')}`
}
