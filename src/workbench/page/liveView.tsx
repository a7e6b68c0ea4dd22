// Live runs: how each stands, and how it is ended.
import { announce } from '../../host/console/page/shared/announcements.tsx'
import type { Contents } from '../contents.ts'
import type { Job } from '../jobs.ts'
import type { RunForm } from '../runForm.ts'
import { CopyButton } from './copyButton.tsx'
import { useSeconds } from './jobList.tsx'
import { endingWords, isUnderWay, spanWords, stateWords, urlOf } from './jobWords.ts'
import { LiveStandingView } from './liveStandingView.tsx'
import { PageLink } from './pageLink.tsx'
import type { Workbench } from './useWorkbench.ts'
import type { WorkbenchClient } from './workbenchClient.ts'

interface Props extends Workbench {
  readonly contents: Contents
  readonly onGoOn: (form: RunForm) => void
}

export function LiveView({ jobs, contents, client, onGoOn }: Props) {
  const live = jobs.filter(({ form }) => form.kind === 'live')
  const now = useSeconds(live.some(isUnderWay))
  if (live.length === 0)
    return (
      <section class="card">
        <p class="nothing prose">
          No live run was started here. <a href="#start">A new run</a> of the kind Live is one; journals of
          earlier ones are among the <a href="#results">results</a>.
        </p>
      </section>
    )
  return live.map((job) => (
    <LiveRun key={job.id} job={job} now={now} contents={contents} client={client} onGoOn={onGoOn} />
  ))
}

interface RunProps {
  readonly job: Job
  readonly now: number
  readonly contents: Contents
  readonly client: WorkbenchClient
  readonly onGoOn: (form: RunForm) => void
}

function LiveRun({ job, now, contents, client, onGoOn }: RunProps) {
  const { form, standing, faults, command, output } = job
  const id = `live-${job.id}`
  const url = urlOf(job, contents)
  return (
    <section class="card live-run" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{form.out}</h2>
        <div class="tools">
          {url !== null && (
            <PageLink class="button" url={url}>
              Open report<span class="unseen"> of {form.out}</span>
            </PageLink>
          )}
          {isUnderWay(job) ? (
            <Stop job={job} client={client} />
          ) : (
            <button type="button" onClick={() => onGoOn(form)}>
              Go on<span class="unseen"> with {form.out}</span>
            </button>
          )}
        </div>
      </div>
      <p class="hint">
        {[stateWords(job), form.options.live ?? '', spanWords(job, now), endingWords(job)]
          .filter((words) => words !== '')
          .join(' · ')}
      </p>
      {faults.map(({ message }) => (
        <p key={message} class="refusal" role="alert">
          {message}
        </p>
      ))}
      {standing === null ? (
        isUnderWay(job) && <p class="nothing">It is not on the venue yet.</p>
      ) : (
        <LiveStandingView standing={standing} isOver={!isUnderWay(job)} />
      )}
      <details>
        <summary>Command and output</summary>
        <div class="typed">
          <code>{command}</code>
          <CopyButton text={command} />
        </div>
        {output.length > 0 && <pre>{output.join('\n')}</pre>}
      </details>
    </section>
  )
}

/** Once it ends as was chosen; once more, at once. */
function Stop({ job, client }: { readonly job: Job; readonly client: WorkbenchClient }) {
  const isEnding = job.state === 'cancelled'
  const closes = job.form.options['on-exit'] === 'flatten'
  const stop = () => client.cancel(job.id).catch((error: Error) => announce(error.message, 'bad'))
  return (
    <button type="button" class={isEnding ? '' : 'primary'} onClick={stop}>
      {isEnding
        ? 'End at once, leave everything'
        : closes
          ? 'Stop and close everything'
          : 'Stop, leave everything'}
      <span class="unseen"> of {job.form.out}</span>
    </button>
  )
}
