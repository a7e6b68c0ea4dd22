/** Who hears of the actions of a live run. */
import type { StrategyEvent } from '../strategy/strategyEvent.ts'
import type { JournalAsked } from './journal.ts'

/** What is asked for. */
export type Asked = Pick<JournalAsked, 'action' | 'asset' | 'side'>

/** A market order that had no answer in time, and what the venue said became of it. */
export interface LateOrder extends Asked {
  /** Null where it was not placed. */
  readonly orderId: string | null
  /** From the decision until that was known. */
  readonly ms: number
}

/** Who is told of actions, and who knows which strategy of a portfolio asks. */
export interface ActionWatch {
  readonly asked: (asked: JournalAsked) => void
  /** The strategy that is asking right now; undefined where there is one alone. */
  readonly asker: () => string | undefined
  /** What an order has caused that the strategy is still to be told. */
  readonly caused: (orderId: string) => readonly StrategyEvent[]
  readonly late: (late: LateOrder) => void
}
