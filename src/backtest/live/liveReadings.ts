/**
 * What a live run knows of its account and its markets. Where the venue has a stream, readings are what it has told; without one they are
 * those of the last `refresh`.
 */
import type { MarginTradingClient, StreamMessage, VenueStream } from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import type { AccountRecord } from '../../projections/accountRecord.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import { askedOf } from './askedOf.ts'
import { ToldByStream } from './toldByStream.ts'
import { VenueTime } from './venueTime.ts'
import { fromWire, toWire } from './wireRecords.ts'

export class LiveReadings {
  readonly #client: MarginTradingClient
  readonly #time: VenueTime
  #account: AccountRecord
  #markets: readonly MarketRecord[] = []
  #positions: readonly PositionRecord[] = []
  #orders: readonly OrderRecord[] = []
  /** The stream that readings come from, what it has told, and whether that was taken over; null without one. */
  #followed: { readonly stream: VenueStream; readonly told: ToldByStream; isTaken: boolean } | null = null

  /** `clock`: the client's own, epoch ms. */
  constructor(client: MarginTradingClient, account: AccountRecord, clock: () => number) {
    this.#client = client
    this.#account = account
    this.#time = new VenueTime(clock)
  }

  /** Epoch ms: by the venue's clock where a stream tells it, else by the client's own. */
  get now(): number {
    return this.#time.now
  }

  /** Reads prices only. @throws LiveError */
  async refreshMarkets(): Promise<void> {
    this.#markets = fromWire(await askedOf(this.#client, this.#client.markets(this.#id)))
  }

  /** Reads markets, account, positions and orders. @throws LiveError */
  async refresh(): Promise<void> {
    await this.refreshMarkets()
    const accounts = fromWire<AccountRecord[]>(await askedOf(this.#client, this.#client.accounts()))
    this.#account = accounts.find(({ accountId }) => accountId === this.#id) ?? this.#account
    this.#positions = fromWire(await askedOf(this.#client, this.#client.activePositions(this.#id)))
    this.#orders = fromWire(await askedOf(this.#client, this.#client.activeOrders(this.#id)))
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
    this.#time.told(writtenInstant(message.at) ?? Number.NaN)
    if (this.#followed === null) return
    this.#followed.isTaken = false
    this.#followed.told.add(message)
  }

  /** What the stream has told of orders and positions; null without one. */
  get toldByStream(): ToldByStream | null {
    return this.#followed?.told ?? null
  }

  get account(): AccountRecord {
    this.#takeOver()
    return this.#account
  }

  get markets(): readonly MarketRecord[] {
    this.#takeOver()
    return this.#markets
  }

  get positions(): readonly PositionRecord[] {
    this.#takeOver()
    return this.#positions
  }

  get orders(): readonly OrderRecord[] {
    this.#takeOver()
    return this.#orders
  }

  get #id(): string {
    return this.#account.accountId
  }

  /** What the stream has told by now, as records. */
  #takeOver(): void {
    const followed = this.#followed
    if (followed === null || followed.isTaken || followed.stream.markets.size === 0) return
    const { accounts, markets, positions, orders } = followed.stream
    followed.isTaken = true
    this.#account = fromWire(accounts.get(this.#id) ?? toWire(this.#account))
    this.#markets = fromWire([...markets.values()])
    this.#positions = newestFirst(fromWire<PositionRecord[]>([...positions.values()]), 'openedAt')
    this.#orders = newestFirst(fromWire<OrderRecord[]>([...orders.values()]), 'createdAt')
  }
}

/** As the reads give them. */
function newestFirst<Field extends string, T extends { readonly [Key in Field]: number }>(
  items: readonly T[],
  field: Field,
): readonly T[] {
  return [...items].reverse().sort((a, b) => b[field] - a[field])
}
