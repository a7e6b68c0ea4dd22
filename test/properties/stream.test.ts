// A copy that is folded from a stream is what a read gives at the same commit, whatever is commanded, however often the
// connection is lost and the venue is killed; and on the way every change of an order and a position was told once.

import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { SentEvent } from '../../src/client/sentEvent.ts'
import { eventsOf } from '../../src/client/serverSentEvents.ts'
import { socketEvents } from '../../src/client/socketEvents.ts'
import type { OpenStream } from '../../src/client/venueStream.ts'
import { manualClock, marginTradingApi, type StreamMessage, VenueStream } from '../../src/host/index.ts'
import { toJson } from '../../src/host/json.ts'
import { createEngine, type Engine, MemoryStore, openEngine } from '../../src/index.ts'
import { wireOrder, wirePosition } from '../../src/projections/wire.ts'
import { aProgram, type DriveOptions, drive, venue } from '../../src/testing/index.ts'
import { happened, told } from '../toldByStreams.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

type Input = Parameters<NonNullable<DriveOptions['trace']>>[0]

const USERS = ['user-alice', 'user-bob', 'user-carol']
const BTC = '00000000-0000-4000-8000-00000000000a'

/** A venue that can be killed: its log stays. */
class Killable {
  readonly #store = new MemoryStore()
  engine!: Engine
  #app!: FastifyInstance
  url = ''

  async start(): Promise<void> {
    this.engine = await openEngine({ ...venue(), store: this.#store })
    const sessions = USERS.map((userId) => ({ userId, token: `session-${userId}` }))
    this.#app = Fastify({ forceCloseConnections: true })
    await this.#app.register(marginTradingApi, {
      engine: this.engine,
      clock: manualClock(this.engine),
      sessions,
    })
    this.url = await this.#app.listen({ port: 0, host: '127.0.0.1' })
  }

  async kill(): Promise<void> {
    this.#app.server.closeAllConnections()
    await this.#app.close()
    await this.engine.close()
  }

  cut(): void {
    this.#app.server.closeAllConnections()
  }
}

type Carrier = 'sse' | 'websocket'

async function* sseOf(url: string, token: string, from: number | undefined, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/stream${from === undefined ? '' : `?from=${from}`}`, {
    headers,
    signal,
  })
  if (!response.ok) throw new Error(await response.text())
  yield* eventsOf(response)
}

/** What of a connection comes until it is cut after `count` messages, or otherwise; `onLost` is told of which commits it will come again. */
async function* cutAfter(
  count: number,
  events: AsyncIterable<SentEvent>,
  onLost: (commits: ReadonlySet<number>) => void,
): AsyncGenerator<SentEvent, void> {
  let left = count
  const open = new Set<number>()
  try {
    for await (const event of events) {
      if (left-- === 0) return
      const { type, seq } = event.message as StreamMessage
      if (event.id !== null) open.clear()
      else if (type !== 'end') open.add(seq)
      yield event
    }
  } finally {
    onLost(open)
  }
}

/** A user who listens to everything of theirs. */
class Hearer {
  readonly stream: VenueStream
  readonly heard: StreamMessage[] = []
  /** Orders and positions of the copy, by the commit they are as of. */
  readonly copies = new Map<number, string>()
  /** Of how many commits messages came again, by lost connection. */
  readonly again: number[] = []
  readonly #leaving = new AbortController()
  readonly #done: Promise<void>
  #onHeard = () => {}

  /** `cuts`: after how many messages its first connections are cut. */
  constructor(host: Killable, userId: string, carrier: Carrier, cuts: number[]) {
    // The host listens elsewhere after each start.
    const open: OpenStream = (opening, signal) => {
      const token = `session-${userId}`
      const events =
        carrier === 'websocket'
          ? socketEvents(
              WebSocket,
              `${host.url.replace(/^http/, 'ws')}/stream`,
              { token, ...opening },
              signal,
            )
          : sseOf(host.url, token, opening.from, signal)
      return cutAfter(cuts.shift() ?? Number.POSITIVE_INFINITY, events, ({ size }) => this.again.push(size))
    }
    this.stream = new VenueStream(open, { signal: this.#leaving.signal })
    this.#done = this.#hear()
  }

  async #hear(): Promise<void> {
    for await (const message of this.stream) {
      this.heard.push(message)
      this.copies.set(
        this.stream.seq as number,
        openOf(this.stream.orders.values(), this.stream.positions.values()),
      )
      this.#onHeard()
    }
  }

  async upTo(seq: number): Promise<void> {
    while ((this.stream.seq ?? 0) < seq)
      await new Promise<void>((resolve) => {
        this.#onHeard = resolve
      })
  }

  async leave(): Promise<void> {
    this.#leaving.abort()
    await this.#done
  }
}

function isWhatReadsGive(engine: Engine, userId: string, { stream }: Hearer): void {
  const { read } = engine
  const accounts = read.accounts(userId)
  expect(openOf(stream.orders.values(), stream.positions.values())).toEqual(readOf(engine, userId))
  for (const account of accounts) {
    const told = stream.accounts.get(account.accountId)
    const wanted = JSON.parse(toJson({ ...account, ...switches(read.accountStanding(account.accountId)) }))
    expect(settled(told)).toEqual(settled(wanted))
  }
  const markets = read.markets().map((market) => JSON.parse(toJson(market)))
  expect(markets.map(unpriced)).toEqual([...stream.markets.values()].map(unpriced))
}

/** Resting orders and open positions, as a text. */
const openOf = (orders: Iterable<Resting>, positions: Iterable<{ idx: string | null }>) =>
  JSON.stringify({ orders: byId([...orders].map(resting)), positions: byId([...positions]) })
type Resting = { id: string; type: string }

function readOf({ read }: Engine, userId: string): string {
  const accounts = read.accounts(userId)
  const orders = accounts.flatMap(({ accountId }) => read.activeOrders(accountId)).map(wireOrder)
  const positions = accounts.flatMap(({ accountId }) => read.activePositions(accountId)).map(wirePosition)
  return openOf(orders, positions)
}

const switches = (standing?: { locked: boolean; loaded: boolean }) => ({
  locked: standing?.locked,
  loaded: standing?.loaded,
})
const byId = <T extends { id?: string | null; idx?: string | null }>(records: readonly T[]) =>
  records.toSorted((a, b) => String(a.id ?? a.idx).localeCompare(String(b.id ?? b.idx)))
/** The level of a trailing stop moves with the market. */
const resting = <T extends { type: string }>(order: T) =>
  order.type === 'trailing_stop' ? { ...order, triggerPrice: null, limitPrice: null } : order
/** What moves with every price is told on its own. */
const settled = (account: unknown) => {
  const { riskStatus, ...rest } = account as { riskStatus: object }
  return { ...rest, riskStatus: { ...riskStatus, ...MOVING } }
}
const MOVING = { currentEquity: null, dailyLossRemaining: null, totalLossRemaining: null }
const unpriced = (market: unknown) => {
  const { state, ...rest } = market as { state: { fundingRate: string } }
  return { ...rest, fundingRate: state.fundingRate }
}

let [changes, resumed, snapshots, compared, cutInside] = [0, 0, 0, 0, 0]

test('a copy folded from the stream is what a read gives', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(150, 250), fc.nat({ max: 1_000 }), async (program, dice) => {
      const inputs: Input[] = []
      const rehearsal = createEngine(venue())
      drive(rehearsal, await logOf(rehearsal), program, { trace: (input) => inputs.push(input) })
      const host = new Killable()
      await host.start()
      const carriers = USERS.map((_, at): Carrier => ((dice + at) % 2 === 0 ? 'websocket' : 'sse'))
      const cuts = (at: number) => [0, 1, 2, 3].map((each) => 3 + ((dice * (at + 1) * (each + 7)) % 41))
      const hearers = USERS.map((userId, at) => new Hearer(host, userId, carriers[at] as Carrier, cuts(at)))
      const reads = USERS.map(() => new Map<number, string>())
      const began = host.engine.head
      await Promise.all(hearers.map((hearer) => hearer.upTo(began)))
      const size = Math.ceil(inputs.length / 4)
      for (let from = 0; from < inputs.length; from += size) {
        const way = (dice + from / size) % 3
        if (way === 1) host.cut()
        const killed = way === 2 ? host.kill() : null
        if (killed !== null) {
          await killed
          await host.start()
        }
        for (const { command, at, caller } of inputs.slice(from, from + size)) {
          host.engine.dispatch(command, { at, ...(caller && { caller }) })
          for (const [user, read] of reads.entries())
            read.set(host.engine.head, readOf(host.engine, USERS[user] as string))
        }
        // Everybody is told of a market, so everybody knows when they have heard all.
        const rate = { fundingRate: BigInt(from), fundingRateShort: null }
        host.engine.dispatch({ type: 'setFundingRate', marketId: BTC, ...rate })
        await Promise.all(hearers.map((hearer) => hearer.upTo(host.engine.head)))
        for (const [at, hearer] of hearers.entries())
          isWhatReadsGive(host.engine, USERS[at] as string, hearer)
      }
      for (const [at, hearer] of hearers.entries()) {
        await hearer.leave()
        const first = hearer.heard.findLastIndex(({ type }) => type === 'snapshot')
        const since = hearer.heard[first]?.seq as number
        const accounts = host.engine.read.accounts(USERS[at]).map(({ accountId }) => accountId)
        const wanted = happened(await logOf(host.engine), new Set(accounts), since)
        expect(told(hearer.heard.slice(first))).toEqual(wanted)
        for (const [seq, copy] of hearer.copies) {
          const read = reads[at]?.get(seq)
          if (read === undefined) continue
          expect(copy).toBe(read)
          compared += 1
        }
        // Whoever prints what comes sees nothing twice but of the commit in which they were cut off.
        expect(Math.max(0, ...hearer.again)).toBeLessThanOrEqual(1)
        cutInside += hearer.again.filter((commits) => commits === 1).length
        changes += wanted.length
        snapshots += hearer.heard.filter(({ type }) => type === 'snapshot').length
        resumed += 1
      }
      await host.kill()
    }),
    runs(4),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(changes).toBeGreaterThan(300)
  expect(snapshots).toBeLessThan(3 * resumed)
  expect(compared).toBeGreaterThan(200)
  expect(cutInside).toBeGreaterThan(5)
})
