// Clients of a host that may go away at any moment. Every call that changes something leaves a mark of its own in the
// log, and each answer of success is remembered with the mark it promises.

import type { Commit } from '../../src/index.ts'
import { ALICE, account, BOB, BTC, CONFIGURATION, market, OPERATOR } from '../host/venue.ts'
import type { Chance } from '../store/traffic.ts'
import type { Sight } from './sights.ts'

const TRADERS = [ALICE, BOB] as const
type Trader = (typeof TRADERS)[number]

/** Funding every second of engine time, and balances that no load uses up. */
export const LOADED_VENUE = {
  ...CONFIGURATION,
  markets: [
    market(BTC, 'BTC', 'crypto', {
      maxPriceAgeMs: 86_400_000,
      fundingIntervalMs: 1_000,
      fundingRate: '1000',
    }),
  ],
  accounts: TRADERS.map((trader) => account(trader, { balance: '1000000000000000000' })),
}

/** A price in the middle of those that the load gives, fp9. */
const MIDDLE = 50_000_000_000_000n
const LOW = '30000000000000'

export interface Call {
  readonly method: string
  readonly path: string
  readonly bearer: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Null where the host went away before it answered. */
export async function call(
  url: string,
  { method, path, bearer, body, headers }: Call,
): Promise<Answer | null> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch {
    return null
  }
}

/** An order under an idempotency key, and the first answer it got. */
export interface Placement {
  readonly call: Call
  readonly key: string
  answer: Answer | null
}

export class HostLoad {
  /** The marks of everything that was acknowledged. */
  readonly acknowledged = new Set<string>()
  readonly placements: Placement[] = []
  /** Keys made over HTTP: they work, unless they were revoked; null while that is not known. */
  readonly apiKeys = new Map<string, boolean | null>()
  /** How a host that has stopped, rather than gone, refuses. */
  readonly stopped: Answer[] = []
  /** Rejections that rest on what another call did. */
  rejections = 0
  /** Keys that were refused while they were being revoked. */
  unauthorized = 0
  /** Lists of resting orders, as they were read. */
  readonly sights: Sight[] = []
  readonly #chance: Chance
  #url = ''
  #count = 0

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Loads a host from a number of clients until it answers no more. */
  async drive(url: string, clients: number): Promise<void> {
    this.#url = url
    await Promise.all(Array.from({ length: clients }, () => this.#client()))
  }

  async #client(): Promise<void> {
    for (;;) {
      const roll = this.#chance.below(100)
      const trader = this.#chance.of(TRADERS)
      const going =
        roll < 35
          ? await this.#rest(trader)
          : roll < 60
            ? await this.#roundTrip(trader)
            : roll < 75
              ? await this.#look(trader)
              : roll < 94
                ? await this.#operate()
                : await this.#apiKey(trader)
      if (!going) return
    }
  }

  /** A resting order, most of them edited or cancelled. */
  async #rest(trader: Trader): Promise<boolean> {
    const order = await this.#place(trader, { type: 'limit', triggerPrice: LOW, direction: 'long' })
    if (order === null) return false
    if (order === 'refused') return true
    const on = { path: `/orders/${order.id}`, bearer: trader.key }
    const fate = this.#chance.below(3)
    if (fate === 0) return this.#cancelTwice({ method: 'DELETE', ...on }, order.id)
    const body = { triggerPrice: '29000000000000' }
    if (fate === 1)
      return this.#ask({ method: 'PATCH', ...on, body }, ({ id }) => `edited ${order.id} to ${id}`)
    return true
  }

  /** What rests on an account. It is compared with the log later. */
  async #look({ accountId, key }: Trader): Promise<boolean> {
    const told = this.acknowledged.size
    const read = await call(this.#url, { method: 'GET', path: `/orders/${accountId}/active`, bearer: key })
    if (read === null || read.status === 503) return this.#gone(read)
    if (read.status !== 200) throw new Error(`${read.status} for a list: ${read.text}`)
    const orders = (JSON.parse(read.text) as { id: string }[]).map(({ id }) => id)
    this.sights.push({ accountId, orders: orders.join(), told })
    return true
  }

  /** Two clients cancel one order. Whoever is told that it is no longer active was told so of what the other did (K5). */
  async #cancelTwice(cancel: Call, id: string): Promise<boolean> {
    const canceled = `canceled ${id}`
    const answers = await Promise.all([call(this.#url, cancel), call(this.#url, cancel)])
    let going = true
    for (const answer of answers) {
      if (answer === null || answer.status === 503) {
        going = this.#gone(answer)
        continue
      }
      const late = answer.status === 403 && JSON.parse(answer.text).error === 'order_not_active'
      if (answer.status < 300 || late) this.acknowledged.add(canceled)
      if (late) this.rejections += 1
    }
    return going
  }

  /** A position, more margin for it, and half of the time its end. */
  async #roundTrip(trader: Trader): Promise<boolean> {
    const direction = this.#chance.of(['long', 'short'] as const)
    if ((await this.#place(trader, { type: 'market', direction })) === null) return false
    const path = `/positions/${trader.accountId}/active`
    const read = await call(this.#url, { method: 'GET', path, bearer: trader.key })
    if (read === null || read.status === 503) return this.#gone(read)
    const positions: { idx: string; direction: string }[] = JSON.parse(read.text)
    const positionId = positions.find((position) => position.direction === direction)?.idx
    if (positionId === undefined) return true
    const marginChange = String(this.#unique())
    const added = { method: 'PATCH', path: `/positions/${positionId}/margin`, body: { marginChange } }
    if (!(await this.#ask({ ...added, bearer: trader.key }, () => `margin ${marginChange}`))) return false
    if (this.#chance.below(2) === 0) return true
    const closing = { type: 'take', triggerPrice: '0', positionId, direction, amount: '1000000000' }
    return (await this.#place(trader, closing)) !== null
  }

  /** Ticks mostly; deposits; and time. */
  #operate(): Promise<boolean> {
    const price = String(MIDDLE + this.#unique())
    const amount = String(this.#unique())
    const roll = this.#chance.below(10)
    if (roll < 7)
      return this.#command({ type: 'updatePrice', marketId: BTC, indexPrice: price }, `price ${price}`)
    if (roll < 9)
      return this.#command({ type: 'adjustBalance', accountId: ALICE.accountId, amount }, `deposit ${amount}`)
    return this.#command({ type: 'advanceTime', ms: 7 }, null)
  }

  #command(command: object, mark: string | null): Promise<boolean> {
    const path = '/operator/commands'
    return this.#ask({ method: 'POST', path, bearer: OPERATOR, body: command }, ({ results }) =>
      results[0].ok ? mark : null,
    )
  }

  /**
   * A new key, tried at once, and half of them revoked again. A key that is refused while it is being revoked is refused
   * for that, so that it must not come back (K5); one that nobody made is always refused.
   */
  async #apiKey({ session, accountId }: Trader): Promise<boolean> {
    const by = { path: '/user/api-keys', bearer: session }
    const made = await call(this.#url, { method: 'POST', ...by, body: { name: 'bot' } })
    if (made === null) return false
    if (made.status !== 201) return true
    const { id, key } = JSON.parse(made.text)
    this.acknowledged.add(`key ${id}`)
    this.apiKeys.set(key, true)
    const read = { method: 'GET', path: `/orders/${accountId}/active`, bearer: key }
    if ((await call(this.#url, read)) === null) return false
    if (this.#chance.below(2) === 0) return this.#refused({ ...read, bearer: `${key}0` })
    this.apiKeys.set(key, null)
    const revoked = () => {
      this.apiKeys.set(key, false)
      return `revoked ${id}`
    }
    const [going, used] = await Promise.all([
      this.#ask({ method: 'DELETE', path: `${by.path}/${id}`, bearer: session }, revoked),
      call(this.#url, read),
    ])
    if (used?.status === 401) {
      this.acknowledged.add(revoked())
      this.unauthorized += 1
    }
    return going
  }

  async #refused(asked: Call): Promise<boolean> {
    const answer = await call(this.#url, asked)
    if (answer === null || answer.status === 503) return this.#gone(answer)
    if (answer.status !== 401) throw new Error(`${answer.status} for a key that nobody made`)
    return true
  }

  async #place(trader: Trader, terms: object): Promise<{ id: string } | 'refused' | null> {
    const key = `order ${this.#unique()}`
    const placement: Placement = {
      key,
      call: {
        method: 'POST',
        path: '/orders',
        bearer: trader.key,
        headers: { 'x-idempotency-key': key },
        body: {
          accountId: trader.accountId,
          marketId: BTC,
          amount: '20000000000',
          leverage: '5000000000',
          ...terms,
        },
      },
      answer: null,
    }
    this.placements.push(placement)
    return this.retry(this.#url, placement)
  }

  /** Places an order, or asks again for one; the answer of success is remembered if it is the first. */
  async retry(url: string, placement: Placement): Promise<{ id: string } | 'refused' | null> {
    const answer = await call(url, placement.call)
    if (answer === null || answer.status === 503) {
      this.#gone(answer)
      return null
    }
    if (answer.status !== 201) return 'refused'
    placement.answer ??= answer
    const { id }: { id: string } = JSON.parse(answer.text)
    this.acknowledged.add(`order ${id} for ${placement.key}`)
    return { id }
  }

  /** Calls, and remembers the mark that an answer of success promises; false when the host is gone. */
  async #ask(
    asked: Call,
    // biome-ignore lint/suspicious/noExplicitAny: bodies are examined field by field
    promised: (body: any) => string | null,
  ): Promise<boolean> {
    const answer = await call(this.#url, asked)
    if (answer === null || answer.status === 503) return this.#gone(answer)
    if (answer.status >= 300) return true
    const mark = promised(JSON.parse(answer.text))
    if (mark !== null) this.acknowledged.add(mark)
    return true
  }

  #gone(answer: Answer | null): false {
    if (answer !== null) this.stopped.push(answer)
    return false
  }

  /** A number that no other call has. */
  #unique(): bigint {
    this.#count += 1
    return BigInt(this.#count)
  }
}

/** What a commit shows of the call that led to it; null for calls that are not told apart. */
export function markOf({ command, events }: Commit): string | null {
  switch (command.type) {
    case 'placeOrder':
      return `order ${placedIn(events)} for ${command.idempotencyKey}`
    case 'cancelOrder':
      return `canceled ${command.orderId}`
    case 'editOrder':
      return `edited ${command.orderId} to ${placedIn(events)}`
    case 'changeMargin':
      return `margin ${command.marginChange}`
    case 'updatePrice':
      return `price ${command.indexPrice}`
    case 'adjustBalance':
      return `deposit ${command.amount}`
    case 'registerApiKey':
      return `key ${command.keyId}`
    case 'revokeApiKey':
      return `revoked ${command.keyId}`
    default:
      return null
  }
}

function placedIn(events: Commit['events']): string | undefined {
  const placed = events.find(({ type }) => type === 'orderPlaced')
  return placed?.type === 'orderPlaced' ? placed.orderId : undefined
}
