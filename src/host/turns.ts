/**
 * Who is served in a turn of the loop: everybody once, and whoever asks for more waits while the others have their next, so
 * that nobody waits longer for another's many than for another's few (K15).
 */

/** What is to be done, each for somebody: those of one in the order they came, those of many by turns. */
export class Turns<Who> {
  readonly #most: number
  readonly #patienceMs: number
  /** Served in this turn. */
  readonly #served = new Set<Who>()
  /** What waits, the next to be served first. */
  readonly #waiting = new Map<Who, Set<Waiting>>()
  #isScheduled = false

  /** Of those who wait, `most` are served in one turn, and fewer once it has taken `patienceMs`. */
  constructor(most: number, patienceMs = Number.POSITIVE_INFINITY) {
    this.#most = most
    this.#patienceMs = patienceMs
  }

  /** Does it now, where nothing was done for that one in this turn and nothing of theirs waits; otherwise when it is due. */
  take(who: Who, task: () => void): void {
    if (this.#served.has(who) || this.#waiting.has(who)) return void this.wait(who, task)
    this.#served.add(who)
    this.#schedule()
    task()
  }

  /** Does it in a later turn; gives what withdraws it. */
  wait(who: Who, task: () => void): () => void {
    const waiting = { task }
    const all = this.#waiting.get(who)
    if (all === undefined) this.#waiting.set(who, new Set([waiting]))
    else all.add(waiting)
    this.#schedule()
    return () => this.#withdraw(who, waiting)
  }

  /** Resolves in a later turn, when it is that one's. */
  next(who: Who): Promise<void> {
    return new Promise((resolve) => this.wait(who, resolve))
  }

  #withdraw(who: Who, waiting: Waiting): void {
    const all = this.#waiting.get(who)
    all?.delete(waiting)
    if (all?.size === 0) this.#waiting.delete(who)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    this.#served.clear()
    const end = performance.now() + this.#patienceMs
    for (let left = this.#most; left > 0 && this.#waiting.size > 0; left--) {
      this.#serveNext()
      if (performance.now() >= end) break
    }
    if (this.#served.size > 0) this.#schedule()
  }

  /** The one who has waited longest; what that one wants besides comes after everybody else's. */
  #serveNext(): void {
    for (const [who, all] of this.#waiting) {
      this.#waiting.delete(who)
      const [next] = all
      if (next !== undefined) all.delete(next)
      if (all.size > 0) this.#waiting.set(who, all)
      this.#served.add(who)
      return next?.task()
    }
  }
}

/** What somebody waits for; an object of its own, so that it can be told from any other. */
interface Waiting {
  readonly task: () => void
}
