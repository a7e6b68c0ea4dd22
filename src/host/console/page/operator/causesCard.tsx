// The chain of what made an order or a position what it is.
import { useCallback } from 'preact/hooks'
import { price, quantity } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { words } from '../shared/names.ts'
import type { Causes, OperatorClient } from './operatorClient.ts'
import { Record } from './record.tsx'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

/** What has happened stays; what comes after it is seldom waited for. */
const PAUSE_MS = 30_000

type Cause = Causes[number]
type Typed = { readonly type: string }

interface Props {
  readonly id: string
  readonly client: OperatorClient
}

export function CausesCard(props: Props) {
  return (
    <View title={`Why ${props.id}`}>
      <CauseList {...props} />
    </View>
  )
}

/** `until`: what happened after this commit is left out. */
export function CauseList({ id, client, until }: Props & { readonly until?: number }) {
  const read = useCallback(() => client.why(id), [client, id])
  const { value, refusal } = usePolled(read, PAUSE_MS)
  const causes = (value ?? []).filter(({ seq }) => until === undefined || seq <= until)
  return (
    <>
      {refusal !== null && <p class="refusal">{refusal}</p>}
      {value === null && refusal === null && <p class="nothing">Reading the log…</p>}
      {causes.length > 0 && (
        <ol class="log">
          {causes.map((cause, at) => (
            <li key={`${cause.seq} ${at}`}>
              <details>
                <summary>
                  <span class="muted">
                    {cause.seq} · {moment(cause.at)}
                  </span>{' '}
                  <b>{said(cause)}</b> <span class="muted">{words(cause.kind)}</span>
                </summary>
                <Record of={(cause.event ?? cause.command) as object} />
              </details>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

function said({ kind, event, command, priceBefore }: Cause): string {
  const { indexPrice } = command as { indexPrice?: string }
  if (kind === 'tick' && indexPrice !== undefined)
    return `${priceBefore === null ? '' : `${price(quantity(priceBefore))} → `}${price(quantity(indexPrice))}`
  return words(((event ?? command) as Typed).type)
}
