// What the page knows: the folder, and the jobs as they go on.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Contents } from '../contents.ts'
import type { Job } from '../jobs.ts'
import { hasSaved } from './jobWords.ts'
import { WorkbenchClient } from './workbenchClient.ts'

export interface Workbench {
  readonly client: WorkbenchClient
  /** Null until it is read. */
  readonly contents: Contents | null
  /** A sentence, where it cannot be read. */
  readonly fault: string | null
  /** The newest first. */
  readonly jobs: readonly Job[]
  readonly isThere: boolean
  /** Reads the folder again. */
  readonly look: () => void
}

export function useWorkbench(token: string): Workbench {
  const client = useMemo(() => new WorkbenchClient(token), [token])
  const [contents, setContents] = useState<Contents | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [jobs, setJobs] = useState<ReadonlyMap<number, Job>>(new Map())
  const [isThere, setThere] = useState(true)

  const look = useCallback(() => {
    client.folder().then(
      (found) => {
        setContents(found)
        setFault(null)
      },
      (error: Error) => setFault(error.message),
    )
  }, [client])

  useEffect(look, [look])
  useEffect(() => {
    const ending = new AbortController()
    const told = (job: Job) => setJobs((before) => new Map(before).set(job.id, job))
    void client.jobs(ending.signal, told, setThere)
    return () => ending.abort()
  }, [client])

  // The journal of a live run is there as soon as it trades, and says more when it has ended.
  const saved = [...jobs.values()].reduce(
    (sum, job) => sum + (hasSaved(job) ? 1 : 0) + (job.standing === null ? 0 : job.endedAt === null ? 1 : 2),
    0,
  )
  useEffect(() => {
    if (saved > 0) look()
  }, [saved, look])
  // What was saved from a terminal meanwhile is there when the reader comes back.
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && look()
    document.addEventListener('visibilitychange', back)
    return () => document.removeEventListener('visibilitychange', back)
  }, [look])

  const newest = useMemo(() => [...jobs.values()].sort((one, other) => other.id - one.id), [jobs])
  return { client, contents, fault, jobs: newest, isThere, look }
}
