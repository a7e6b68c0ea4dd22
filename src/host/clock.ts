/** Where the host takes the time from. Everything that depends on time asks the same clock (A5). */
import type { Engine } from '../engine/engine.ts'
import { type Adjustment, type Reading, SteadyTime } from './steadyTime.ts'

/** What a host takes for the time. */
export interface Clock {
  readonly mode: 'manual' | 'system'
  /** Epoch ms; never before the engine's time. */
  now(): number
  /** How far the machine's wall clock is ahead of this one, ms; negative where it is behind, 0 for a manual clock. */
  offset(): number
}

/**
 * Time stands still until an operator moves it with `advanceTime`.
 *
 * ```ts
 * manualClock(engine).now() === engine.now // → true
 * ```
 */
export function manualClock(engine: Engine): Clock {
  return { mode: 'manual', now: () => engine.now, offset: () => 0 }
}

/** How {@link systemClock} reads the clocks of the machine, and who is told. */
export interface SystemClockOptions {
  /** Is told, in a sentence, when the time steps forward or begins to wait for the wall clock. */
  readonly onNotice?: (notice: string) => void
  /** The two clocks of the machine. */
  readonly read?: () => Reading
}

/**
 * The machine's time (K12): it runs with the monotonic clock and follows the wall clock as {@link SteadyTime} says.
 * Rate windows, price ages and whatever else lasts a while are measured on it, so no jump of the wall clock ends or
 * stretches them; only a step forward that has been believed does, and then prices have grown old in truth.
 *
 * ```ts
 * const clock = systemClock(createEngine())
 * Math.abs(clock.now() - Date.now()) < 1_000 // → true
 * ```
 */
export function systemClock(
  engine: Engine,
  { onNotice = () => {}, read = machineClocks }: SystemClockOptions = {},
): Clock {
  const steady = new SteadyTime(read(), engine.now)
  const now = () => {
    const adjustment = steady.read(read())
    if (adjustment !== null) onNotice(noticeOf(adjustment))
    steady.atLeast(engine.now)
    return Math.floor(steady.time)
  }
  return {
    mode: 'system',
    now,
    offset: () => {
      now()
      return Math.round(steady.offset)
    },
  }
}

function machineClocks(): Reading {
  return { wall: Date.now(), monotonic: performance.now() }
}

function noticeOf({ kind, byMs }: Adjustment): string {
  const seconds = `${(Math.abs(byMs) / 1_000).toFixed(3)} s`
  return kind === 'stepped'
    ? `the time went forward by ${seconds} at once, to where the wall clock has been for a while`
    : `the wall clock is ${seconds} behind: the time runs a tenth slower until it has caught up`
}
