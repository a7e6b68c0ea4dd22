// Runs that were started from the page: how far each is, what it printed, and how to end it.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../host/console/page/shared/announcements.tsx'
import type { Contents } from '../contents.ts'
import type { Job } from '../jobs.ts'
import { CopyButton } from './copyButton.tsx'
import { isUnderWay, progressWords, shareOf, spanWords, stateWords, urlOf } from './jobWords.ts'
import { PageLink } from './pageLink.tsx'
import type { WorkbenchClient } from './workbenchClient.ts'

interface Props {
  readonly jobs: readonly Job[]
  readonly contents: Contents
  readonly client: WorkbenchClient
}

export function JobList({ jobs, contents, client }: Props) {
  const now = useSeconds(jobs.some(isUnderWay))
  return (
    <ul class="jobs">
      {jobs.map((job) => (
        <JobItem key={job.id} job={job} now={now} url={urlOf(job, contents)} client={client} />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly job: Job
  readonly now: number
  readonly url: string | null
  readonly client: WorkbenchClient
}

function JobItem({ job, now, url, client }: ItemProps) {
  const share = shareOf(job)
  const isLive = job.form.kind === 'live'
  const cancel = () => client.cancel(job.id).catch((error: Error) => announce(error.message, 'bad'))
  const said = [stateWords(job), progressWords(job), spanWords(job, now)].filter((words) => words !== '')
  return (
    <li class={`job ${job.state}`}>
      <div class="head">
        <h3>{job.form.out}</h3>
        <div class="tools">
          {url !== null && (
            <PageLink class="button" url={url}>
              Open report<span class="unseen"> of {job.form.out}</span>
            </PageLink>
          )}
          {isLive && (
            <a class="button" href="#live">
              Watch<span class="unseen"> {job.form.out}</span>
            </a>
          )}
          {isUnderWay(job) && !isLive && (
            <button type="button" disabled={job.state === 'cancelled'} onClick={cancel}>
              Cancel<span class="unseen"> {job.form.out}</span>
            </button>
          )}
        </div>
      </div>
      {isUnderWay(job) && !isLive && (
        <progress
          aria-label={`Progress of ${job.form.out}`}
          max={1}
          {...(share === null ? {} : { value: share })}
        />
      )}
      <p class="hint">{said.join(' · ')}</p>
      {job.faults.map(({ message }) => (
        <p key={message} class="refusal">
          {message}
        </p>
      ))}
      <details>
        <summary>Command and output</summary>
        <div class="typed">
          <code>{job.command}</code>
          <CopyButton text={job.command} />
        </div>
        {job.output.length > 0 && <pre>{job.output.join('\n')}</pre>}
      </details>
    </li>
  )
}

/** The time, read once a second while it matters. */
export function useSeconds(isRead: boolean): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isRead) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRead])
  return now
}
