/** The log as it grows, for operators: what all of them read is written once. */

import type { Engine } from '../../engine/engine.ts'
import type { Commit } from '../../events/commit.ts'
import type { EndReason } from '../../resources/stream.ts'
import { CommitsArchived } from '../../store/store.ts'
import { toJson } from '../json.ts'
import { Strides } from '../longAnswer.ts'
import { CommitSender } from './commitSender.ts'
import type { StreamConnection } from './listener.ts'
import { Message } from './message.ts'

const PING_MS = 15_000
/** Events written in one turn of the loop. */
const EVENTS_A_TURN = 256

/** Which commits are told: those that all of it holds for. */
export interface CommitFilter {
  /** Of the command, or of one of the events. */
  readonly type: string | undefined
  readonly accountId: string | undefined
  readonly marketId: string | undefined
  /** Whether prices that set nothing off are left out. */
  readonly withoutQuietPrices: boolean
}

export class CommitStream {
  readonly #engine: Engine
  readonly #messages = new WeakMap<Commit, Promise<Message>>()
  readonly #open = new Set<AbortController>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Tells `client` the commits after `after` that pass the filter, and goes on with what comes. */
  tell(outlet: StreamConnection, after: number, filter: CommitFilter, client: string): void {
    const leaving = new AbortController()
    outlet.onGone = () => leaving.abort()
    this.#open.add(leaving)
    const pinging = setInterval(() => outlet.send([this.#now('ping', 'null')], null), PING_MS).unref()
    this.#tell(outlet, after, filter, client, leaving.signal).then((reason) => {
      clearInterval(pinging)
      this.#open.delete(leaving)
      outlet.send([this.#now('end', JSON.stringify({ reason }))], null)
      outlet.end(reason)
    })
  }

  close(): void {
    for (const leaving of this.#open) leaving.abort()
  }

  async #tell(
    outlet: StreamConnection,
    after: number,
    filter: CommitFilter,
    client: string,
    signal: AbortSignal,
  ): Promise<EndReason> {
    const sender = new CommitSender(outlet, this.#engine, after)
    const strides = new Strides(client)
    try {
      for await (const commit of this.#engine.follow({ from: after + 1, signal })) {
        // What is there already comes without a pause, and may all be left out (K15).
        if (commit.seq < this.#engine.durableHead) await strides.step()
        const message = passes(commit, filter) ? await this.#messageOf(commit) : null
        if (!(await sender.send(commit.seq, message))) return 'slow_consumer'
      }
      return 'closing'
    } catch (error) {
      return error instanceof CommitsArchived ? 'archived' : 'engine_stopped'
    }
  }

  #messageOf(commit: Commit): Promise<Message> {
    let message = this.#messages.get(commit)
    if (message === undefined) {
      message = written(commit)
      this.#messages.set(commit, message)
    }
    return message
  }

  #now(type: 'ping' | 'end', data: string): Message {
    const { durableHead, now } = this.#engine
    return new Message({ type, seq: durableHead, at: now, data: () => data })
  }
}

/** A commit may hold everything that a tick set off: it is written in parts. */
async function written({ events, ...about }: Commit): Promise<Message> {
  const texts: string[] = []
  for (let from = 0; from < events.length; from += EVENTS_A_TURN) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve))
    for (const event of events.slice(from, from + EVENTS_A_TURN)) texts.push(toJson(event))
  }
  const data = `${toJson(about).slice(0, -1)},"events":[${texts}]}`
  return new Message({ type: 'commit', seq: about.seq, at: about.at, data: () => data })
}

function passes(
  { command, events }: Commit,
  { type, accountId, marketId, withoutQuietPrices }: CommitFilter,
): boolean {
  if (withoutQuietPrices && command.type === 'updatePrice' && events.length <= 1) return false
  const facts: readonly object[] = [command, ...events]
  const has = (field: string, value: string | undefined) =>
    value === undefined || facts.some((fact) => (fact as Record<string, unknown>)[field] === value)
  return has('type', type) && has('accountId', accountId) && has('marketId', marketId)
}
