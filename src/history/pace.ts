/** Lets the rest of the process have a turn in the middle of long work (K15). */

/** Others wait a little longer than this at most, milliseconds. */
const TURN_MS = 10

export class Pace {
  #until = performance.now() + TURN_MS

  /** Resolves at once within a turn, else after everybody else had theirs. */
  async step(): Promise<void> {
    if (performance.now() < this.#until) return
    await new Promise(setImmediate)
    this.#until = performance.now() + TURN_MS
  }

  /** Whether the turn is over: asked where there is much to do in little time. */
  get over(): boolean {
    return performance.now() >= this.#until
  }
}
