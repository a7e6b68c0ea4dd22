/** What an accepted command answers, as records that nobody can change. */

import type { Answer, CloseAllAnswer } from '../domain/flows/decision.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Command } from '../events/command.ts'
import { orderRecord, positionRecord } from '../projections/records.ts'
import { ANSWERS, type ValueOf } from './outcome.ts'

/** The answer of a command as it stands at its end (J25). A command that is not about anything, or changed nothing of it, has none. */
export function answerRecord<C extends Command>(command: C, answer: Answer): ValueOf<C> {
  return recordOf(command, answer) as ValueOf<C>
}

function recordOf({ type }: Command, answer: Answer): ValueOf<Command> {
  switch (ANSWERS[type]) {
    case 'order':
      return orderRecord(answer as Order)
    case 'position':
      return positionRecord(answer as Position)
    case 'closeAll': {
      const { orders, failed } = answer as CloseAllAnswer
      return { orders: orders.map(orderRecord), failed }
    }
    case 'nothing':
      return null
  }
}
