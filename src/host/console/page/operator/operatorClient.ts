// The operators' side of the interface.
import type { Static } from 'typebox'
import { type ApiError, refusalOf } from '../../../../client/apiError.ts'
import { eventsOf } from '../../../../client/serverSentEvents.ts'
import type { AccountDetailResource, AccountSummariesResource } from '../../../schemas/operatorAccounts.ts'
import type {
  CausesResource,
  ExposureResource,
  LedgerResource,
  OperatorMarketsResource,
  WebhooksResource,
} from '../../../schemas/operatorReads.ts'
import type { PreviewResource } from '../../../schemas/preview.ts'
import type { SignedIn } from '../shared/session.ts'
import { venueAt } from '../shared/venueAddress.ts'

export type AccountSummaries = Static<typeof AccountSummariesResource>
export type AccountSummary = AccountSummaries['data'][number]
export type AccountDetail = Static<typeof AccountDetailResource>
export type Exposure = Static<typeof ExposureResource>
export type OperatorMarkets = Static<typeof OperatorMarketsResource>
export type OperatorMarket = OperatorMarkets['markets'][number]
export type Causes = Static<typeof CausesResource>
export type Posting = Pick<
  Static<typeof LedgerResource>[number],
  'event' | 'accountId' | 'free' | 'reserve' | 'margin' | 'house'
>
/** With its events as text, like those of the log. */
export type CommandPreview = Omit<Static<typeof PreviewResource>, 'events'> & {
  readonly events: ShownCommit['events']
}
export type Webhooks = Static<typeof WebhooksResource>

export interface Health {
  readonly status: 'ok' | 'reading' | 'failed'
  readonly reason: string | null
  readonly head: number
  readonly durableHead: number
  readonly at: string
  readonly clockOffsetMs: number
}

/** A shard of a cluster, and how far it is. */
export interface ShardHealth {
  readonly shard: number
  /** The name of its node; null while it has none. */
  readonly owner: string | null
  readonly epoch: number
  readonly head: number
  readonly durableHead: number
  /** Null where its node does not answer. */
  readonly at: string | null
}

/** What a node says of its cluster. */
export interface ClusterHealth extends Pick<Health, 'status' | 'reason'> {
  readonly node: string
  readonly shards: readonly ShardHealth[]
}

export function isCluster(health: Health | ClusterHealth): health is ClusterHealth {
  return 'shards' in health
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

/** Asked of a cluster as a whole. */
const OF_ALL_SHARDS: ReadonlySet<string> = new Set([
  '/operator/commands',
  '/operator/health',
  '/operator/preview',
])

export class OperatorClient {
  readonly #token: string
  readonly #shard: number | null

  /** What the operator is called in the log. */
  readonly operator: string

  /** `shard`: of a cluster, the one that is looked at; null on a single host. */
  constructor({ token, name }: Pick<SignedIn, 'token' | 'name'>, shard: number | null = null) {
    this.#token = token
    this.#shard = shard
    this.operator = name
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
  async health(): Promise<Health | ClusterHealth> {
    const response = await this.#ask('/operator/health', {})
    if (!response.ok && response.status !== 503) throw await refused(response)
    return (await response.json()) as Health | ClusterHealth
  }

  /** Sequence of the newest commit, of the shard that is looked at. */
  async head(): Promise<number> {
    const health = await this.health()
    if (!isCluster(health)) return health.head
    return health.shards.find(({ shard }) => shard === this.#shard)?.head ?? 0
  }

  /** What a command would do; nothing of it happens. */
  async preview(command: object): Promise<CommandPreview> {
    const response = await this.#post('/operator/preview', command)
    if (!response.ok) throw await refused(response)
    return (await response.json()) as CommandPreview
  }

  /** The sequence of its commit. @throws Error with the venue's sentence where it is refused. */
  async command(command: object): Promise<number> {
    const response = await this.#post('/operator/commands', command)
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

  #post(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' }
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  #ask(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${this.#token}` }
    const url = new URL(venueAt() + path)
    if (this.#shard !== null && !OF_ALL_SHARDS.has(path)) url.searchParams.set('shard', String(this.#shard))
    return fetch(url, { ...init, headers })
  }
}

async function refused(response: Response): Promise<ApiError> {
  return refusalOf(response, await response.text(), new URL(response.url).pathname)
}
