/** What operators ask of a cluster as one: commands go where they belong, and health tells of every shard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Registry } from 'prom-client'
import type { ClusterNode } from '../../cluster/node.ts'
import { shardOf } from '../../cluster/shardOf.ts'
import type { PlatformCommand } from '../../events/command.ts'
import { formatInstant } from '../../projections/wire.ts'
import { isReading, mayActAs } from '../access.ts'
import { Authentication } from '../authentication.ts'
import type { VenueConfiguration } from '../configuration.ts'
import { JSON_TYPE } from '../context.ts'
import { shardUnavailable, wrongTokensRejection } from '../errorAnswer.ts'
import { toJson } from '../json.ts'
import { BODY_LIMIT } from '../marginTradingApi.ts'
import { type Operator, operatorsOf } from '../operators.ts'
import { COMMAND_ROLES, platformCommands } from '../platformCommand.ts'
import { COMMANDS_BODY_LIMIT } from '../routes/operator.ts'
import { parseStrictJson } from '../strictJson.ts'
import { WrongTokens } from '../wrongTokens.ts'
import { clusterPreview, type ShardPreview } from './clusterPreview.ts'
import { CLIENT_HEADER, type Sent } from './forward.ts'
import { bodyOf, targetOf, tell } from './passing.ts'
import type { ShardHost } from './shardHost.ts'

/** `client`: the connection that it came on. */
type Ask = (
  shard: number,
  sent: Sent,
  client: Duplex,
) => Promise<{ readonly status: number; readonly body: string } | null>

/** How a shard stands, as its owner says. */
export interface ShardStanding {
  readonly shard: number
  readonly epoch: number
  readonly head: number
  readonly durableHead: number
  readonly at: number
}

/** What the front asks of the rest of its node. */
export interface OperatorFrontPorts {
  readonly ask: Ask
  /** How the shards of another node stand; none where it does not say so soon. */
  readonly standingsAt: (address: string) => Promise<readonly ShardStanding[]>
  readonly metrics: Registry
}

interface Told {
  readonly status: number
  readonly body: string
  readonly type?: string
}

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
/** Asked without a shard, they tell of all. */
const OF_ALL_SHARDS: ReadonlySet<string> = new Set(['/operator/health', '/operator/metrics'])
/** Said by a shard that a command is not about. */
const NOT_HERE = /_not_found$/

export class OperatorFront {
  /** Whether they have no address of their own. */
  readonly areAtMain: boolean
  readonly #node: ClusterNode<ShardHost>
  /** How many there are. */
  readonly #shards: number
  readonly #authentication: Authentication
  readonly #ask: Ask
  readonly #standingsAt: OperatorFrontPorts['standingsAt']
  readonly #metrics: Registry
  /** A shard counts those that reach it; here a good one would be known by its answer, however many were tried (K10). */
  readonly #wrongTokens = new WrongTokens()
  /** Of accounts that were found; they never move. */
  readonly #shardOfAccount: Map<string, number>

  constructor(
    node: ClusterNode<ShardHost>,
    configuration: VenueConfiguration,
    shards: number,
    { ask, standingsAt, metrics }: OperatorFrontPorts,
  ) {
    const { operatorToken, operatorTokens, operatorListen } = configuration
    this.areAtMain = operatorListen === null
    const nobody = { apiKeyWithHash: () => undefined }
    this.#node = node
    this.#shards = shards
    this.#shardOfAccount = new Map(
      configuration.accounts.map(({ id, userId }) => [id, shardOf(userId, shards)]),
    )
    this.#authentication = new Authentication(nobody, [], operatorsOf(operatorToken, operatorTokens))
    this.#ask = ask
    this.#standingsAt = standingsAt
    this.#metrics = metrics
  }

  /** Whether it has answered. Whoever is no operator is refused by a shard, in its own words. */
  async answers(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { path, query } = targetOf(request)
    const client = String(request.headers[CLIENT_HEADER])
    const answer =
      request.method === 'POST' && path === '/operator/commands'
        ? (by: Operator) => this.#commands(request, by)
        : request.method === 'POST' && query === null && path === '/operator/preview'
          ? () => this.#preview(request)
          : isReading(request.method) && query === null && OF_ALL_SHARDS.has(path)
            ? () => (path === '/operator/health' ? this.#health() : this.#metricsText())
            : null
    if (answer === null) return false
    const wait = this.#wrongTokens.wait(client)
    if (wait > 0) {
      const { status, headers, body } = wrongTokensRejection(
        isReading(request.method) ? 'read' : 'write',
        Date.now(),
        wait,
      )
      tell(response, status, body, headers)
      return true
    }
    const credential = this.#authentication.operator(request.headers.authorization)
    if (credential.operator === null) {
      if (credential.presented) this.#wrongTokens.add(client)
      return false
    }
    const { status, body, type = JSON_TYPE } = await answer(credential.operator)
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
    response.end(body)
    return true
  }

  /** Bytes of a body that is read before it is known who sends it, or for an operator. */
  mostOf({ headers }: IncomingMessage): number {
    return this.#authentication.operator(headers.authorization).operator === null
      ? BODY_LIMIT
      : COMMANDS_BODY_LIMIT
  }

  async #commands(request: IncomingMessage, { role }: Operator): Promise<Told> {
    const body = await bodyOf(request, COMMANDS_BODY_LIMIT)
    const sent = sentWith('/operator/commands', request, body)
    const wanted = commandsIn(body)
    // A shard says what is wrong with it: of what is malformed, or beyond a role in one command, nothing happens (K10).
    if (wanted === null || !wanted.every(({ command }) => mayActAs(role, COMMAND_ROLES[command.type])))
      return (await this.#ask(0, sent, request.socket)) ?? { status: 503, body: '{}' }
    const results: CommandResult[] = []
    for (const { command, json } of wanted) {
      const one = { ...sent, body: Buffer.from(JSON.stringify(json)) }
      const answer = await this.#carryOut(command, one, request.socket)
      if ('status' in answer) return answer
      results.push(answer)
    }
    return { status: 200, body: JSON.stringify({ results }) }
  }

  /** The answer instead where a shard refuses the whole request: the role of whoever asks, say. */
  async #carryOut(
    command: PlatformCommand,
    sent: Sent,
    client: Duplex,
  ): Promise<CommandResult | { status: number; body: string }> {
    const shards: Reached[] = []
    let refusal: { error: string; message: string } | null = null
    for (const shard of this.#targets(command)) {
      const answer = await this.#ask(shard, sent, client)
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

  /** What comes of it on every shard that it would be carried out on. */
  async #preview(request: IncomingMessage): Promise<Told> {
    const body = await bodyOf(request, BODY_LIMIT)
    const sent = sentWith('/operator/preview', request, body)
    const [wanted] = commandsIn(body) ?? []
    // A shard says what is wrong with what is no command, or more than one.
    if (wanted === undefined) return (await this.#ask(0, sent, request.socket)) ?? UNAVAILABLE
    const { command } = wanted
    const previews: ShardPreview[] = []
    for (const shard of this.#targets(command)) {
      const answer = (await this.#ask(shard, sent, request.socket)) ?? UNAVAILABLE
      if (answer.status !== 200) return answer
      const told: ShardPreview['told'] = JSON.parse(answer.body)
      previews.push({ shard, told })
      const isElsewhere = told.result === 'refused' && NOT_HERE.test(told.error ?? '')
      if (!EVERYWHERE.has(command.type) && !isElsewhere)
        return { status: 200, body: JSON.stringify(clusterPreview([{ shard, told }])) }
    }
    return { status: 200, body: JSON.stringify(clusterPreview(previews)) }
  }

  /** Not as the node has seen them in the database: one that has just begun has seen none. */
  #targets(command: PlatformCommand): Iterable<number> {
    const shards = this.#shards
    if ('userId' in command && typeof command.userId === 'string') return [shardOf(command.userId, shards)]
    if (command.type === 'openAccount') return [shardOf(command.account.userId, shards)]
    const known =
      'accountId' in command && command.accountId != null
        ? this.#shardOfAccount.get(command.accountId)
        : undefined
    return known === undefined ? Array.from({ length: shards }, (_, shard) => shard) : [known]
  }

  /** What is elsewhere its owner tells; where that does not answer, it is what the database was last heard to say. */
  async #health(): Promise<Told> {
    // One that has just begun has heard nothing yet.
    if (this.#node.view.shards.length === 0) await this.#node.look()
    const { view, leaseLeft, name } = this.#node
    const elsewhere = view.nodes.filter((node) => node.name !== name)
    const told = await Promise.all(elsewhere.map(({ address }) => this.#standingsAt(address)))
    const standings = new Map(
      [...told.flat(), ...this.standings()].map((standing) => [standing.shard, standing]),
    )
    const names = new Map(view.nodes.map(({ life, name }) => [life, name]))
    const shards = view.shards.map(({ shard, owner, epoch, head, trouble }) => {
      const standing = standings.get(shard) ?? { shard, epoch, head, durableHead: head, at: null }
      const told = { ...standing, owner: owner === null ? null : (names.get(owner) ?? null) }
      return trouble === undefined
        ? told
        : { ...told, trouble: { ...trouble, since: formatInstant(trouble.since) } }
    })
    const reason = whyNotReady(this.#node)
    const body = toJson({ status: leaseLeft > 0 ? 'ok' : 'failed', reason, node: name, shards })
    return { status: leaseLeft > 0 ? 200 : 503, body }
  }

  /** Of the shards that this node has. */
  standings(): ShardStanding[] {
    return Array.from(this.#node.open, ([shard, { epoch, engine }]) => {
      const { head, durableHead, now: at } = engine
      return { shard, epoch, head, durableHead, at }
    })
  }

  async #metricsText(): Promise<Told> {
    return { status: 200, body: await this.#metrics.metrics(), type: this.#metrics.contentType }
  }
}

/** Why a node is not ready, for people. */
export const LEASE_OVER = 'The lease of this node has run out: the database does not answer.'
export const LEAVING = 'This node hands over what it has.'
export const NAME_TAKEN = 'Another node has the name of this one, which joins once that one has left.'

/** Null: it is ready. */
export function whyNotReady({
  leaseLeft,
  isLeaving,
  isNameTaken,
}: Pick<ClusterNode<ShardHost>, 'leaseLeft' | 'isLeaving' | 'isNameTaken'>): string | null {
  if (leaseLeft > 0) return isLeaving ? LEAVING : null
  return isNameTaken ? NAME_TAKEN : LEASE_OVER
}

const UNREACHED = {
  ok: false,
  error: 'shard_unavailable',
  message: 'The shard could not be reached, or its answer was lost: to repeat the command is safe.',
}

const { status, body } = shardUnavailable(1_000)
const UNAVAILABLE: Told = { status, body: JSON.stringify(body) }

/** A request with another body than it came with, and so of another length. */
function sentWith(url: string, request: IncomingMessage, body: Buffer): Sent {
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = request.headers
  return { method: 'POST', url, headers, body }
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
