/** What becomes of a command: it is rejected and leaves no trace, or accepted with what it is about. */
import type { Rejection } from '../../terms/errors.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'

interface Rejected {
  readonly rejected: Rejection
}

interface Acceptance<About extends string> {
  readonly rejected: null
  readonly about: About
}

interface AboutOrder extends Acceptance<'order'> {
  readonly order: Order
}

interface AboutPosition extends Acceptance<'position'> {
  readonly position: Position
}

/** A close-all that did not close everything says which positions stayed, and why (I9). */
interface AboutAccount extends Acceptance<'closeAll'> {
  readonly orders: readonly Order[]
  readonly failed: readonly { readonly positionId: string; readonly error: Rejection }[]
}

export type Ruling = Rejected | AboutOrder | AboutPosition | AboutAccount | Acceptance<'nothing'>

const ABOUT_NOTHING: Ruling = { rejected: null, about: 'nothing' }

/** The ruling of a command that answers with nothing. */
export function withoutAnswer(rejected: Rejection | null): Ruling {
  return rejected === null ? ABOUT_NOTHING : { rejected }
}

export function aboutOrder(order: Order): Ruling {
  return { rejected: null, about: 'order', order }
}
