// What an event loop has had of the processor: the time of its thread alone. Neither others on the machine nor the helpers of
// the garbage collector are in it.

import { openSync, readSync } from 'node:fs'

/** The file of each process, opened once. */
const files = new Map<number, number>()
/** Into which all are read: eight kilobytes anew for each question, asked at every turn, would be what the collector has to do. */
const bytes = new Uint8Array(64)
const [DIGIT_0, DIGIT_9] = [0x30, 0x39]

/**
 * Of the main thread of a process, ms; seen with the resolution of the kernel's clock, some ms. The time on the clock where
 * there is no Linux to ask.
 */
export function loopTime(pid: number): number {
  try {
    return firstNumber(readSync(fileOf(pid), bytes, 0, bytes.length, 0)) / 1e6
  } catch {
    return performance.now()
  }
}

function fileOf(pid: number): number {
  const opened = files.get(pid) ?? openSync(`/proc/${pid}/task/${pid}/schedstat`, 'r')
  files.set(pid, opened)
  return opened
}

/** Nanoseconds that it has run, which stand first. */
function firstNumber(length: number): number {
  let number = 0
  for (const digit of bytes.subarray(0, length)) {
    if (digit < DIGIT_0 || digit > DIGIT_9) break
    number = number * 10 + digit - DIGIT_0
  }
  return number
}
