// A feed of ticks as columns against the same ticks one by one, and against an engine that decides each of them: the same
// log, the same state, the same answers.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Commit,
  createEngine,
  type Engine,
  ONE,
  type TickColumns,
  type UpdatePrice,
} from '../../src/index.ts'
import { SimpleTriggers } from '../../src/testing/index.ts'
import { ALL_RUNS, runs } from './runs.ts'
import { MARKET_IDS, Scenario, type Turn, venue } from './triggersScenario.ts'

const choice = fc.nat({ max: 0xffff })
const turn = fc.tuple(choice, choice, choice, choice)

/** Some commands, then a stretch of feed. */
const blocks = fc.array(
  fc.record({
    turns: fc.array(turn, { maxLength: 60, size: 'max' }),
    ticks: fc.array(turn, { minLength: 1, maxLength: 300, size: 'max' }),
  }),
  { minLength: 3, maxLength: 12, size: 'max' },
)

const FUNDING_INTERVAL_MS = 28_800_000

const UNKNOWN = '00000000-0000-4000-8000-00000000dead'

/** Mostly small steps around the current price at times that mostly move on, some onto a due one; a few bad rows. */
function feedOf(engine: Engine, rows: readonly Turn[]): TickColumns {
  const marketIds = [...MARKET_IDS, UNKNOWN]
  const prices = MARKET_IDS.map((id) => engine.read.market(id)?.state.indexPrice ?? ONE)
  const ticks = {
    at: new Float64Array(rows.length),
    indexPrice: new BigInt64Array(rows.length),
    market: new Uint16Array(rows.length),
    marketIds,
  }
  let at = engine.now
  for (const [row, [what, a, b, c]] of rows.entries()) {
    const market = a % MARKET_IDS.length
    const price = prices[market] ?? ONE
    const step = (price * BigInt(c % 30)) / 10_000n
    prices[market] =
      b % 50 === 0 ? 1n + (price * BigInt(50 + (c % 100))) / 100n : price + (b % 2 ? step : -step)
    at += b % 97 === 0 ? 7_200_000 : c % 700
    if (b % 89 === 0) at = Math.ceil(at / FUNDING_INTERVAL_MS) * FUNDING_INTERVAL_MS
    ticks.market[row] = what % 200 === 0 ? marketIds.length - (what % 3) : market
    ticks.indexPrice[row] = what % 150 === 1 ? -price : (prices[market] ?? ONE)
    ticks.at[row] =
      what % 150 === 2 ? at - 1_000 : what % 150 === 3 ? at + 0.5 : what % 150 === 4 ? Number.NaN : at
  }
  return ticks
}

async function logOf(engine: Engine): Promise<Commit[]> {
  const log: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) log.push(commit)
  return log
}

describe('a feed of ticks', () => {
  test('is its ticks one by one', async () => {
    let quiet = 0
    await fc.assert(
      fc.asyncProperty(blocks, async (script) => {
        const feeding = new Scenario(venue())
        const single = venue()
        const deciding = venue({ triggers: (world) => new SimpleTriggers(world) })
        const unlogged = venue({ log: false })
        for (const { turns, ticks } of script) {
          for (const one of turns) {
            const { command, at } = feeding.command(one)
            for (const engine of [feeding.engine, single, deciding, unlogged])
              engine.dispatch(command, { at })
          }
          feeding.pause()
          const feed = feedOf(feeding.engine, ticks)
          const outcome = feeding.engine.dispatchTicks(feed)
          expect(unlogged.dispatchTicks(feed)).toEqual(outcome)
          const rejections = ticks.flatMap((_, tick) => {
            const marketId = feed.marketIds[feed.market[tick] ?? 0] as string
            const indexPrice = feed.indexPrice[tick] as bigint
            const command = { type: 'updatePrice', marketId, indexPrice } as const
            const options = { at: feed.at[tick] as number }
            const given = single.dispatch(command, options)
            expect(given).toEqual(deciding.dispatch(command, options))
            return given.ok ? [] : [{ tick, error: given.error }]
          })
          expect(outcome).toEqual({ accepted: ticks.length - rejections.length, rejections })
          expect(feeding.engine.stateHash()).toBe(single.stateHash())
          expect(unlogged.stateHash()).toBe(single.stateHash())
          expect(deciding.stateHash()).toBe(single.stateHash())
          await feeding.resume()
        }
        const log = await logOf(feeding.engine)
        quiet += log.filter(
          ({ command, events }) => command.type === 'updatePrice' && events.length === 1,
        ).length
        expect(log).toEqual(await logOf(single))
        expect(log).toEqual(await logOf(deciding))
        expect((await feeding.engine.asOf(feeding.engine.head)).stateHash()).toBe(single.stateHash())
      }),
      { ...runs(30), endOnFailure: true },
    )
    if (ALL_RUNS) expect(quiet).toBeGreaterThan(10_000)
  })

  test('given in part moves nothing that lies behind the part', () => {
    const [feeding, single] = [venue(), venue()]
    const feed = feedOf(
      feeding,
      Array.from({ length: 40 }, (_, n): Turn => [10, n, n + 1, n]),
    )
    for (const [from, to] of [
      [0, 1],
      [1, 17],
      [17, 40],
    ] as const) {
      expect(feeding.dispatchTicks(feed, from, to)).toEqual({ accepted: to - from, rejections: [] })
      for (let tick = from; tick < to; tick++) {
        const marketId = feed.marketIds[feed.market[tick] ?? 0] as string
        const indexPrice = feed.indexPrice[tick] as bigint
        single.dispatch({ type: 'updatePrice', marketId, indexPrice }, { at: feed.at[tick] as number })
      }
      expect(feeding.stateHash()).toBe(single.stateHash())
    }
  })

  test('is told tick by tick to whoever is subscribed', () => {
    const engine = venue()
    const told: Commit[] = []
    engine.subscribe((commit) => told.push(commit))
    const feed = feedOf(
      engine,
      Array.from({ length: 50 }, (_, n): Turn => [10, n, n + 1, n]),
    )
    expect(engine.dispatchTicks(feed).accepted).toBe(50)
    expect(told.filter(({ command }) => command.type === 'updatePrice')).toHaveLength(50)
  })

  test('refuses columns that do not belong together', () => {
    const engine = createEngine()
    const at = new Float64Array(2)
    const [indexPrice, market] = [new BigInt64Array(2), new Uint16Array(2)]
    const bad: TickColumns[] = [
      { at, indexPrice: new BigInt64Array(1), market, marketIds: ['a'] },
      { at, indexPrice, market: new Uint16Array(3), marketIds: ['a'] },
      { at, indexPrice, market, marketIds: ['a', 'a'] },
    ]
    for (const columns of bad) expect(() => engine.dispatchTicks(columns)).toThrow(RangeError)
    expect(() => engine.dispatchTicks({ at, indexPrice, market, marketIds: ['a'] }, 1, 3)).toThrow(RangeError)
  })

  test('holds no tick that is refused: what is quiet is checked all the same', () => {
    const engine = venue()
    const [marketId] = MARKET_IDS as [string]
    const indexPrice = engine.read.market(marketId)?.state.indexPrice ?? ONE
    const command = { type: 'updatePrice', marketId, indexPrice } as const
    expect(engine.dispatch(command).ok).toBe(true)
    const misspelt: UpdatePrice = { ...command, ...{ price: indexPrice } }
    expect(engine.dispatch(misspelt)).toMatchObject({ ok: false, error: { code: 'validation_failed' } })
    expect(engine.dispatch({ ...command, indexPrice: 0n })).toMatchObject({ ok: false })
    expect(engine.dispatch(command, { at: engine.now - 1 })).toMatchObject({ ok: false })
  })

  test('an engine without a log says so', async () => {
    const engine = createEngine({ log: false })
    await expect(engine.asOf(1)).rejects.toThrow('keeps no log')
  })
})
