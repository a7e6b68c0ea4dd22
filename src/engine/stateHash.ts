/** A fingerprint of the state: equal states have equal hashes, in every process and on every platform. */
import type { Account } from '../domain/account/account.ts'
import type { Market } from '../domain/market/market.ts'
import { currentTriggerPrice } from '../domain/order/ending.ts'
import type { Order } from '../domain/order/order.ts'
import { sha256Hex } from '../domain/sha256.ts'
import type { World } from '../domain/world.ts'
import type { IdempotencyWindow } from './idempotency.ts'

export function stateHash(world: World, idempotency: IdempotencyWindow): string {
  const { seed, seq, now, created, house } = world
  return sha256Hex(
    canonical({
      seed,
      seq,
      now,
      created,
      house,
      markets: [...world.markets.values()].map(marketState),
      accounts: [...world.accounts.values()].map(accountState),
      orders: [...world.orders.values()].map((order) => orderState(world, order)),
      positions: [...world.positions.values()],
      apiKeys: [...world.apiKeys.all()],
      idempotency: idempotency.live(now),
    }),
  )
}

function marketState({ positions, ...market }: Market): object {
  return market
}

/** Without what follows from the rest. */
function accountState({ orders, positions, lossFloor, ...account }: Account): object {
  return account
}

/** The running best price of a trailing stop may be derived by the triggers; it counts as part of the order. */
function orderState(world: World, order: Order): object {
  return {
    ...order,
    triggerPrice: currentTriggerPrice({ world }, order),
    limitPrice: order.type === 'trailing_stop' ? currentTriggerPrice({ world }, order) : order.limitPrice,
    watermark: world.triggers.watermarkOf(order),
  }
}

/** JSON with sorted keys and bigints marked as such. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((field) => `${field}:${canonical((value as Record<string, unknown>)[field])}`).join()}}`
}
