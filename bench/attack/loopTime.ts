// What an event loop has had of the processor: the time of its thread alone. Neither others on the machine nor the helpers of
// the garbage collector are in it.

import { readFileSync } from 'node:fs'

/**
 * Of the main thread of a process, ms; seen with the resolution of the kernel's clock, some ms. The time on the clock where
 * there is no Linux to ask.
 */
export function loopTime(pid: number): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return performance.now()
  }
}
