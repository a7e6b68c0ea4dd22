/** Close orders, at market and resting, with sizes and prices at the position's own edges. */
import { type Placement, uncheckedOrder } from '../../events/placeOrder.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { Dice } from '../dice.ts'
import { liquidationLevel } from '../modelLevel.ts'
import type { ModelMarket, ModelPosition } from '../modelState.ts'
import { beyond, favourable, positive, refresh } from './price.ts'
import { type Inputs, onBehalfOf, type Scene, somePosition, underKey } from './scene.ts'

/** A `take` without trigger: closes inside the call. */
export function* closeNow(scene: Scene): Inputs {
  const position = somePosition(scene)
  if (position === undefined) return
  yield* refresh(scene, scene.model.market(position.marketId))
  yield* close(scene, position, scene.at)
}

/** Lets a position make a profit, and closes it just inside or just outside its minute, at once or in pieces. */
export function* scalp(scene: Scene): Inputs {
  const { model, dice } = scene
  const position = somePosition(scene)
  if (position === undefined) return
  const market = model.market(position.marketId)
  const edge = position.lastIncreaseAt + 60_000
  const at = dice.chance(50) ? Math.max(scene.at, edge - dice.pick([0, 1] as const)) : scene.at
  yield {
    command: { type: 'updatePrice', marketId: market.id, indexPrice: favourable(dice, position, market) },
    at,
  }
  for (let pieces = dice.below(3); pieces >= 0; pieces--) yield* close(scene, position, at)
}

function* close(scene: Scene, position: ModelPosition, at: number): Inputs {
  if (!scene.model.open.has(position.id) && !scene.dice.chance(10)) return
  const command = underKey(scene, closeAtMarket(position, someSize(scene.dice, position)), at)
  yield {
    command: uncheckedOrder(command),
    at,
    ...onBehalfOf(scene, scene.model.account(position.accountId)),
  }
}

/** A resting `stop`, `take` or `trailing_stop`. */
export function* protect(scene: Scene): Inputs {
  const { model, dice, at } = scene
  const position = somePosition(scene)
  if (position === undefined) return
  const market = model.market(position.marketId)
  yield* refresh(scene, market)
  if (!model.open.has(position.id)) return
  const command = closing(position, {
    ...protection(dice, position, market),
    amount: someSize(dice, position),
  })
  yield { command: uncheckedOrder(command), at, ...onBehalfOf(scene, model.account(position.accountId)) }
}

type Protection = Pick<Placement, 'orderType' | 'triggerPrice'> & Partial<Placement>

function protection(dice: Dice, position: ModelPosition, market: ModelMarket): Protection {
  const long = position.direction === 'long'
  const here = market.indexPrice
  const orderType = dice.weighted([
    [4, 'stop'],
    [3, 'take'],
    [4, 'trailing_stop'],
  ] as const)
  if (orderType === 'take')
    return { orderType, triggerPrice: beyond(dice, here, dice.chance(4) ? !long : long) }
  if (orderType === 'trailing_stop') return { orderType, ...trailing(dice, long, here) }
  const level = liquidationLevel(position, market)
  const triggerPrice = dice.weighted([
    [6, beyond(dice, here, dice.chance(4) ? long : !long)],
    [2, level === null ? here : positive(level + (long ? 1n : -1n))],
    [2, level === null ? here : level],
    [1, level === null ? here : positive(level - (long ? 1n : -1n))],
    [1, 0n],
  ])
  return { orderType, triggerPrice }
}

/** Distances from none that counts to most of the price; waiting for an activation price or trailing at once. */
function trailing(dice: Dice, long: boolean, here: bigint): Partial<Placement> {
  const activation = dice.chance(40)
    ? { trailingStopActivationPrice: beyond(dice, here, dice.chance(30) ? !long : long) }
    : {}
  const offset = dice.chance(50)
    ? {
        trailingStopOffset: dice.weighted([
          [6, positive(here / BigInt(50 + dice.below(500)))],
          [1, 1n],
          [1, here],
          [1, here * 2n],
        ]),
      }
    : {
        trailingStopOffsetPercent: dice.weighted([
          [6, dice.between(1_000_000n, 20_000_000n)],
          [1, 1n],
          [1, ONE - 1n],
        ]),
      }
  return { ...activation, ...offset }
}

/** A `take` without trigger. */
export function closeAtMarket(position: ModelPosition, amount: bigint): Placement {
  return closing(position, { orderType: 'take', triggerPrice: 0n, amount })
}

function closing(
  position: ModelPosition,
  terms: Pick<Placement, 'orderType' | 'amount'> & Partial<Placement>,
): Placement {
  const { accountId, marketId, direction, id: positionId } = position
  return { type: 'placeOrder', accountId, marketId, direction, positionId, ...terms }
}

/** All of it, one unit less or more, dust, or a part. */
function someSize(dice: Dice, { size }: ModelPosition): bigint {
  return positive(
    dice.weighted([
      [5, size],
      [1, size + 1n],
      [2, size - 1n],
      [2, 1n],
      [6, dice.between(1n, size)],
      [1, size * 10n],
    ]),
  )
}
