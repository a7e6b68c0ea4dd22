/** What falls due by time alone, run when it comes. */
import type { Engine } from '../engine/engine.ts'
import type { Clock } from './clock.ts'
import { DueInstants } from './dueInstants.ts'
import { unattended } from './unattended.ts'

/** The longest sleep between two looks at what is due: the wall clock is watched, and timers lose minutes in a suspend. */
const LONGEST_SLEEP_MS = 1_000

/**
 * With the system clock: gives the engine its funding instants and day boundaries when they come.
 *
 * ```ts
 * const fresh = createEngine()
 * const schedule = runSchedule(fresh, systemClock(fresh)) // funding and new days, on time
 * schedule.stop()
 * ```
 */
export function runSchedule(
  engine: Engine,
  clock: Clock,
  due: DueInstants = new DueInstants(engine, clock),
): { stop(): void } {
  let timer: NodeJS.Timeout
  let isStopped = false
  const sleep = () => {
    const wait = Math.min(Math.max(engine.nextDueAt - clock.now(), 1), LONGEST_SLEEP_MS)
    if (!isStopped) timer = setTimeout(wake, wait).unref()
  }
  const wake = unattended(engine, () => {
    const now = due.before()
    if (typeof now !== 'number') return void now.then(sleep)
    if (engine.nextDueAt <= now) engine.dispatch({ type: 'advanceTime', ms: now - engine.now })
    sleep()
  })
  sleep()
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
