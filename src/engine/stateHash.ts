/** A fingerprint of the state: equal states have equal hashes, in every process and on every platform. */

import { currentTriggerPrice } from '../domain/formulas/trailingStop.ts'
import type { Account } from '../domain/state/account.ts'
import type { ApiKey } from '../domain/state/apiKey.ts'
import { type Market, marketState } from '../domain/state/market.ts'
import { type Order, orderState } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { World } from '../domain/state/world.ts'
import { hexadecimal, Sha256 } from '../hashes/sha256.ts'
import { isTrailing } from '../terms/orderTypes.ts'
import type { CommandOutcomes } from './commandOutcomes.ts'
import type { IdempotencyWindow } from './idempotency.ts'

/** What a state consists of. */
interface Hashed {
  readonly world: World
  readonly idempotency: IdempotencyWindow
  readonly commands: CommandOutcomes
}

export function stateHash({ world, idempotency, commands }: Hashed): string {
  const outcomes = commands.live(world.now)
  const { seed, seq, now, created, house, days } = world
  const hash = new Sha256()
  tell(hash, {
    seed,
    seq,
    now,
    created,
    house,
    markets: each(world.markets.values(), hashedMarket),
    ...(days.boundary === 'account' ? {} : { dayBoundary: days.boundary }),
    accounts: each(world.accounts.values(), (account) => accountState(world, account)),
    orders: each(world.orders.values(), hashedOrder),
    positions: each(world.positions.values(), positionState),
    apiKeys: each(world.apiKeys.all(), apiKeyState),
    idempotency: idempotency.live(now),
    ...(outcomes.length === 0 ? {} : { commands: outcomes }),
  })
  return hexadecimal(hash.digest())
}

function* each<T>(items: Iterable<T>, state: (item: T) => object): Generator<object> {
  for (const item of items) yield state(item)
}

/** Where no quota was set, none is told of: earlier logs knew none. */
function hashedMarket(market: Market): object {
  const { quota, ...state } = marketState(market)
  return quota === null ? state : { ...state, quota }
}

/** Without what follows from the rest, and without what the logs of 0.1.0 could not say where it means the same. */
function accountState({ days }: World, account: Account): object {
  const { orders, positions, lossFloor, profitableDaysSeen, daysSeen, watched, parameters, ...fields } =
    account
  const { maxActiveOrders, ...plan } = parameters
  return {
    ...fields,
    profitableDays: days.profitableDaysOf(account),
    parameters: maxActiveOrders === null ? plan : parameters,
  }
}

/** Where a key came from follows from its id and its first hash. */
function apiKeyState({ configured, ...key }: ApiKey): object {
  return key
}

/** Fields stand under the names of 0.1.0, whose hashes hold. */
function hashedOrder(order: Order): object {
  const { accountId, marketId, orderType, peak, ...fields } = orderState(order)
  return {
    ...fields,
    trader: accountId,
    market: marketId,
    type: orderType,
    triggerPrice: currentTriggerPrice(order),
    limitPrice: isTrailing(orderType) ? currentTriggerPrice(order) : order.limitPrice,
    watermark: peak,
  }
}

/** Under the names of 0.1.0 as well. */
function positionState({ id, accountId, marketId, contributedMargin, ...fields }: Position): object {
  return { ...fields, idx: id, trader: accountId, market: marketId, marginPutUp: contributedMargin }
}

/**
 * Tells the hash a value as JSON with sorted keys and bigints marked as such, piece by piece: the text of a large venue
 * is longer than a string can be.
 */
function tell(hash: Sha256, value: unknown): void {
  if (typeof value === 'bigint') hash.text(`${value}n`)
  else if (typeof value !== 'object' || value === null) hash.text(JSON.stringify(value))
  else if (Symbol.iterator in value) tellList(hash, value as Iterable<unknown>)
  else tellFields(hash, value as Record<string, unknown>)
}

function tellList(hash: Sha256, items: Iterable<unknown>): void {
  let before = '['
  for (const item of items) {
    hash.text(before)
    tell(hash, item)
    before = ','
  }
  hash.text(before === '[' ? '[]' : ']')
}

function tellFields(hash: Sha256, record: Record<string, unknown>): void {
  let before = '{'
  for (const field of Object.keys(record).sort()) {
    hash.text(`${before}${field}:`)
    tell(hash, record[field])
    before = ','
  }
  hash.text(before === '{' ? '{}' : '}')
}
