/** What operators ask of a cluster as one: commands go where they belong, and health tells of every shard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClusterNode } from '../../cluster/node.ts'
import { shardOf } from '../../cluster/shardOf.ts'
import type { PlatformCommand } from '../../events/command.ts'
import { Authentication } from '../authentication.ts'
import type { VenueConfiguration } from '../configuration.ts'
import { JSON_TYPE } from '../context.ts'
import { toJson } from '../json.ts'
import { operatorsOf } from '../operators.ts'
import { platformCommands } from '../platformCommand.ts'
import { parseStrictJson } from '../strictJson.ts'
import type { Sent } from './forward.ts'
import type { ShardHost } from './shardHost.ts'

type Ask = (shard: number, sent: Sent) => Promise<{ readonly status: number; readonly body: string } | null>

interface Reached {
  readonly shard: number
  readonly seq: number
}

type CommandResult =
  | { readonly ok: true; readonly seq: number; readonly shards: readonly Reached[] }
  | {
      readonly ok: false
      readonly error: string
      readonly message: string
      readonly shards: readonly Reached[]
    }

/** What is about the venue as a whole; whatever else names one account, order or position. */
const EVERYWHERE: ReadonlySet<PlatformCommand['type']> = new Set([
  'updatePrice',
  'advanceTime',
  'configureMarket',
  'setMarketStatus',
  'setFundingRate',
  'weeklySessionRiskClose',
])
/** Said by a shard that a command is not about. */
const NOT_HERE = /_not_found$/

export class OperatorFront {
  readonly #node: ClusterNode<ShardHost>
  readonly #authentication: Authentication
  readonly #ask: Ask
  /** Of accounts that were found; they never move. */
  readonly #shardOfAccount: Map<string, number>

  constructor(node: ClusterNode<ShardHost>, configuration: VenueConfiguration, shards: number, ask: Ask) {
    const { operatorToken, operatorTokens } = configuration
    const nobody = { apiKeyWithHash: () => undefined }
    this.#node = node
    this.#shardOfAccount = new Map(
      configuration.accounts.map(({ id, userId }) => [id, shardOf(userId, shards)]),
    )
    this.#authentication = new Authentication(nobody, [], operatorsOf(operatorToken, operatorTokens))
    this.#ask = ask
  }

  /** Whether it has answered. Whoever is no operator is refused by a shard, in its own words. */
  async answers(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = request.url?.split('?')[0]
    const isCommands = request.method === 'POST' && path === '/operator/commands'
    if (!isCommands && !(request.method === 'GET' && request.url === '/operator/health')) return false
    if (this.#authentication.operator(request.headers.authorization).operator === null) return false
    const { status, body } = isCommands ? await this.#commands(request) : this.#health()
    response.writeHead(status, { 'content-type': JSON_TYPE })
    response.end(body)
    return true
  }

  async #commands(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    // Each command is sent by itself, and has another length.
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = request.headers
    const sent = { method: 'POST', url: '/operator/commands', headers, body }
    const wanted = commandsIn(body)
    // A shard says what is wrong with it; as it is malformed, nothing of it happens.
    if (wanted === null) return (await this.#ask(0, sent)) ?? { status: 503, body: '{}' }
    const results: CommandResult[] = []
    for (const { command, json } of wanted) {
      const one = { ...sent, body: Buffer.from(JSON.stringify(json)) }
      const answer = await this.#carryOut(command, one)
      if ('status' in answer) return answer
      results.push(answer)
    }
    return { status: 200, body: JSON.stringify({ results }) }
  }

  /** The answer instead where a shard refuses the whole request: the role of whoever asks, say. */
  async #carryOut(
    command: PlatformCommand,
    sent: Sent,
  ): Promise<CommandResult | { status: number; body: string }> {
    const shards: Reached[] = []
    let refusal: { error: string; message: string } | null = null
    for (const shard of this.#targets(command)) {
      const answer = await this.#ask(shard, sent)
      if (answer !== null && answer.status !== 200 && answer.status !== 503) return answer
      const result = answer?.status === 200 ? JSON.parse(answer.body).results[0] : UNREACHED
      if (result.ok) {
        shards.push({ shard, seq: result.seq })
        if ('accountId' in command && command.accountId != null)
          this.#shardOfAccount.set(command.accountId, shard)
        if (!EVERYWHERE.has(command.type)) return { ok: true, seq: result.seq, shards }
      } else {
        const { error, message } = result
        // The one that it is about has the say.
        if (refusal === null || NOT_HERE.test(refusal.error)) refusal = { error, message }
        // The first shard tells the ledger of quotas of a maximum: no other may hear of it before.
        if (command.type === 'configureMarket') break
      }
    }
    if (refusal !== null) return { ok: false, ...refusal, shards }
    return { ok: true, seq: shards[0]?.seq ?? 0, shards }
  }

  #targets(command: PlatformCommand): Iterable<number> {
    const shards = this.#node.view.shards.length
    if ('userId' in command && typeof command.userId === 'string') return [shardOf(command.userId, shards)]
    if (command.type === 'openAccount') return [shardOf(command.account.userId, shards)]
    const known =
      'accountId' in command && command.accountId != null
        ? this.#shardOfAccount.get(command.accountId)
        : undefined
    return known === undefined ? this.#node.view.shards.map(({ shard }) => shard) : [known]
  }

  #health(): { status: number; body: string } {
    const { view, leaseLeft, open, name } = this.#node
    const names = new Map(view.nodes.map(({ life, name }) => [life, name]))
    const shards = view.shards.map(({ shard, owner, epoch, head }) => {
      const here = open.get(shard)
      return {
        shard,
        owner: owner === null ? null : (names.get(owner) ?? null),
        epoch: here?.epoch ?? epoch,
        head: here?.engine.head ?? head,
        durableHead: here?.engine.durableHead ?? head,
        at: here?.engine.now ?? null,
      }
    })
    const serves = leaseLeft > 0
    const reason = serves ? null : 'The lease of this node has run out: the database does not answer.'
    const body = toJson({ status: serves ? 'ok' : 'failed', reason, node: name, shards })
    return { status: serves ? 200 : 503, body }
  }
}

const UNREACHED = {
  ok: false,
  error: 'shard_unavailable',
  message: 'The shard has no owner just now, or its answer was lost. To repeat the command is safe.',
}

/** Each command as it was read and as it was written; null where any is none. */
function commandsIn(body: Buffer): { command: PlatformCommand; json: unknown }[] | null {
  try {
    const json = parseStrictJson(body)
    const written = Array.isArray(json) ? json : [json]
    return platformCommands(json).map((command, at) => ({ command, json: written[at] }))
  } catch {
    return null
  }
}
