/** How much is done at once for each: what is more waits in its order, and whoever gives up waiting keeps nothing (K4). */

interface Waiting {
  readonly task: () => Promise<unknown>
}

interface Queue {
  busy: number
  readonly waiting: Set<Waiting>
}

export class Places {
  readonly #most: number
  readonly #queues = new Map<string, Queue>()

  constructor(most: number) {
    this.#most = most
  }

  /** Begins a task when there is a place, which is free again when it settles; gives what withdraws it until it begins. */
  take(who: string, task: () => Promise<unknown>): () => void {
    const queue = this.#queues.get(who) ?? { busy: 0, waiting: new Set() }
    this.#queues.set(who, queue)
    const waiting = { task }
    queue.waiting.add(waiting)
    this.#fill(who, queue)
    return () => void queue.waiting.delete(waiting)
  }

  #fill(who: string, queue: Queue): void {
    for (const next of queue.waiting) {
      if (queue.busy === this.#most) return
      queue.waiting.delete(next)
      queue.busy += 1
      const settled = () => {
        queue.busy -= 1
        this.#fill(who, queue)
      }
      next.task().then(settled, settled)
    }
    if (queue.busy === 0) this.#queues.delete(who)
  }
}
