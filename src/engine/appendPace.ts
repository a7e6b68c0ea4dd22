/**
 * Where writing takes longer than deciding, those who were answered come again while the next group would already be on its way:
 * each write then carries half of the senders. Of 256 senders whose commands take 7 µs each, a write of 4 ms carries 128, 32
 * thousand a second; one that is begun 1.8 ms later carries all of them, 44 thousand.
 */
import type { LoopClocks } from '../store/turns.ts'

/** In the time of an append: in how much of it those who were answered are seen to come again, over a network as well. */
const WINDOWS = 16

export class AppendPace {
  readonly #clocks: LoopClocks | null
  /** Of the last appends, each half as heavy as the one after it: a collection of garbage during one does not change the pace. */
  #tookMs = 0
  #waitedMs = 0

  /** `clocks` null: no append is slow. */
  constructor(clocks: LoopClocks | null) {
    this.#clocks = clocks
  }

  /** Whether most of the last appends was waiting: the loop had decided what there was. */
  get isSlow(): boolean {
    return this.#waitedMs > this.#tookMs / 2
  }

  /** An append begins; what is given is called when it has succeeded. */
  begin(): () => void {
    const clocks = this.#clocks
    if (clocks === null) return () => {}
    const [began, idle] = [clocks.elapsed(), clocks.idle()]
    return () => {
      this.#tookMs = (this.#tookMs + clocks.elapsed() - began) / 2
      this.#waitedMs = (this.#waitedMs + clocks.idle() - idle) / 2
    }
  }

  /**
   * Calls back once what has gathered is better written than added to: all who were answered have come again, or too few
   * come. A write that is begun `w` later carries `λw` more, and `(q + λw) / (took + w)` grows with `w` for as long as
   * `λ·took > q`: while commits come at a rate at which a write's time would bring more than the `q` that have gathered.
   */
  gather(answered: number, gathered: () => number, then: () => void): void {
    const clocks = this.#clocks
    if (clocks === null) return then()
    const tookMs = this.#tookMs
    const all = gathered() + answered
    let [before, since] = [gathered(), clocks.elapsed()]
    const turn = (): void => {
      const [count, now] = [gathered(), clocks.elapsed()]
      if (count >= all) return then()
      const windowMs = now - since
      if (windowMs >= tookMs / WINDOWS) {
        if ((count - before) * tookMs <= count * windowMs) return then()
        ;[before, since] = [count, now]
      }
      clocks.later(turn)
    }
    clocks.later(turn)
  }
}
