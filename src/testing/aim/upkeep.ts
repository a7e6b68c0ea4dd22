/** What a trader does with what is there: edits, cancels, margin changes, close-all, retries. */

import type { EditOrder } from '../../events/command.ts'
import { uncheckedOrder } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import { triggerPrice } from '../modelLevel.ts'
import type { ModelMarket, ModelOrder, ModelPosition } from '../modelState.ts'
import { beyond, positive, refresh } from './price.ts'
import { type Inputs, onBehalfOf, type Scene, somebody, somePosition } from './scene.ts'

const INCREASES = ['limit', 'stop_market', 'stop_limit']

export function* edit(scene: Scene): Inputs {
  const { model, at } = scene
  const order = someOrder(scene)
  if (order === undefined) return
  const market = model.market(order.placed.marketId)
  yield* refresh(scene, market)
  const command: EditOrder = { type: 'editOrder', orderId: order.id, ...changes(scene, order, market) }
  yield { command, at, ...onBehalfOf(scene, model.account(order.placed.accountId)) }
}

/** An order that can be edited; rarely any. */
function someOrder({ model, dice }: Scene): ModelOrder | undefined {
  const all = [...model.active.values()]
  const able = all.filter(({ placed }) => {
    const account = model.account(placed.accountId)
    const open = model.market(placed.marketId).status === 'open'
    const fixed = placed.orderType === 'stop' && placed.triggerPrice === 0n
    return open && !fixed && account.apiTrading && !account.locked
  })
  return (dice.chance(6) ? undefined : dice.pick(able)) ?? dice.pick(all)
}

function changes(scene: Scene, order: ModelOrder, market: ModelMarket): Partial<EditOrder> {
  const { model, dice } = scene
  const { orderType, amount, sizeMode, baseSize, accountId } = order.placed
  const { free } = model.account(accountId)
  const increase = INCREASES.includes(orderType)
  if (dice.chance(4)) return {}
  const resized = increase
    ? dice.weighted([
        [6, amount + dice.between(-amount / 20n, free / 20n)],
        [1, amount + free],
        [1, amount + free + 1n],
        [1, amount],
      ])
    : dice.between(1n, amount * 2n)
  const kind =
    orderType === 'trailing_stop'
      ? dice.weighted([
          [9, 0],
          [1, 1],
        ])
      : dice.below(4)
  const movedTo = moved(scene, order, market)
  switch (kind) {
    case 0:
      return sizeMode === 'base' && baseSize !== null && dice.chance(60)
        ? { amount: positive(resized), baseSize: baseSize + dice.between(0n, baseSize / 20n) }
        : { amount: positive(resized) }
    case 1:
      return { triggerPrice: movedTo }
    case 2:
      return { triggerPrice: movedTo, amount: positive(resized) }
    default:
      return increase
        ? { expectedAmount: dice.pick([0n, 1n, positive(amount)] as const) }
        : { triggerPrice: movedTo }
  }
}

/** A new trigger: on its side of the market, or where it already is. */
function moved({ dice }: Scene, order: ModelOrder, market: ModelMarket): bigint {
  const { orderType, direction } = order.placed
  const long = direction === 'long'
  if (dice.chance(15)) return triggerPrice(order)
  if (dice.chance(2)) return 0n
  const above = (orderType === 'stop_market' || orderType === 'stop_limit' || orderType === 'take') === long
  return beyond(dice, market.indexPrice, dice.chance(4) ? !above : above)
}

export function* cancel(scene: Scene): Inputs {
  const { model, dice, at } = scene
  const order = dice.pick([...model.active.values()])
  if (order === undefined) return
  const account = model.account(order.placed.accountId)
  yield { command: { type: 'cancelOrder', orderId: order.id }, at, ...onBehalfOf(scene, account) }
}

export function* changeMargin(scene: Scene): Inputs {
  const { model, dice, at } = scene
  const position = somePosition(scene)
  if (position === undefined) return
  const market = model.market(position.marketId)
  yield* refresh(scene, market)
  if (!model.open.has(position.id)) return
  const { free } = model.account(position.accountId)
  const spare = sparable(position, market)
  const marginChange = dice.weighted([
    [6, positive(dice.between(1n, free / 8n))],
    [1, free],
    [1, free + 1n],
    [1, 0n],
    [5, -positive(dice.between(1n, spare))],
    [3, -positive(spare)],
    [1, -(spare + 1n)],
    [1, -position.margin],
  ])
  const command = { type: 'changeMargin', positionId: position.id, marginChange } as const
  yield { command, at, ...onBehalfOf(scene, model.account(position.accountId)) }
}

/** The most that can be withdrawn at the index: one more, and the position would be liquidatable (E6). */
function sparable(position: ModelPosition, { indexPrice, parameters }: ModelMarket): bigint {
  const { direction, size, notional, margin } = position
  const mmr = parameters.maintenanceMarginRate
  const room =
    direction === 'long'
      ? floor((indexPrice - 1n) * size * (ONE - mmr), ONE * ONE) - notional + margin
      : notional + margin + floor(-(indexPrice + 1n) * size * (ONE + mmr), ONE * ONE)
  const most = margin - 1n
  const spare = room < most ? room : most
  return spare > 0n ? spare : 0n
}

function floor(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((b - 1n - a) / b)
}

export function* closeAll(scene: Scene): Inputs {
  const { at } = scene
  const account = somebody(scene)
  yield { command: { type: 'closeAll', accountId: account.id }, at, ...onBehalfOf(scene, account) }
}

/** The same placement again, under the same key: inside its hour, or at the very end of it. */
export function* retry(scene: Scene): Inputs {
  const { model, dice, memory } = scene
  const keyed = dice.pick(memory.keyed.slice(-6))
  if (keyed === undefined) return
  const end = keyed.at + 3_600_000
  const edge = dice.pick([end - 1, end] as const)
  const at = dice.chance(60) && edge >= model.now ? edge : scene.at
  const { idempotencyKey } = keyed.command
  const command = dice.chance(30) ? { ...keyed.command, amount: keyed.command.amount + 1n } : keyed.command
  if (idempotencyKey != null && at >= end) memory.keyed.push({ command, at })
  yield { command: uncheckedOrder(command), at, ...onBehalfOf(scene, model.account(command.accountId)) }
}
