// Clients of a cluster who only listen, each to the account of one trader, half of them over a WebSocket. Whichever node they hear
// goes, they go on at another.
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type { SentEvent } from '../../src/client/sentEvent.ts'
import { eventsOf } from '../../src/client/serverSentEvents.ts'
import { socketEvents } from '../../src/client/socketEvents.ts'
import { type OpenStream, VenueStream } from '../../src/client/venueStream.ts'
import type { StreamMessage } from '../../src/host/index.ts'
import { happened, told } from '../toldByStreams.ts'
import type { Group } from './promises.ts'
import { MARKET, OPERATOR, type RealCluster, type Trader } from './realCluster.ts'

/** What everybody is told of last. */
const LAST_RATE = '777'
/** Messages after which a connection ends, mostly, so that there is something to be told of again. */
const MOST_MESSAGES = 150
/** Of a node that takes connections and says nothing, ms. */
const SILENCE_MS = 5_000

interface Hearer {
  readonly trader: Trader
  readonly stream: VenueStream
  readonly heard: StreamMessage[]
  readonly leaving: AbortController
  readonly done: Promise<void>
}

export class ClusterHearers {
  readonly #cluster: RealCluster
  readonly #hearers: readonly Hearer[]
  /** How often a stream was opened. */
  opened = 0

  constructor(cluster: RealCluster) {
    this.#cluster = cluster
    this.#hearers = cluster.traders.map((trader, at) => this.#hearer(trader, at % 2 === 0))
  }

  #hearer(trader: Trader, isSocket: boolean): Hearer {
    const token = trader.key
    const leaving = new AbortController()
    const open: OpenStream = (opening, signal) => {
      this.opened += 1
      const nodes = [...this.#cluster.nodes.values()]
      const url = nodes[Math.floor(Math.random() * nodes.length)]?.url ?? 'http://127.0.0.1:9'
      const events = isSocket
        ? socketEvents(WebSocket, `${url.replace('http', 'ws')}/stream`, { token, ...opening }, signal)
        : sentBy(`${url}/stream`, token, opening.from, signal)
      return someOf(events, 1 + Math.floor(Math.random() * MOST_MESSAGES))
    }
    const stream = new VenueStream(open, { signal: leaving.signal, silenceMs: SILENCE_MS })
    const heard: StreamMessage[] = []
    const hear = async () => {
      for await (const message of stream) heard.push(message)
    }
    return { trader, stream, heard, leaving, done: hear() }
  }

  /** Ends at once. */
  stop(): void {
    for (const { leaving } of this.#hearers) leaving.abort()
  }

  /** Ends them once they have heard everything, and holds what they have of orders and positions against reads. */
  async end(): Promise<void> {
    const rate = {
      type: 'setFundingRate',
      marketId: MARKET.id,
      fundingRate: LAST_RATE,
      fundingRateShort: null,
    }
    // A shard that changes hands just then says so in its result.
    for (let isDone = false; !isDone; ) {
      const { results } = (await this.#asked('POST', '/operator/commands', OPERATOR, rate)) as Told
      isDone = results.every(({ ok }) => ok)
    }
    for (const { trader, stream } of this.#hearers) {
      const { accountId, key } = trader
      const told = () => stream.markets.get(MARKET.id)?.state.fundingRate
      await expect.poll(told, { timeout: 60_000, interval: 20 }).toBe(LAST_RATE)
      const read = (of: string) => this.#asked('GET', `/${of}/${accountId}/active`, key) as Promise<Entry[]>
      expect(inOrder(stream.orders.values())).toEqual(inOrder(await read('orders')))
      expect(inOrder(stream.positions.values())).toEqual(inOrder(await read('positions')))
    }
    this.stop()
    await Promise.all(this.#hearers.map(({ done }) => done))
  }

  /** That each was told of every change of orders and positions once and in order, whoever had the shard by then. */
  check(logs: readonly (readonly Group[])[]): void {
    for (const { trader, heard } of this.#hearers) {
      const first = heard.findLastIndex(({ type }) => type === 'snapshot')
      const commits = (logs[trader.shard] as readonly Group[]).flatMap((group) => group.commits)
      const wanted = happened(commits, new Set([trader.accountId]), heard[first]?.seq as number)
      expect(told(heard.slice(first))).toEqual(wanted)
      expect(wanted.length).toBeGreaterThan(0)
      // However often they went on elsewhere, they began once.
      expect(first).toBe(0)
    }
  }

  /** Until some node answers it. */
  async #asked(method: string, at: string, token: string, body?: object): Promise<unknown> {
    for (;;) {
      const node = [...this.#cluster.nodes.values()][0]
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${node?.url}${at}`, init).catch(() => null)
      if (answer?.ok) return answer.json()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** At least so many, up to a point that one can go on from: who left before it each time would never come further. */
async function* someOf(events: AsyncIterable<SentEvent>, most: number): AsyncGenerator<SentEvent, void> {
  let left = most
  for await (const event of events) {
    yield event
    left -= 1
    if (left <= 0 && event.id !== null) return
  }
}

async function* sentBy(url: string, token: string, from: number | undefined, signal: AbortSignal) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(from !== undefined && { 'last-event-id': String(from) }),
  }
  const response = await fetch(url, { headers, signal })
  if (!response.ok) throw new Error(await response.text())
  yield* eventsOf(response)
}

interface Told {
  readonly results: readonly { readonly ok: boolean }[]
}

interface Entry {
  readonly id?: string | null
  readonly idx?: string | null
}

const inOrder = (entries: Iterable<Entry>) =>
  [...entries].sort((a, b) => String(a.id ?? a.idx).localeCompare(String(b.id ?? b.idx)))
