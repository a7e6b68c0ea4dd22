/** The end of a market whose data has ended: what is open in it ends at its last price, and nothing new begins. */
import type { Engine } from '../../engine/engine.ts'
import type { Command } from '../../events/command.ts'
import type { PriceQueue } from './priceQueue.ts'

/** A market whose data ended before the run did. */
export interface EndedMarket {
  readonly market: number
  /** Positions that were closed for it, over all accounts; null where it was left as it was. */
  readonly closed: number | null
}

/** Ends the orders and positions of the accounts in a market and pauses it. @returns how many positions were closed. */
export function endMarket(
  { read }: Engine,
  queue: PriceQueue,
  marketId: string,
  accountIds: Iterable<string>,
): number {
  const ask = (command: Command) => {
    const refused = queue.ask(command)
    if (refused !== null) throw new RangeError(`${command.type} refused: ${refused}`)
  }
  let closed = 0
  queue.catchUp()
  for (const accountId of accountIds) {
    for (const order of read.activeOrders(accountId, marketId))
      ask({ type: 'cancelOrder', orderId: order.id })
    for (const position of read.activePositions(accountId, marketId)) {
      ask({ type: 'forceClosePosition', positionId: position.id })
      closed += 1
    }
  }
  ask({ type: 'setMarketStatus', marketId, status: 'paused' })
  return closed
}
