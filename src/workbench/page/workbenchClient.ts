// Asks the workbench that served the page, with the token of its address.
import { eventsOf } from '../../client/serverSentEvents.ts'
import type { Contents } from '../contents.ts'
import type { Fault } from '../faults.ts'
import type { Job } from '../jobs.ts'
import type { RunForm } from '../runForm.ts'
import type { DescribedStrategy } from '../strategies.ts'

const KEPT_AS = 'margin-core-workbench'

/** The token stands in the address that was printed, and is kept in the tab alone. */
export function takeToken(): string {
  const said = location.hash.slice(1)
  if (/^[\w-]{43}$/.test(said)) {
    sessionStorage.setItem(KEPT_AS, said)
    history.replaceState(null, '', '#results')
  }
  return sessionStorage.getItem(KEPT_AS) ?? ''
}

/** What was refused, by field where it has one. */
export class RefusedRun extends Error {
  readonly faults: readonly Fault[]

  constructor(message: string, faults: readonly Fault[]) {
    super(message)
    this.faults = faults
  }
}

export class WorkbenchClient {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  folder(): Promise<Contents> {
    return this.#ask('/api/folder')
  }

  strategy(name: string): Promise<DescribedStrategy> {
    return this.#ask(`/api/strategy?name=${encodeURIComponent(name)}`)
  }

  start(form: RunForm): Promise<Job> {
    return this.#ask('/api/jobs', form)
  }

  cancel(id: number): Promise<unknown> {
    return this.#ask(`/api/jobs/${id}/cancel`, {})
  }

  comparison(places: readonly string[]): Promise<{ readonly url: string; readonly command: string }> {
    return this.#ask('/api/comparison', { places })
  }

  /** Every job as it is, and again when it changes; goes on after a lost connection until `signal` ends it. */
  async jobs(
    signal: AbortSignal,
    told: (job: Job) => void,
    isThere: (there: boolean) => void,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        const response = await fetch('/api/jobs', { headers: this.#headers(), signal })
        isThere(response.ok)
        // The server that sent this page tells nothing else there.
        if (response.ok) for await (const { message } of eventsOf(response)) told(message as unknown as Job)
      } catch {
        // Asked again below.
      }
      if (signal.aborted) return
      isThere(false)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  async #ask<Answer>(address: string, body?: object): Promise<Answer> {
    const response = await fetch(address, {
      headers: { ...this.#headers(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Error('The workbench does not answer: it may have been ended.')
    })
    const answer = await response.json()
    if (response.ok) return answer
    if (response.status === 401) throw new Error(SIGNED_OUT)
    throw new RefusedRun(answer.message, answer.faults ?? [])
  }

  #headers() {
    return { authorization: `Bearer ${this.#token}` }
  }
}

const RETRY_MS = 2_000
const SIGNED_OUT = 'This address is not that of the workbench that runs now: open the one it has printed.'
