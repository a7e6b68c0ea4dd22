/** Turns of the event loop (K15). */
import type { Pace, Turns } from '../turns.ts'

/** Others wait a little longer than this at most, milliseconds. */
const TURN_MS = 10
/** How long records gather before they are written, milliseconds. */
const GATHERING_MS = 500

export class LoopPace implements Pace {
  #until = performance.now() + TURN_MS

  async step(): Promise<void> {
    if (!this.over) return
    await new Promise(setImmediate)
    this.#until = performance.now() + TURN_MS
  }

  get over(): boolean {
    return performance.now() >= this.#until
  }
}

export const LOOP_TURNS: Turns = {
  pace: () => new LoopPace(),
  gather(write) {
    const timer = setTimeout(write, GATHERING_MS)
    return () => clearTimeout(timer)
  },
}
