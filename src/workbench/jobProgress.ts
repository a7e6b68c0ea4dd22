/** How far a process says that it is, to the one that started it. */

export interface JobProgress {
  readonly done: number
  /** Null where it is not known. */
  readonly total: number | null
  readonly unit: string
  readonly detail: string
}

/** The environment variable of a process whose progress is told to whoever started it, and what it is then. */
export const [TOLD_PROGRESS, TOLD_BY_MESSAGE] = ['MARGIN_CORE_PROGRESS', 'ipc'] as const

export function isProgress(said: unknown): said is JobProgress {
  if (typeof said !== 'object' || said === null) return false
  const { done, total, unit, detail } = said as Partial<JobProgress>
  return (
    Number.isFinite(done) &&
    (total === null || Number.isFinite(total)) &&
    typeof unit === 'string' &&
    typeof detail === 'string'
  )
}
