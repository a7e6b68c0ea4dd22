/** What a venue's stream has told of orders and positions, and waiting until it has told what an answer said. */
import type { StreamMessage } from '../../client/index.ts'

/** How long the stream may be behind the answer to an action before the venue is asked instead, ms. */
const BEHIND_MS = 10_000
/** Ids that are remembered. */
const MOST = 10_000

export class ToldByStream {
  /** Status by order. */
  readonly #orders = new Map<string, string>()
  /** Version by position. */
  readonly #positions = new Map<string, number>()
  readonly #waiters = new Set<() => void>()

  /** Call with every message, in their order. */
  add(message: StreamMessage): void {
    if (message.type === 'order') remember(this.#orders, message.data.id, message.data.status)
    else if (message.type === 'position')
      remember(this.#positions, message.data.idx ?? '', message.data.version)
    for (const check of this.#waiters) check()
  }

  /** Once an order has been told, with its status where that is final. @returns whether it was, in time. */
  order(id: string, status: string): Promise<boolean> {
    return this.#once(() => (status === 'active' ? this.#orders.has(id) : this.#orders.get(id) === status))
  }

  /** Once a position has been told at a version. @returns whether it was, in time. */
  position(id: string, version: number): Promise<boolean> {
    return this.#once(() => (this.#positions.get(id) ?? 0) >= version)
  }

  #once(isTold: () => boolean): Promise<boolean> {
    if (isTold()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (wasTold: boolean) => {
        clearTimeout(timer)
        this.#waiters.delete(check)
        resolve(wasTold)
      }
      const check = () => {
        if (isTold()) settle(true)
      }
      const timer = setTimeout(() => settle(false), BEHIND_MS)
      this.#waiters.add(check)
    })
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size === MOST) map.clear()
  map.set(key, value)
}
