/** Where the host takes the time from. Everything that depends on time asks the same clock (A5). */
import type { Engine } from '../engine/engine.ts'

export interface Clock {
  readonly mode: 'manual' | 'system'
  /** Epoch ms; never before the engine's time. */
  now(): number
}

/** Time stands still until an operator moves it with `advanceTime`. */
export function manualClock(engine: Engine): Clock {
  return { mode: 'manual', now: () => engine.now }
}

/** The machine's clock; when that steps back, time stands still until it has caught up. */
export function systemClock(engine: Engine): Clock {
  return { mode: 'system', now: () => Math.max(engine.now, Date.now()) }
}

/** The longest sleep between two looks at what is due: timers lose minutes on a suspended machine. */
const LONGEST_SLEEP_MS = 1_000

/** With the system clock: gives the engine its funding instants and day boundaries when they come. */
export function runSchedule(engine: Engine, clock: Clock): { stop(): void } {
  let timer: NodeJS.Timeout
  const sleep = () => {
    const wait = Math.min(Math.max(engine.nextDueAt - clock.now(), 1), LONGEST_SLEEP_MS)
    timer = setTimeout(wake, wait).unref()
  }
  const wake = () => {
    if (engine.failure !== null) return
    const now = clock.now()
    if (engine.nextDueAt <= now) engine.dispatch({ type: 'advanceTime', ms: now - engine.now })
    sleep()
  }
  sleep()
  return { stop: () => clearTimeout(timer) }
}
