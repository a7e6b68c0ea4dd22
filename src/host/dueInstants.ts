/**
 * Funding instants and day boundaries that have come due, run a few in a turn of the loop (K15). After a step of the clock
 * that was believed, or an `advanceTime` of an operator's, that may be years of them: commands wait meanwhile, because they
 * are decided at the time that it is (K12), and reading goes on.
 */
import type { Engine } from '../engine/engine.ts'
import { LAST_INSTANT, LONGEST_ADVANCE_MS } from '../terms/instants.ts'
import type { Clock } from './clock.ts'

/** A turn that has taken so long runs no further instant, ms. */
const PATIENCE_MS = 5

/** What {@link DueInstants} counts its turns by. */
export interface Loop {
  /** Calls in a later turn of the event loop. */
  later(turn: () => void): void
  /** Milliseconds, from any beginning on. */
  elapsed(): number
}

const EVENT_LOOP: Loop = { later: setImmediate, elapsed: () => performance.now() }

/** Somebody who has to wait for what is due. */
interface Waiting {
  /** How far they lead the time ahead themselves, ms: another command may have done that before their turn. */
  readonly lead: () => number
  /** The time when it was their turn; null before. */
  from: number | null
  resolve(from: number): void
}

/**
 * What an engine has to run before anything else may happen at the present time.
 *
 * ```ts
 * const due = new DueInstants(engine, manualClock(engine))
 * await due.before() // funding and new days that are due
 * ```
 */
export class DueInstants {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #loop: Loop
  /** In the order they came; one goes on in a turn. */
  readonly #waiting: Waiting[] = []

  constructor(engine: Engine, clock: Clock, loop: Loop = EVENT_LOOP) {
    this.#engine = engine
    this.#clock = clock
    this.#loop = loop
  }

  /**
   * Runs what is due by now, or before an `advanceTime` of `lead()` ms gets to its end, in the commits in which the engine would by
   * itself. The time at which it began, once it has run: nearly always that is now; otherwise in a turn of one's own,
   * after those who came before, and then the command is to be given at once. With an engine that has stopped nobody waits:
   * it says so itself to each of them.
   */
  before(lead: () => number = notAhead): number | Promise<number> {
    const from = this.#clock.now()
    const isFirst = this.#waiting.length === 0
    if (isFirst && this.#hasRun(from, lead())) return from
    if (isFirst) this.#loop.later(() => this.#turn())
    return new Promise((resolve) => this.#waiting.push({ lead, from: isFirst ? from : null, resolve }))
  }

  #hasRun(from: number, ms: number): boolean {
    const { failure, unwritable } = this.#engine
    if (failure !== null || unwritable !== null) return true
    try {
      return this.#runSome(from, ms)
    } catch {
      // An invariant broke, and the engine has stopped for it.
      return true
    }
  }

  /** Whether everything has run now. At least one instant does, however long it takes. */
  #runSome(from: number, ms: number): boolean {
    const engine = this.#engine
    const until = ms === 0 ? this.#clock.now() : endOf(from, ms)
    if (engine.nextDueAt >= until) return true
    const end = this.#loop.elapsed() + PATIENCE_MS
    do engine.dispatch({ type: 'advanceTime', ms: engine.nextDueAt - engine.now })
    while (engine.nextDueAt < until && this.#loop.elapsed() < end)
    return engine.nextDueAt >= until
  }

  #turn(): void {
    const next = this.#waiting[0] as Waiting
    next.from ??= this.#clock.now()
    if (this.#hasRun(next.from, next.lead())) {
      this.#waiting.shift()
      next.resolve(next.from)
    }
    if (this.#waiting.length > 0) this.#loop.later(() => this.#turn())
  }
}

function notAhead(): number {
  return 0
}

/** Where an `advanceTime` ends; where it begins, if it is one that is refused. */
function endOf(from: number, ms: number): number {
  const end = from + ms
  return ms <= LONGEST_ADVANCE_MS && end <= LAST_INSTANT ? end : from
}
