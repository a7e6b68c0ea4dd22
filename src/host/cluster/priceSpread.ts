/**
 * One feed for all shards: the owner of the first runs it, and every price goes to all others, each in its order. Nothing is
 * kept of it: what a node misses, the next price makes good.
 */

/** The shard whose owner runs the feed. */
export const FEEDING = 0
/** A node that took longer to take prices is told the newest of each market alone, ms. */
const LATE_MS = 1_000
/** Prices that wait for one node; the oldest are let go of. */
const MOST = 10_000

type Price = readonly [marketId: string, indexPrice: string]

interface Wave {
  /** Of the feeding shard: one that was taken over gives no prices any more. */
  readonly epoch: number
  readonly prices: readonly Price[]
}

export interface PriceSpreadPorts {
  /** Addresses of the other nodes. */
  readonly others: () => readonly string[]
  /** Resolves once it has been taken, or lost. */
  readonly send: (address: string, wave: Wave) => Promise<void>
  /** To every shard of this node but the feeding one. */
  readonly take: (marketId: string, indexPrice: bigint) => void
}

export class PriceSpread {
  readonly #ports: PriceSpreadPorts
  readonly #waiting = new Map<string, { prices: Price[]; isSending: boolean }>()
  #newest = 0

  constructor(ports: PriceSpreadPorts) {
    this.#ports = ports
  }

  /** A price of the feed that runs here, under that epoch of its shard. */
  spread(epoch: number, marketId: string, indexPrice: bigint): void {
    const price = [marketId, String(indexPrice)] as const
    this.hear({ epoch, prices: [price] })
    for (const address of this.#ports.others()) {
      const queue = this.#queueOf(address)
      queue.prices.push(price)
      if (queue.prices.length > MOST) queue.prices.shift()
      if (!queue.isSending) void this.#send(address, epoch)
    }
  }

  /** What another node has told, or this one itself. */
  hear({ epoch, prices }: Wave): void {
    if (epoch < this.#newest) return
    this.#newest = epoch
    for (const [marketId, indexPrice] of prices) this.#ports.take(marketId, BigInt(indexPrice))
  }

  async #send(address: string, epoch: number): Promise<void> {
    const queue = this.#queueOf(address)
    queue.isSending = true
    while (queue.prices.length > 0) {
      const begun = performance.now()
      await this.#ports.send(address, { epoch, prices: queue.prices.splice(0) })
      if (performance.now() - begun > LATE_MS) queue.prices = [...new Map(queue.prices)]
    }
    queue.isSending = false
  }

  #queueOf(address: string): { prices: Price[]; isSending: boolean } {
    const known = this.#waiting.get(address)
    if (known !== undefined) return known
    const queue = { prices: [], isSending: false }
    this.#waiting.set(address, queue)
    return queue
  }
}
