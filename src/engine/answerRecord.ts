/** What an accepted command answers, as records that nobody can change. */

import type { Ruling } from '../domain/commands/ruling.ts'
import type { Order } from '../domain/state/order.ts'
import type { Command } from '../events/command.ts'
import { orderRecord, positionRecord } from '../projections/records.ts'
import type { ValueOf } from './outcome.ts'

type Accepting = Exclude<Ruling, { readonly rejected: object }>

/** The answer of a command as it stands at its end (J25). What a command is about is what its rule has said. */
export function answerRecord<C extends Command>(ruling: Accepting): ValueOf<C> {
  return recordOf(ruling) as ValueOf<C>
}

function recordOf(ruling: Accepting): ValueOf<Command> {
  switch (ruling.about) {
    case 'order':
      return orderRecord(ruling.order)
    case 'position':
      return positionRecord(ruling.position)
    case 'closeAll': {
      const { orders, failed } = ruling
      return { orders: orders.map(orderRecord), failed }
    }
    case 'nothing':
      return null
  }
}

/** The order of a placement, which its idempotency key answers with (I4); null of any other command. */
export function placedBy(command: Command, ruling: Accepting): Order | null {
  return command.type === 'placeOrder' && ruling.about === 'order' ? ruling.order : null
}
