/**
 * The resting orders of an account or a market, oldest first: a chain of rows. Each is made as an object for whoever
 * walks the list.
 */
import type { Order } from '../order.ts'
import { RowList } from '../rows/rowChain.ts'
import { IN_ACCOUNT, IN_MARKET } from './rowLayout.ts'

/** Where the rows of a chain are. */
export interface Chained {
  order(row: number): Order
  /** The row after this one in its chain; −1 = none. `links`: where in a row the chain has its links. */
  newer(row: number, links: number): number
}

export class OrderList extends RowList implements Iterable<Order> {
  /** The id of what they belong to. */
  readonly ownerId: string
  /** Null until it has had an order. */
  chained: Chained | null = null

  constructor(ownerId: string, links: number) {
    super(links)
    this.ownerId = ownerId
  }

  static ofAccount(id: string): OrderList {
    return new OrderList(id, IN_ACCOUNT)
  }

  static ofMarket(id: string): OrderList {
    return new OrderList(id, IN_MARKET)
  }

  /** Oldest first. To add or remove on the way, walk a copy. */
  *[Symbol.iterator](): Generator<Order, void> {
    if (this.chained === null) return
    for (let row = this.oldest; row >= 0; row = this.chained.newer(row, this.links))
      yield this.chained.order(row)
  }
}
