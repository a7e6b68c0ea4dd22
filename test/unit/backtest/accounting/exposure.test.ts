// What an account has open, folded from its events beside an engine that has the same account: they agree after every commit.

import { afterAll, expect, test } from 'vitest'
import { Exposure } from '../../../../src/backtest/accounting/exposure.ts'
import { LastPrices } from '../../../../src/backtest/accounting/lastPrices.ts'
import type { PositionRecord } from '../../../../src/domain/state/position.ts'
import { seeCommits } from '../../../../src/engine/internals.ts'
import type { PositionEvent } from '../../../../src/events/positionEvents.ts'
import { type AccountRecord, type Commit, createEngine } from '../../../../src/index.ts'
import { notionalDown, notionalUp } from '../../../../src/quantity/products.ts'
import { ACCOUNTS, Chance, GENESIS, MARKETS, nextCommand } from '../../../store/traffic.ts'

const [ACCOUNT] = ACCOUNTS
const WINDOW_MS = 60_000

/** Any level will do, as long as it follows from the position; some have none. */
const levelOf = ({ id, direction, notional, size }: PositionRecord): bigint => {
  if (id.endsWith('0') || size === 0n) return 0n
  const entry = (notional * 1_000_000_000n) / size
  return direction === 'long' ? (entry * 97n) / 100n : (entry * 103n) / 100n
}

const rawPnl = ({ direction, size, notional }: PositionRecord, price: bigint): bigint =>
  direction === 'long' ? notionalDown(size, price) - notional : notional - notionalUp(size, price)

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, amount) => all + amount, 0n)

const reached = { open: 0, both: 0, heldBack: 0, closed: 0 }
afterAll(() => {
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(0)
})

const POSITION_EVENTS: ReadonlySet<string> = new Set<PositionEvent['type']>([
  'increasePosition',
  'closePosition',
  'addMargin',
  'removeMargin',
  'payFunding',
  'liquidate',
  'forceClose',
])

const marketOf = ({ marketId }: { readonly marketId: string }): number =>
  MARKETS.indexOf(marketId as (typeof MARKETS)[number])

test.each([1, 2, 3])('beside an engine under the traffic of seed %i', (seed) => {
  const engine = createEngine(GENESIS)
  const prices = new LastPrices(MARKETS.length)
  const liquidation = (id: string) => levelOf(engine.read.position(id) as PositionRecord)
  const exposures = [WINDOW_MS, 0].map((windowMs) => new Exposure(MARKETS, prices, liquidation, windowMs))
  for (const [market, id] of MARKETS.entries())
    prices.set(market, engine.read.market(id)?.state.indexPrice ?? 0n)

  let closest: number | null = null
  const approach = ({ direction }: PositionRecord, level: bigint, price: bigint) => {
    if (level === 0n) return
    const left = direction === 'long' ? price - level : level - price
    const distance = Math.max(Number(left) / Number(price), 0)
    closest = closest === null ? distance : Math.min(closest, distance)
  }
  const levels = new Map<string, bigint>()
  let before = new Map<string, PositionRecord>()
  const held = () => engine.read.activePositions(ACCOUNT)
  const chance = new Chance(seed)

  const priced = (marketId: string, indexPrice: bigint) => {
    const market = marketOf({ marketId })
    prices.set(market, indexPrice)
    for (const exposure of exposures) exposure.priced(market, indexPrice)
    for (const position of before.values())
      if (position.marketId === marketId) approach(position, levels.get(position.id) ?? 0n, indexPrice)
  }
  const fold = ({ events, at }: Pick<Commit, 'events' | 'at'>) => {
    for (const event of events) if (event.type === 'priceUpdated') priced(event.marketId, event.indexPrice)
    for (const event of events)
      if ('positionId' in event && event.accountId === ACCOUNT && POSITION_EVENTS.has(event.type))
        for (const exposure of exposures) exposure.add(event as PositionEvent, at)
    before = new Map(held().map((position) => [position.id, position]))
    for (const position of before.values()) {
      const level = levelOf(position)
      levels.set(position.id, level)
      approach(position, level, prices.of(marketOf(position)))
    }
  }
  seeCommits(engine, fold)

  for (let count = 0; count < 400; count++) {
    const { command, at } = nextCommand(chance, engine)
    const opened = [...before.keys()]
    engine.dispatch(command, { at })
    // A tick that changes nothing besides is told to nobody who sees commits.
    for (const id of MARKETS) priced(id, engine.read.market(id)?.state.indexPrice ?? 0n)
    const positions = held()
    reached.closed += opened.filter((id) => !before.has(id)).length

    const priceOf = (position: PositionRecord) => prices.of(marketOf(position))
    const raw = sum(positions.map((position) => rawPnl(position, priceOf(position))))
    const { currentEquity, currentBalance } = (engine.read.account(ACCOUNT) as AccountRecord).riskStatus
    for (const [index, exposure] of exposures.entries()) {
      expect(exposure.open).toBe(positions.length)
      expect(exposure.notional).toBe(sum(positions.map(({ notional }) => notional)))
      expect(exposure.value).toBe(
        sum(
          positions.map((position) =>
            position.direction === 'long'
              ? notionalDown(position.size, priceOf(position))
              : -notionalUp(position.size, priceOf(position)),
          ),
        ),
      )
      const unrealized = exposure.unrealized(engine.now)
      expect(unrealized + exposure.heldBack(engine.now)).toBe(raw)
      if (index === 1) expect(unrealized).toBe(raw)
      else expect(unrealized).toBe(currentEquity - currentBalance)
      expect(exposure.safeUnrealized(engine.now)).toBe(Number(unrealized))
    }
    for (const [market, id] of MARKETS.entries()) {
      const sides = new Set(
        positions.filter(({ marketId }) => marketId === id).map(({ direction }) => direction),
      )
      const side = sides.size === 2 ? 'both' : ([...sides][0] ?? 'flat')
      expect(exposures[0]?.side(market)).toBe(side)
      reached.both += Number(side === 'both')
    }
    reached.open += positions.length
    reached.heldBack += Number((exposures[0]?.heldBack(engine.now) ?? 0n) > 0n)
    if (count % 50 === 0) expect(exposures[0]?.closest).toBe(closest)
  }
  expect(exposures[0]?.closest).toBe(closest)
})
