// A form for the next run, the command that it is, and the runs that were started.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { announce } from '../../host/console/page/shared/announcements.tsx'
import { Choice } from '../../host/console/page/shared/fields.tsx'
import { SWITCHED_OFF } from '../askedLive.ts'
import { typedParts, typedText } from '../commandLine.ts'
import type { Contents } from '../contents.ts'
import { FORM_KINDS } from '../formKinds.ts'
import type { OptionName } from '../formOptions.ts'
import type { RunForm } from '../runForm.ts'
import type { DescribedStrategy } from '../strategies.ts'
import { CopyButton } from './copyButton.tsx'
import { Field } from './field.tsx'
import { freshPlace, KIND_CHOICES } from './formText.ts'
import { JobList } from './jobList.tsx'
import { Agreement, LiveFields } from './liveFields.tsx'
import { MarketFields } from './marketFields.tsx'
import { OptionFields } from './optionFields.tsx'
import { ParameterFields } from './parameterFields.tsx'
import { RulesFields } from './rulesFields.tsx'
import { StrategyFields } from './strategyFields.tsx'
import type { FormState } from './useForm.ts'
import type { Workbench } from './useWorkbench.ts'
import { RefusedRun, type WorkbenchClient } from './workbenchClient.ts'

interface Props extends Workbench {
  readonly contents: Contents
  readonly state: FormState
}

export function StartView({ contents, client, jobs, state }: Props) {
  const { form, faultOf, unplaced, change, setOption, setValue, refuse } = state
  const runFile = contents.runFiles.find(({ place }) => place === form.config)
  const named = form.strategy === '' ? (runFile?.strategy ?? '') : form.strategy
  const { strategy, fault: strategyFault } = useStrategy(named, client)
  const place = form.out === '' ? freshPlace({ ...form, strategy: named }, contents, jobs) : form.out
  const asked: RunForm = { ...form, out: place }
  const last = useLast(jobs, refuse)
  const isLive = form.kind === 'live'
  // What was agreed to is what stands there; what is changed is agreed to anew.
  const [agreedTo, setAgreedTo] = useState('')
  const isAgreed = agreedTo === typedText(asked)

  const start = async (event: Event) => {
    event.preventDefault()
    if (isLive && !isAgreed && contents.live.venues.length > 0) return refuse([NOT_AGREED])
    try {
      const job = await client.start(asked)
      refuse([])
      last.follow(job.id)
      change({ out: '' })
      setAgreedTo('')
      announce(`Started: ${job.form.out}.`)
      if (isLive) location.hash = 'live'
    } catch (error) {
      if (error instanceof RefusedRun)
        refuse(error.faults.length > 0 ? error.faults : [{ field: null, message: error.message }])
      else announce((error as Error).message, 'bad')
    }
  }

  const { choice } = FORM_KINDS[form.kind]
  const withoutPrices = priceOptionsLeftOut(form)
  return (
    <form class="start" onSubmit={start} noValidate>
      <div class="start-fields">
        <section class="card" aria-labelledby="what-title">
          <h2 id="what-title">What to run</h2>
          <Choice
            name="Kind of run"
            value={form.kind}
            options={KIND_CHOICES}
            onChange={(kind) => change({ kind, options: optionsOf(form, kind, contents) })}
          />
          <p class="hint kind-sentence">{FORM_KINDS[form.kind].sentence}</p>
          {isLive && contents.live.venues.length === 0 && (
            <p class="refusal" role="alert">
              {SWITCHED_OFF}
            </p>
          )}
          <StrategyFields
            form={form}
            contents={contents}
            fault={faultOf('strategy') ?? strategyFault ?? faultOf('config')}
            onChange={change}
          />
          <h3>Parameters</h3>
          {strategyFault === null && named !== 'portfolio' ? (
            <ParameterFields
              form={form}
              strategy={strategy}
              set={form.strategy === '' ? (runFile?.parameters ?? {}) : {}}
              faultOf={faultOf}
              onChange={setValue}
            />
          ) : (
            <p class="nothing">
              {strategyFault === null
                ? 'Those of a portfolio stand in its run file.'
                : 'The strategy cannot be loaded.'}
            </p>
          )}
          <OptionFields group="learned" form={form} faultOf={faultOf} onChange={setOption} />
        </section>
        <section class="card" aria-labelledby="prices-title">
          <h2 id="prices-title">{isLive ? 'Markets and warm-up' : 'Prices and costs'}</h2>
          {runFile === undefined || runFile.markets.length === 0 ? (
            <MarketFields
              markets={form.markets}
              data={contents.data}
              isLive={isLive}
              fault={faultOf('markets')}
              onChange={(markets) => change({ markets })}
            />
          ) : (
            <p class="hint">Markets are those of the run file: {runFile.markets.join(', ')}.</p>
          )}
          <OptionFields
            group="prices"
            form={form}
            without={withoutPrices}
            faultOf={faultOf}
            onChange={setOption}
          />
        </section>
        {!isLive && (
          <section class="card" aria-labelledby="account-title">
            <h2 id="account-title">Account and rules</h2>
            <OptionFields group="account" form={form} faultOf={faultOf} onChange={setOption} />
            {form.kind === 'evaluate' && (
              <RulesFields form={form} contents={contents} fault={faultOf('rules')} onChange={change} />
            )}
          </section>
        )}
        {choice !== undefined && (
          <section class="card" aria-labelledby="choice-title">
            <h2 id="choice-title">{choice}</h2>
            {isLive ? (
              <LiveFields form={form} live={contents.live} faultOf={faultOf} onChange={setOption} />
            ) : (
              <OptionFields group="choice" form={form} faultOf={faultOf} onChange={setOption} />
            )}
          </section>
        )}
        {form.kind === 'evaluate' && (
          <section class="card" aria-labelledby="paths-title">
            <h2 id="paths-title">Paths and payouts</h2>
            <OptionFields group="paths" form={form} faultOf={faultOf} onChange={setOption} />
          </section>
        )}
      </div>
      <div class="start-side">
        <section class="card" aria-labelledby="command-title">
          <div class="head">
            <h2 id="command-title">The command</h2>
            <CopyButton text={typedText(asked)} />
          </div>
          <pre class="command-line">
            {typedParts(asked).map((part, at) => (
              <>
                {at > 0 && ' '}
                <span>{part}</span>
              </>
            ))}
          </pre>
          <p class="hint">Typed in this folder, it {isLive ? 'does the same' : 'makes the same files'}.</p>
          <Field
            label={isLive ? 'Journal' : 'Save as'}
            hint={isLive ? 'a new file, or one that is there, to go on with it' : 'a new folder'}
            placeholder={place}
            value={form.out}
            fault={faultOf('out')}
            onInput={(out) => change({ out })}
          />
          {isLive && contents.live.venues.length > 0 && (
            <Agreement
              form={form}
              isAgreed={isAgreed}
              fault={faultOf('agreed')}
              onChange={(isChecked) => {
                setAgreedTo(isChecked ? typedText(asked) : '')
                refuse([])
              }}
            />
          )}
          {unplaced.map((message) => (
            <p key={message} class="refusal" role="alert">
              {message}
            </p>
          ))}
          <button type="submit" class="primary">
            Start
          </button>
        </section>
        {jobs.length > 0 && (
          <section class="card" aria-labelledby="jobs-title">
            <div class="head">
              <h2 id="jobs-title">Started here</h2>
            </div>
            <JobList jobs={jobs} contents={contents} client={client} />
          </section>
        )}
      </div>
    </form>
  )
}

const NOT_AGREED = {
  field: 'agreed',
  message: 'It trades with the money of the account: say that this is meant.',
}

/** Where there is one venue, that is where it trades. */
function optionsOf({ options }: RunForm, kind: RunForm['kind'], { live }: Contents): RunForm['options'] {
  const [only] = live.venues
  const isPlain = kind === 'live' && live.venues.length === 1 && (options.live ?? '') === ''
  return isPlain && only !== undefined ? { ...options, live: only } : options
}

/** What simulates prices means nothing beside data. */
function priceOptionsLeftOut({ markets, config }: RunForm): readonly OptionName[] {
  if (markets.length > 0 || config !== '') return ['asset', 'days', 'simulate']
  return []
}

/** What a strategy declares, once it has been loaded. */
function useStrategy(name: string, client: WorkbenchClient) {
  const [known, setKnown] = useState<{ readonly name: string; readonly strategy: DescribedStrategy } | null>(
    null,
  )
  const [fault, setFault] = useState<{ readonly name: string; readonly message: string } | null>(null)
  useEffect(() => {
    if (name === '' || name === 'portfolio') return
    let isWanted = true
    client.strategy(name).then(
      (strategy) => isWanted && setKnown({ name, strategy }),
      (error: Error) => isWanted && setFault({ name, message: error.message }),
    )
    return () => {
      isWanted = false
    }
  }, [name, client])
  return {
    strategy: known?.name === name ? known.strategy : null,
    fault: fault?.name === name ? fault.message : null,
  }
}

/** The run that was started last: what it says of a mistake stands at the fields. */
function useLast(
  jobs: Workbench['jobs'],
  refuse: (faults: NonNullable<Workbench['jobs'][number]>['faults']) => void,
) {
  const [id, follow] = useState<number | null>(null)
  const failed = useMemo(() => jobs.find((job) => job.id === id && job.state === 'failed'), [jobs, id])
  useEffect(() => {
    if (failed === undefined) return
    refuse(failed.faults)
    follow(null)
    announce(`${failed.form.out} could not be run.`, 'bad')
  }, [failed, refuse])
  return { follow }
}
