// How long some work takes, and the longest that the loop was held while it went on.

import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks at the loop: holds shorter than this are not seen. */
const RESOLUTION = 1

/**
 * Prints a line: the time on the clock and of the processor, and the same of the longest hold. Where others want the
 * processor too the clock says how long they had it; the processor's time is that of all threads of this process.
 */
export async function held(what: string, work: () => unknown): Promise<void> {
  const holds = new Holds()
  await setTimeout(5 * RESOLUTION)
  holds.longest()
  const started = { clock: performance.now(), processor: timeOfAllThreads() }
  await work()
  const took = {
    clock: performance.now() - started.clock,
    processor: timeOfAllThreads() - started.processor,
  }
  await setTimeout(5 * RESOLUTION)
  console.log(`${what}: ${both(took)}; longest hold ${both(holds.longest())}`)
  holds.stop()
}

/** Looks at the loop as often as it gets to. */
export class Holds {
  readonly #now: () => Moment
  #last: Moment
  #longest: Moment = { clock: 0, processor: 0 }
  readonly #timer = setInterval(() => this.#look(), RESOLUTION)

  /** `processorTime`: of what, ms; default: of all threads of this process. */
  constructor(processorTime = timeOfAllThreads) {
    this.#now = () => ({ clock: performance.now(), processor: processorTime() })
    this.#last = this.#now()
  }

  /** Since it was asked last. */
  longest(): Moment {
    const { clock, processor } = this.#longest
    this.#longest = { clock: 0, processor: 0 }
    return { clock: Math.max(0, clock - RESOLUTION), processor }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { clock, processor } = this.#now()
    this.#longest = {
      clock: Math.max(this.#longest.clock, clock - this.#last.clock),
      processor: Math.max(this.#longest.processor, processor - this.#last.processor),
    }
    this.#last = this.#now()
  }
}

/** The most memory this process has had, for the end of a part. */
export function printPeak(): void {
  console.log(`  peak ${Math.round(process.resourceUsage().maxRSS / 1_024).toLocaleString('en')} MiB`)
}

interface Moment {
  /** ms */
  readonly clock: number
  /** ms */
  readonly processor: number
}

function timeOfAllThreads(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function both({ clock, processor }: Moment): string {
  return `${milliseconds(clock)} (processor ${milliseconds(processor)})`
}

function milliseconds(value: number): string {
  return value < 1_000 ? `${value.toFixed(1)} ms` : `${(value / 1_000).toFixed(2)} s`
}
