// How long some work takes, and the longest that the loop was held while it went on.

import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks at the loop: holds shorter than this are not seen. */
const RESOLUTION = 1

/**
 * Prints a line: the time on the clock and of the processor, and the same of the longest hold. Where others want the
 * processor too the clock says how long they had it; the processor's time is that of all threads of this process.
 */
export async function held(what: string, work: () => unknown): Promise<void> {
  const began = now()
  let [last, onClock, ofProcessor] = [began, 0, 0]
  const look = () => {
    const at = now()
    onClock = Math.max(onClock, at.clock - last.clock)
    ofProcessor = Math.max(ofProcessor, at.processor - last.processor)
    last = at
  }
  const timer = setInterval(look, RESOLUTION)
  await setTimeout(5 * RESOLUTION)
  ;[onClock, ofProcessor] = [0, 0]
  const started = now()
  await work()
  const ended = now()
  await setTimeout(5 * RESOLUTION)
  clearInterval(timer)
  const took = { clock: ended.clock - started.clock, processor: ended.processor - started.processor }
  const longest = { clock: Math.max(0, onClock - RESOLUTION), processor: ofProcessor }
  console.log(`${what}: ${both(took)}; longest hold ${both(longest)}`)
}

/** The most memory this process has had, for the end of a part. */
export function printPeak(): void {
  console.log(`  peak ${Math.round(process.resourceUsage().maxRSS / 1_024).toLocaleString('en')} MiB`)
}

interface Moment {
  /** ms */
  readonly clock: number
  /** ms of all threads. */
  readonly processor: number
}

function now(): Moment {
  const { user, system } = process.cpuUsage()
  return { clock: performance.now(), processor: (user + system) / 1_000 }
}

function both({ clock, processor }: Moment): string {
  return `${milliseconds(clock)} (processor ${milliseconds(processor)})`
}

function milliseconds(value: number): string {
  return value < 1_000 ? `${value.toFixed(1)} ms` : `${(value / 1_000).toFixed(2)} s`
}
