/** Where active orders are: those that wait rest in the books, one that fills in its own command is passed on by hand. */

import type { Price } from '../../quantity/units.ts'
import { fillsAtOnce, isTrailing } from '../../terms/orderTypes.ts'
import type { Order } from '../state/order.ts'
import type { World } from '../state/world.ts'
import { letGo, takeUp } from './trailing.ts'

/** An active order: resting, or the one being executed. */
export function activeOrder(world: World, orderId: string): Order | undefined {
  const { executing } = world
  return executing !== null && executing.id === orderId ? executing : world.orders.get(orderId)
}

/**
 * An order that has to be active.
 *
 * @throws ReferenceError where it is not.
 */
export function knownOrder(world: World, orderId: string): Order {
  const { executing } = world
  return executing !== null && executing.id === orderId ? executing : world.orders.known(orderId)
}

/** Takes in a new order. No list holds an order that executes or fails before anything else can ask for it. */
export function admit(world: World, order: Order, peak: Price | null): void {
  if (!fillsAtOnce(order)) return rest(world, order, peak)
  if (world.executing !== null) throw new Error(`order ${world.executing.id} has not been executed`)
  world.executing = order
}

/** Puts an order wherever resting orders are looked for. `peak`: of a trailing stop; null while it waits for activation. */
export function rest(world: World, order: Order, peak: Price | null): void {
  const market = world.markets.known(order.marketId)
  const ofAccount = world.accounts.known(order.accountId).orders
  world.orders.add(order, { ofAccount, ofMarket: market.orders })
  if (isTrailing(order.orderType)) takeUp(market, order, peak)
  world.triggers.addOrder(order)
}

/** Takes an order that has ended out again. */
export function removeFromBooks(world: World, order: Order): void {
  if (world.executing === order) {
    world.executing = null
    return
  }
  const market = world.markets.known(order.marketId)
  world.triggers.removeOrder(order)
  if (isTrailing(order.orderType)) letGo(market, order)
  world.orders.remove(order)
}
