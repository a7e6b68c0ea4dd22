/** Jobs as server-sent events: each as it is, and again when it changes; to a slow reader only how it is by then. */
import type { ServerResponse } from 'node:http'
import type { Job, Jobs } from './jobs.ts'

/** Changes within this are told at once, ms. */
const GATHERED_MS = 100
/** A word now and then, by which a lost connection is noticed, ms. */
const BEAT_MS = 15_000

export function streamJobs(jobs: Jobs, response: ServerResponse): void {
  const waiting = new Map<number, Job>(jobs.all.map((job) => [job.id, job]))
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (response.writableNeedDrain) return
    const text = [...waiting.values()].map((job) => `data: ${JSON.stringify(job)}\n\n`).join('')
    waiting.clear()
    response.write(text)
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.write(': jobs\n\n')
  flush()
  response.on('drain', flush)
  const beat = setInterval(() => response.write(': beat\n\n'), BEAT_MS)
  const unfollow = jobs.follow((job) => {
    waiting.set(job.id, job)
    timer ??= setTimeout(flush, GATHERED_MS)
  })
  response.once('close', () => {
    unfollow()
    clearInterval(beat)
    if (timer !== null) clearTimeout(timer)
  })
}
