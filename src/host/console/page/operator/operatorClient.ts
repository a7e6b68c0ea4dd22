// The operators' side of the interface.
import type { Static } from 'typebox'
import { type ApiError, refusalOf } from '../../../../client/apiError.ts'
import { eventsOf } from '../../../../client/serverSentEvents.ts'
import type {
  AccountDetailResource,
  AccountSummariesResource,
  CausesResource,
  ExposureResource,
  LedgerResource,
  OperatorMarketsResource,
  WebhooksResource,
} from '../../../schemas/operatorReads.ts'
import { venueAt } from '../shared/venueAddress.ts'

export type AccountSummaries = Static<typeof AccountSummariesResource>
export type AccountSummary = AccountSummaries['data'][number]
export type AccountDetail = Static<typeof AccountDetailResource>
export type Exposure = Static<typeof ExposureResource>
export type OperatorMarkets = Static<typeof OperatorMarketsResource>
export type OperatorMarket = OperatorMarkets['markets'][number]
export type Causes = Static<typeof CausesResource>
export type Posting = Static<typeof LedgerResource>[number]
export type Webhooks = Static<typeof WebhooksResource>

export interface Health {
  readonly status: 'ok' | 'reading' | 'failed'
  readonly reason: string | null
  readonly head: number
  readonly durableHead: number
  readonly at: string
  readonly clockOffsetMs: number
}

/** What happened, as text: the page shows it as it is. */
export interface ShownCommit {
  readonly seq: number
  readonly at: string
  readonly by?: { readonly type: string; readonly name?: string; readonly userId?: string }
  readonly command: { readonly type: string; readonly [field: string]: unknown }
  readonly events: readonly { readonly type: string; readonly [field: string]: unknown }[]
}

type Result = { readonly ok: true; readonly seq: number } | { readonly ok: false; readonly message: string }

export class OperatorClient {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  accounts(query: Readonly<Record<string, string>>): Promise<AccountSummaries> {
    return this.#read(`/operator/accounts?${new URLSearchParams(query)}`)
  }

  account(id: string): Promise<AccountDetail> {
    return this.#read(`/operator/accounts/${encodeURIComponent(id)}`)
  }

  exposure(): Promise<Exposure> {
    return this.#read('/operator/exposure')
  }

  markets(): Promise<OperatorMarkets> {
    return this.#read('/operator/markets')
  }

  why(id: string): Promise<Causes> {
    return this.#read(`/operator/why/${encodeURIComponent(id)}`)
  }

  /** What one commit moved. */
  postings(seq: number): Promise<readonly Posting[]> {
    return this.#read(`/operator/ledger?from=${seq}&to=${seq}`)
  }

  webhooks(): Promise<Webhooks> {
    return this.#read('/operator/webhooks')
  }

  /** Answered with 503 where not all is well, which is an answer too. */
  async health(): Promise<Health> {
    const response = await this.#ask('/operator/health', {})
    if (!response.ok && response.status !== 503) throw await refused(response)
    return (await response.json()) as Health
  }

  /** The sequence of its commit. @throws Error with the venue's sentence where it is refused. */
  async command(command: object): Promise<number> {
    const response = await this.#ask('/operator/commands', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    })
    if (!response.ok) throw await refused(response)
    const { results } = (await response.json()) as { results: readonly [Result] }
    const [result] = results
    if (!result.ok) throw new Error(result.message)
    return result.seq
  }

  /** Commits after `from`, as they happen. It ends when the connection does. */
  async *commits(
    query: Readonly<Record<string, string>>,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<ShownCommit, void> {
    const terms = new URLSearchParams({ ...query, from: String(from) })
    const response = await this.#ask(`/operator/stream?${terms}`, { signal })
    if (!response.ok) throw await refused(response)
    for await (const { message: sent } of eventsOf(response)) {
      const message = sent as { type: string; data: ShownCommit }
      if (message.type === 'commit') yield message.data
    }
  }

  async #read<Answer>(path: string): Promise<Answer> {
    const response = await this.#ask(path, {})
    if (!response.ok) throw await refused(response)
    return (await response.json()) as Answer
  }

  #ask(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` }
    return fetch(venueAt() + path, { ...init, headers })
  }
}

async function refused(response: Response): Promise<ApiError> {
  return refusalOf(response, await response.text(), new URL(response.url).pathname)
}
