/** What only a form of a live run has to say: a venue that may be traded on, and where its key is. */
import type { Fault } from './faults.ts'
import type { RunForm } from './runForm.ts'

/** What the workbench was started with for it. */
export interface LiveAllowance {
  /** Addresses of venues; none where live runs are not started from the page. */
  readonly venues: readonly string[]
  /** Whether the environment has a key. */
  readonly hasKey: boolean
}

export function liveFaults({ kind, options, out }: RunForm, { venues, hasKey }: LiveAllowance): Fault[] {
  if (kind !== 'live') return []
  if (venues.length === 0) return [{ field: 'kind', message: SWITCHED_OFF }]
  const { live = '', 'key-file': keyFile = '' } = options
  return [
    ...(venues.includes(live)
      ? []
      : [
          {
            field: 'options.live',
            message: `${live === '' ? 'it needs a venue' : `${live} is not named`}: this workbench trades on ${venues.join(', ')}`,
          },
        ]),
    ...(keyFile !== '' || hasKey
      ? []
      : [
          {
            field: 'options.key-file',
            message:
              'name the file of the folder that holds the key of the venue, or start the workbench with MARGIN_CORE_KEY in its environment',
          },
        ]),
    ...(out === '' || out.endsWith('.jsonl')
      ? []
      : [{ field: 'out', message: `${out}: the name of a journal ends with .jsonl` }]),
  ]
}

export const SWITCHED_OFF =
  'This workbench trades nowhere: start it with --live URL to allow live runs on that venue.'
