/** Outcomes that are kept for a while under what was given along with the command, and answer whoever gives that again. */

export interface KeptOutcome {
  /** When the first one completed, epoch ms: it is kept for [at, at + the window). */
  readonly at: number
}

export abstract class OutcomeWindow<Outcome extends KeptOutcome> {
  readonly #windowMs: number
  /** The newest outcome under each name. */
  readonly #byName = new Map<string, Outcome>()
  /** In order of `at`, because engine time never goes back. */
  #outcomes: Outcome[] = []
  /** Outcomes at the head of the list that are over. */
  #expired = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** What an outcome is found under. */
  protected abstract nameOf(outcome: Outcome): string

  protected under(name: string, now: number): Outcome | undefined {
    const stored = this.#byName.get(name)
    return stored !== undefined && this.#isLive(stored, now) ? stored : undefined
  }

  /** There is no earlier outcome under the same name that is still within its time. */
  keep(outcome: Outcome): void {
    this.#expire(outcome.at)
    this.#byName.set(this.nameOf(outcome), outcome)
    this.#outcomes.push(outcome)
  }

  /** The outcomes still within their time, oldest first. */
  live(now: number): Outcome[] {
    return [...this.liveThen(now).outcomes()]
  }

  /** How many are still within their time, and which, oldest first, whatever happens before they are asked for. */
  liveThen(now: number): { readonly size: number; outcomes(): Generator<Outcome, void> } {
    const outcomes = this.#outcomes
    let [first, end] = [this.#expired, outcomes.length]
    while (first < end) {
      const middle = (first + end) >>> 1
      if (this.#isLive(outcomes[middle] as Outcome, now)) end = middle
      else first = middle + 1
    }
    const [from, to] = [first, outcomes.length]
    return {
      size: to - from,
      // The list only grows until another takes its place.
      *outcomes() {
        for (let place = from; place < to; place++) yield outcomes[place] as Outcome
      },
    }
  }

  /** Outcomes held, whether their time is over or not. */
  get size(): number {
    return this.#outcomes.length
  }

  /** A few at a time: a busy hour that is long over holds nobody up. */
  #expire(now: number): void {
    const outcomes = this.#outcomes
    const end = Math.min(outcomes.length, this.#expired + EXPIRED_AT_A_TIME)
    for (; this.#expired < end; this.#expired += 1) {
      const oldest = outcomes[this.#expired] as Outcome
      if (this.#isLive(oldest, now)) break
      const name = this.nameOf(oldest)
      if (this.#byName.get(name) === oldest) this.#byName.delete(name)
    }
    if (2 * this.#expired <= outcomes.length) return
    this.#outcomes = outcomes.slice(this.#expired)
    this.#expired = 0
  }

  #isLive({ at }: Outcome, now: number): boolean {
    return now < at + this.#windowMs
  }
}

const EXPIRED_AT_A_TIME = 16
