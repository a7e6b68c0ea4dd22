// Whoever follows the log from a sequence on gets that commit, the next and so on: none is left out and none comes twice,
// however commits gather, are held up or come in columns, and however slowly they read.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Commit, createEngine, type Engine, openEngine, type TickColumns } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { HeldStore } from '../host/slowStore.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../unit/venue.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Gathers plain ticks until the turn is over. */
class GatheringStore extends HeldStore {
  readonly gather = (write: () => void) => {
    const waiting = setImmediate(write)
    return () => clearImmediate(waiting)
  }
}

interface Venue {
  readonly engine: Engine
  /** What is written waits from now on, or does not any more. */
  hold(held: boolean): void
  dispose(): Promise<void>
}

const VENUES: Readonly<Record<string, () => Promise<Venue>>> = {
  'in memory': async () => ({
    engine: createEngine(configuration),
    hold: () => {},
    dispose: async () => {},
  }),
  'on a store that is slow and gathers': async () => {
    const store = new GatheringStore()
    return {
      engine: await openEngine({ store, ...configuration }),
      hold: (held) => {
        if (held) store.held = true
        else store.release()
      },
      dispose: async () => {},
    }
  },
  'on a directory': async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'following-'))
    return {
      engine: await openEngine({ store: await openLmdbStore(directory), ...configuration }),
      hold: () => {},
      dispose: () => rm(directory, { recursive: true }),
    }
  },
}

/** Whoever follows and says when they want the next. */
class Reader {
  readonly from: number
  readonly got: Commit[] = []
  readonly #engine: Engine
  readonly #commits: AsyncIterator<Commit, undefined>
  readonly #abort = new AbortController()
  #asked: Promise<void> = Promise.resolve()
  over = false

  constructor(engine: Engine, from: number) {
    this.from = from
    this.#engine = engine
    this.#commits = engine.follow({ from, signal: this.#abort.signal })
  }

  /** Asks for so many more, and does not wait for them. */
  ask(count: number): void {
    for (let asked = 0; asked < count; asked++) this.#asked = this.#asked.then(() => this.#taken())
    // It is awaited later.
    this.#asked.catch(() => {})
  }

  /** One that is not what it should be ends it, and is told by {@link idle}. */
  async #taken(): Promise<void> {
    try {
      await this.#take()
    } catch (error) {
      this.over = true
      throw error
    }
  }

  async #take(): Promise<void> {
    if (this.over) return
    const { done, value } = await this.#commits.next()
    if (done === true) {
      this.over = true
      return
    }
    if (value.seq !== this.from + this.got.length || value.seq > this.#engine.durableHead)
      throw new Error(
        `${value.seq} after ${this.got.length} from ${this.from}, ${this.#engine.durableHead} durable`,
      )
    if (![value, value.events, value.events[0]].every(Object.isFrozen)) throw new Error('not frozen')
    this.got.push(value)
  }

  /** Everything up to a commit, and then the next. */
  async beyond(seq: number): Promise<void> {
    this.ask(Math.max(seq + 2 - this.from - this.got.length, 1))
    while (this.from + this.got.length <= seq && !this.over) await turn()
  }

  async leave(how: 'return' | 'abort'): Promise<void> {
    if (how === 'abort') this.#abort.abort()
    else await this.#commits.return?.()
    this.ask(1)
    await this.#asked
    expect(this.over).toBe(true)
  }

  /** Resolves once the last that was asked for has come. */
  get idle(): Promise<void> {
    return this.#asked
  }
}

const anAction = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('ticks' as const), count: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('columns' as const), count: fc.integer({ min: 1, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'columns' as const, count: 6_000 }) },
  { weight: 2, arbitrary: fc.constant({ type: 'deposit' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hold' as const), held: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('follow' as const),
      count: fc.nat(50),
      from: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1.02)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      reader: fc.nat(9),
      count: fc.integer({ min: 1, max: 400 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('leave' as const),
      reader: fc.nat(9),
      how: fc.constantFrom('return' as const, 'abort' as const),
    }),
  },
)

/** Prices that nothing waits for. */
function columnsOf(engine: Engine, count: number): TickColumns {
  return {
    at: new Float64Array(count).fill(engine.now),
    indexPrice: BigInt64Array.from({ length: count }, (_, index) => 100_000_000_000n + BigInt(index)),
    market: new Uint16Array(count),
    marketIds: [MARKET],
  }
}

const textOf = (commit: Commit) =>
  JSON.stringify(commit, (_, value) => (typeof value === 'bigint' ? String(value) : value))

let [followed, ended, behind] = [0, 0, 0]

test.each(Object.entries(VENUES))('every commit from there on, once each: %s', async (name, opened) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anAction, fc.boolean()), { minLength: 10, maxLength: 30 }),
      async (actions) => {
        const { engine, hold, dispose } = await opened()
        await engine.whenDurable()
        const readers = [new Reader(engine, 1)]
        readers[0]?.ask(100)
        for (const [action, pausing] of actions) {
          if (pausing) await turn()
          switch (action.type) {
            case 'ticks':
              for (let tick = 0; tick < action.count; tick++)
                engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: 100n + BigInt(tick) })
              break
            case 'columns':
              engine.dispatchTicks(columnsOf(engine, action.count))
              break
            case 'deposit':
              engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })
              break
            case 'hold':
              hold(action.held)
              break
            case 'follow':
              readers.push(new Reader(engine, 1 + Math.floor(action.from * engine.head)))
              readers.at(-1)?.ask(action.count)
              break
            case 'ask':
              readers[action.reader % readers.length]?.ask(action.count)
              break
            case 'leave': {
              const reader = readers[action.reader % readers.length]
              void reader?.leave(action.how)
            }
          }
        }
        hold(false)
        await engine.whenDurable()
        const { head } = engine
        for (const reader of readers) {
          if (head - reader.from - reader.got.length > 5_000) behind += 1
          await reader.beyond(head)
        }
        await turn()
        const log = await logOf(engine)
        await engine.close()
        for (const reader of readers) {
          await reader.idle
          expect(reader.over).toBe(true)
          const { from, got } = reader
          const sample = got.filter(({ seq, command }) => seq % 16 === 0 || command.type !== 'updatePrice')
          expect(
            sample.find((commit) => textOf(commit) !== textOf(log[commit.seq - 1] as Commit)),
          ).toBeUndefined()
          followed += got.length
          if (from + got.length > head) ended += 1
        }
        await dispose()
      },
    ),
    runs(name === 'on a directory' ? 5 : 20),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(followed).toBeGreaterThan(100_000)
  expect(ended).toBeGreaterThan(100)
  expect(behind).toBeGreaterThan(10)
})
