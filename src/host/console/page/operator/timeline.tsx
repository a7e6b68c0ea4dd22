// The life of an account, newest first: each step of it with what caused it.
import { useMemo, useState } from 'preact/hooks'
import { price, quantity } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { shortId, words } from '../shared/names.ts'
import { CauseList } from './causesCard.tsx'
import { gist } from './eventGist.ts'
import { useLog } from './logFollower.ts'
import type { OperatorClient, ShownCommit } from './operatorClient.ts'
import { Record } from './record.tsx'
import { View } from './view.tsx'

/** Commits that are kept. */
const MOST = 500

type ShownEvent = ShownCommit['events'][number]

interface Step {
  readonly commit: ShownCommit
  readonly event: ShownEvent
}

interface Props {
  readonly accountId: string
  readonly client: OperatorClient
}

export function Timeline({ accountId, client }: Props) {
  const terms = useMemo(() => ({ accountId }), [accountId])
  const { commits, isCut, refusal } = useLog(client, terms, fromTheFirst, MOST)
  const steps = commits.flatMap((commit): Step[] =>
    commit.events
      .filter((event) => event.accountId === accountId)
      .reverse()
      .map((event) => ({ commit, event })),
  )
  return (
    <View title="Life" refusal={refusal} isLoading={steps.length === 0}>
      <ol class="log life">
        {steps.map((step) => (
          <li key={`${step.commit.seq} ${step.commit.events.indexOf(step.event)}`}>
            <StepLine step={step} client={client} />
          </li>
        ))}
      </ol>
      {isCut && <p class="hint">The last {MOST} commits that concern it; the log has those before.</p>}
    </View>
  )
}

const fromTheFirst = async () => 0

function StepLine({ step, client }: { readonly step: Step; readonly client: OperatorClient }) {
  const [isOpen, setOpen] = useState(false)
  const { commit, event } = step
  return (
    <details onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>
        <span class="muted">{moment(commit.at)}</span> <b>{words(event.type)}</b> <span>{gist(event)}</span>{' '}
        <span class="muted">{causeOf(commit)}</span>
      </summary>
      {isOpen && (
        <div class="unfolded">
          <Record of={event} />
          <h3>Why</h3>
          <Why step={step} client={client} />
        </div>
      )}
    </details>
  )
}

/** Of an order or a position the chain that led to the step; of everything else the command itself. */
function Why({ step: { commit, event }, client }: { readonly step: Step; readonly client: OperatorClient }) {
  const about = event.positionId ?? event.orderId
  if (typeof about === 'string') return <CauseList id={about} until={commit.seq} client={client} />
  return (
    <>
      <p class="hint">
        Commit {commit.seq}: {causeOf(commit)}
      </p>
      <Record of={commit.command} />
    </>
  )
}

/** What was asked, and who asked. */
function causeOf({ command, by }: ShownCommit): string {
  const who = by === undefined ? '' : ` by ${by.name ?? shortId(by.userId ?? '')}`
  if (command.type === 'updatePrice') return `a price: ${price(quantity(String(command.indexPrice)))}${who}`
  if (command.type === 'advanceTime') return `time${who}`
  return words(command.type) + who
}
