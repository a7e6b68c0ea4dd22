// What is said of a job.
import type { Contents } from '../contents.ts'
import type { Job } from '../jobs.ts'

export function isUnderWay({ endedAt }: Job): boolean {
  return endedAt === null
}

/** Whether it has come to a page: also one that says what was found. */
export function hasSaved({ state }: Job): boolean {
  return state === 'done' || state === 'found'
}

/** The address of its page: of a live run as soon as its journal is there. */
export function urlOf(job: Job, { results }: Contents): string | null {
  if (!hasSaved(job) && job.form.kind !== 'live') return null
  return results.find(({ place }) => place === job.form.out)?.url ?? null
}

/** What becomes of what a live run has open. */
export function endingWords(job: Job): string {
  if (!isUnderWay(job)) return ''
  return job.form.options['on-exit'] === 'flatten'
    ? 'closes everything at its end'
    : 'leaves everything at its end'
}

export function stateWords({ form, state, endedAt }: Job): string {
  if (form.kind === 'live') return liveWords(state, endedAt)
  if (state === 'cancelled') return endedAt === null ? 'being cancelled' : 'cancelled'
  return state === 'found' ? 'done, and something was found' : state
}

function liveWords(state: Job['state'], endedAt: number | null): string {
  if (state === 'running' || state === 'waiting') return 'live'
  if (state === 'cancelled') return endedAt === null ? 'ending' : 'ended at once, everything left as it was'
  return state === 'done' ? 'ended' : state
}

/** Between 0 and 1; null where the end is not known. */
export function shareOf(job: Job): number | null {
  const { progress } = job
  if (hasSaved(job)) return 1
  if (progress === null || progress.total === null || progress.total === 0) return null
  return Math.min(1, progress.done / progress.total)
}

export function progressWords({ progress }: Job): string {
  if (progress === null) return ''
  const { done, total, unit, detail } = progress
  const count = total === null ? whole(done) : `${whole(done)} of ${whole(total)}`
  return `${count} ${unit}${detail === '' ? '' : `, ${detail}`}`
}

export function spanWords({ startedAt, endedAt }: Job, now: number): string {
  if (startedAt === null) return ''
  const seconds = Math.max(0, Math.round(((endedAt ?? now) - startedAt) / 1_000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function whole(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
}
