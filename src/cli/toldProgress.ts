/** Progress of a process that another one of this package has started: told to that one, which shows it. */
import { type JobProgress, TOLD_BY_MESSAGE, TOLD_PROGRESS } from '../workbench/jobProgress.ts'

/** Oftener nobody reads it, ms. */
const APART_MS = 100

let toldAt = Number.NEGATIVE_INFINITY

/** Whether there is somebody who is told. */
export function hasListener(): boolean {
  return process.env[TOLD_PROGRESS] === TOLD_BY_MESSAGE && process.send !== undefined
}

export function tellProgress(progress: JobProgress): void {
  if (!hasListener() || process.connected !== true) return
  const now = performance.now()
  const isLast = progress.done === progress.total
  if (!isLast && now - toldAt < APART_MS) return
  toldAt = now
  process.send?.(progress)
}

/** Whoever started it has gone, without a word: nobody waits for what it does. */
export function endWithListener(): void {
  if (!hasListener()) return
  process.once('disconnect', interruptSelf)
  // Waiting for that keeps nothing alive.
  process.channel?.unref()
}

/** What is ending already ends by itself: that its listener goes is no second interruption. */
export function outliveListener(): void {
  process.off('disconnect', interruptSelf)
}

function interruptSelf(): void {
  process.kill(process.pid, 'SIGINT')
}
