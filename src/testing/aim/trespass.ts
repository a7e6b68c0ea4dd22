/** Wrong callers, unknown and ended ids, and other people's things. */

import type { Command } from '../../events/command.ts'
import { uncheckedOrder } from '../../events/placeOrder.ts'
import { closeAtMarket } from './closing.ts'
import { entry } from './placement.ts'
import { type Inputs, type Scene, somebody, somewhere } from './scene.ts'

const NOBODY = '00000000-0000-4000-8000-0000000000ff'

export function* trespass(scene: Scene): Inputs {
  const { dice, at, model } = scene
  const shut = dice.chance(10)
    ? [...model.accounts.values()].find(({ apiTrading }) => !apiTrading)
    : undefined
  if (shut !== undefined) {
    const caller = { userId: shut.parameters.userId, apiKey: true }
    yield { command: { type: 'closeAll', accountId: shut.id }, at, caller }
    return
  }
  const caller = dice.pick([
    { userId: 'user-mallory', apiKey: true },
    { userId: 'user-alice', apiKey: true },
    { userId: 'user-bob', apiKey: false },
    undefined,
  ] as const)
  const when = dice.chance(3) ? model.now - 1 : at
  const command = dice.pick(dice.chance(25) ? unknown(scene) : known(scene))?.()
  if (command !== undefined) yield { command, at: when, ...(caller && { caller }) }
}

/** Each is made only once it is chosen, because making one uses up dice. */
type Targets = readonly (() => Command)[]

function unknown(scene: Scene): Targets {
  return [
    () => ({ type: 'closeAll', accountId: NOBODY }),
    () => ({ type: 'cancelOrder', orderId: NOBODY }),
    () => ({ type: 'changeMargin', positionId: NOBODY, marginChange: 1n }),
    () => ({ type: 'forceClosePosition', positionId: NOBODY }),
    () => ({ type: 'updatePrice', marketId: NOBODY, indexPrice: 1n }),
    () => ({ type: 'createEngine', seed: 'again' }),
    () => uncheckedOrder({ ...entry(scene, somebody(scene), somewhere(scene)), marketId: NOBODY }),
    () => uncheckedOrder({ ...entry(scene, somebody(scene), somewhere(scene)), accountId: NOBODY }),
  ]
}

function known(scene: Scene): Targets {
  const { model, dice } = scene
  const order = dice.pick([...model.orders.values()])
  const position = dice.pick([...model.positions.values()])
  const targets: (() => Command)[] = [() => ({ type: 'closeAll', accountId: somebody(scene).id })]
  if (order !== undefined) {
    targets.push(() => ({ type: 'cancelOrder', orderId: order.id }))
    targets.push(() => ({ type: 'editOrder', orderId: order.id, amount: 1n }))
  }
  if (position !== undefined) {
    targets.push(() => ({ type: 'changeMargin', positionId: position.id, marginChange: 1n }))
    targets.push(() => ({ type: 'forceClosePosition', positionId: position.id }))
    targets.push(() => uncheckedOrder(closeAtMarket(position, 1n)))
    targets.push(() => uncheckedOrder({ ...closeAtMarket(position, 1n), accountId: somebody(scene).id }))
    targets.push(() => uncheckedOrder({ ...closeAtMarket(position, 1n), marketId: somewhere(scene).id }))
    targets.push(() => uncheckedOrder({ ...closeAtMarket(position, 1n), positionId: NOBODY }))
  }
  return targets
}
