/** The intent of sending something malformed. */
import { uncheckedOrder } from '../../events/placeOrder.ts'
import { MALFORMED, malformedEdits, malformedOrder } from './malformed.ts'
import { type Inputs, type Scene, somebody, somewhere } from './scene.ts'

export function* malformed(scene: Scene): Inputs {
  const { dice, model, at } = scene
  const order = dice.chance(40) ? dice.pick([...model.active.values()]) : undefined
  const edit = order && dice.pick(malformedEdits(order.id))
  if (edit !== undefined) {
    yield { command: edit, at }
    return
  }
  const accountId = somebody(scene).id
  const target = {
    accountId,
    marketId: somewhere(scene).id,
    direction: dice.pick(['long', 'short'] as const),
  }
  const wrong = dice.pick(MALFORMED)
  if (wrong !== undefined) yield { command: uncheckedOrder(malformedOrder(wrong, target)), at }
}
