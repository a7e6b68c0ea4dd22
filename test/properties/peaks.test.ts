// The peaks of trailing stops are state: whatever is asked, and however often, they are those of a model that has one for each
// stop; and the triggers are an index over them that can be built again.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { builtWorld, recordsOf } from '../../src/domain/decider/venueState.ts'
import type { Order } from '../../src/domain/state/order.ts'
import type { Firing } from '../../src/domain/state/triggers.ts'
import type { World } from '../../src/domain/state/world.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { quietRangeOf } from '../../src/engine/internals.ts'
import { takeSnapshot } from '../../src/engine/snapshot.ts'
import type { Commit, Engine, TickColumns } from '../../src/index.ts'
import { Model } from '../../src/testing/index.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'
import { MARKET_IDS, Scenario, type Turn, venue } from './triggersScenario.ts'

const choice = fc.nat({ max: 0xffff })
const turn = fc.tuple(choice, choice, choice, choice)
const turns = fc.array(turn, { minLength: 200, maxLength: 500, size: 'max' })

const fresh = () => new Folded((world) => new LevelTriggers(world))
const peakOf = ({ peak }: Order) => peak?.price ?? null
const peaksOf = ({ orders }: World) =>
  new Map(Array.from(orders.values(), (order) => [order.id, peakOf(order)]))

/** Every other turn a trailing stop on what is open, some of which wait. */
const trailing = ([what, a, b, c]: Turn): Turn =>
  what % 2 === 0 ? [what, a, b, c] : [65, a, 6 * (a % 2) + 3 + (b % 3), c]

async function trailingLog(script: readonly Turn[]): Promise<Commit[]> {
  const scenario = new Scenario(venue())
  for (const one of script) {
    const { command, at } = scenario.command(trailing(one))
    scenario.engine.dispatch(command, { at })
  }
  return logOf(scenario.engine)
}

/** Every question there is, at prices around those that there are. */
function askEverything(folded: Folded, [what, a, b]: Turn): void {
  const { world, read } = folded
  for (const market of world.markets.values()) {
    const { indexPrice, evaluatedPrice } = market
    for (const price of [indexPrice + BigInt(a % 100), indexPrice - BigInt(b % 100), indexPrice * 2n, 1n])
      world.triggers.quietMove(market, price)
    world.triggers.quietRange(market)
    world.triggers.firing(market, evaluatedPrice)
    Array.from(world.triggers.accountsAtRisk(market, world.now))
  }
  for (const order of world.orders.values()) read.order(order.id)
  if (what % 10 === 0) folded.stateHash()
  if (what % 10 === 1) takeSnapshot(folded)
}

let [trailed, waited, shared, fired] = [0, 0, 0, 0]

test('after every commit they are those of the model, whatever has been asked meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (script) => {
      const [asked, left, model] = [fresh(), fresh(), new Model()]
      for (const [n, commit] of (await trailingLog(script)).entries()) {
        askEverything(asked, script[n % script.length] as Turn)
        asked.fold(commit)
        left.fold(commit)
        for (const event of commit.events) model.fold(event, commit.at)
        const expected = new Map(Array.from(model.active.values(), ({ id, peak }) => [id, peak]))
        expect(peaksOf(asked.world)).toEqual(expected)
        expect(peaksOf(left.world)).toEqual(expected)
        noneIsLeft(asked.world)
        count(asked.world)
      }
      expect(asked.stateHash()).toBe(left.stateHash())
      expect(Buffer.compare(takeSnapshot(asked).bytes, takeSnapshot(left).bytes)).toBe(0)
    }),
    runs(8),
  )
})

/** No peak stays behind whose stops have ended. */
function noneIsLeft({ markets, orders }: World): void {
  for (const { id, trailing } of markets.values())
    for (const direction of ['long', 'short'] as const) {
      const here = ({ marketId, direction: of, peak }: Order) =>
        marketId === id && of === direction && peak !== null
      if (trailing[direction].next !== null) expect([...orders.values()].some(here)).toBe(true)
    }
}

function count({ orders }: World): void {
  const running = Array.from(orders.values(), ({ peak }) => peak?.current).filter(
    (peak) => peak !== undefined,
  )
  trailed += running.length
  shared += running.length - new Set(running).size
  for (const { orderType, peak } of orders.values())
    if (orderType === 'trailing_stop' && peak === null) waited += 1
}

test('triggers built from the state fire what those do that were told of every change', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (script) => {
      const folded = fresh()
      const { world } = folded
      for (const [n, commit] of (await trailingLog(script)).entries()) {
        folded.fold(commit)
        const [, a, b, c] = script[n % script.length] as Turn
        if (a % 4 > 0) continue
        // The triggers of a world write where levels lie into its rows, so those that are built again have a world of their own.
        const rebuilt = builtWorld(recordsOf(world), world.archive)
        for (const market of world.markets.values()) {
          const { indexPrice } = market
          const from = indexPrice + BigInt(c % 7)
          market.indexPrice = (indexPrice * BigInt(900 + (b % 200))) / 1_000n + 1n
          const given = world.triggers.firing(market, from)
          const copy = rebuilt.markets.known(market.id)
          copy.indexPrice = market.indexPrice
          const found = rebuilt.triggers.firing(copy, from)
          expect(found.map(withoutRow)).toEqual(given.map(withoutRow))
          fired += given.length
          market.indexPrice = indexPrice
        }
      }
    }),
    runs(8),
  )
})

function withoutRow(firing: Firing): object {
  return { ...firing, row: null }
}

test('an engine that is asked goes on as one that is not, through single ticks and through feeds', async () => {
  await fc.assert(
    fc.asyncProperty(turns, fc.array(turn, { minLength: 20, maxLength: 60 }), async (script, rows) => {
      const scenario = new Scenario(venue())
      const { engine } = scenario
      const left = venue()
      for (const [n, one] of script.entries()) {
        const { command, at } = scenario.command(trailing(one))
        ask(engine)
        expect(engine.dispatch(command, { at })).toEqual(left.dispatch(command, { at }))
        if (n % 40 !== 39) continue
        scenario.pause()
        const feed = feedOf(engine, rows)
        const outcome = engine.dispatchTicks(feed, 0, 10)
        ask(engine)
        expect([outcome, engine.dispatchTicks(feed, 10)]).toEqual([
          left.dispatchTicks(feed, 0, 10),
          left.dispatchTicks(feed, 10),
        ])
        await scenario.resume()
      }
      expect(engine.stateHash()).toBe(left.stateHash())
    }),
    runs(8),
  )
})

function ask(engine: Engine): void {
  for (const marketId of MARKET_IDS) quietRangeOf(engine, marketId)
  for (const { accountId: id } of engine.read.accounts()) {
    engine.read.activeOrders(id)
    engine.read.equity(id)
  }
  engine.stateHash()
}

/** Prices that rise and fall in small steps, past peaks that stand. */
function feedOf(engine: Engine, rows: readonly Turn[]): TickColumns {
  const prices = MARKET_IDS.map((id) => engine.read.market(id)?.state.indexPrice ?? 1n)
  const indexPrice = rows.map(([what, a, b]) => {
    const market = a % MARKET_IDS.length
    const price = prices[market] as bigint
    const step = 1n + (price * BigInt(b % 20)) / 10_000n
    prices[market] = what % 2 === 0 || price <= step ? price + step : price - step
    return prices[market] as bigint
  })
  return {
    at: Float64Array.from(rows, () => engine.now),
    indexPrice: BigInt64Array.from(indexPrice),
    market: Uint16Array.from(rows, ([, a]) => a % MARKET_IDS.length),
    marketIds: MARKET_IDS,
  }
}

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(trailed).toBeGreaterThan(1_000)
  expect(shared).toBeGreaterThan(100)
  expect(waited).toBeGreaterThan(100)
  expect(fired).toBeGreaterThan(100)
})
