// The liquidation levels of rows against positions that are looked at one by one, whatever opens, changes, ends, is reached and stays.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyMarket, type Market, type MarketState } from '../../../../src/domain/state/market.ts'
import { type Holder, OpenPositions } from '../../../../src/domain/state/openPositions/openPositions.ts'
import { PositionList } from '../../../../src/domain/state/openPositions/positionList.ts'
import type { Position } from '../../../../src/domain/state/position.ts'
import { Path } from '../../../../src/domain/triggers/firingSequence.ts'
import { liquidationSide, positionLevel, reached } from '../../../../src/domain/triggers/level.ts'
import { PositionLevels } from '../../../../src/domain/triggers/positionLevels.ts'
import { fp9, ONE } from '../../../../src/index.ts'

/** Of positions of one: levels that collide, that no double is exact about, and, where the margin covers it all, none. */
const terms = fc.record({
  direction: fc.constantFrom('long' as const, 'short' as const),
  notional: fc.oneof(
    fc.integer({ min: 1, max: 9 }).map((units) => fp9(String(units))),
    fc.bigInt(10n ** 30n, 10n ** 30n + 9n),
  ),
  share: fc.constantFrom(0n, 1n, 2n, 10n),
})
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never

const chosen = fc.record({ which: fc.nat(), share: terms.map(({ share }) => share) })
const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ what: fc.constant('open' as const), terms }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('change' as const), chosen }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('end' as const), chosen }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('all' as const), share: fc.constantFrom(1n, 2n, 10n) }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('arrange' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('tick' as const), price: terms, ends: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('rate' as const), percent: fc.nat({ max: 3 }) }) },
)

/** What no level depends on. */
const UNCHANGED: Omit<Position, 'id' | 'sequence' | 'direction' | 'size' | 'notional' | 'margin'> = {
  ...{ version: 1, openedAt: 0, lastUpdatedAt: 0, lastIncreaseAt: 0, closedAt: null, holdingTimeMs: null },
  ...{ status: 'opened', eventName: 'increasePosition', closeReason: null, profitAdjustmentApplied: false },
  ...{ marketId: 'market', accountId: 'account', phaseOrdinal: 1, scalpingCoefficient: ONE },
  ...{ pnl: 0n, funding: 0n, fee: 0n, feeRate: 0n, exchangedQuote: 0n, exchangedBase: 0n, pnlInEvent: 0n },
  ...{
    rawPnlInEvent: 0n,
    feeInEvent: 0n,
    fundingInEvent: 0n,
    roe: 0n,
    profitReference: 0n,
    contributedMargin: 0n,
  },
}

/** A position as it should be, and where it is. */
interface Held {
  readonly row: number
  readonly position: Position
}

class Venue {
  readonly market: Market
  readonly levels: PositionLevels
  /** So few stay at hand that levels are mostly read from rows. */
  readonly room = new OpenPositions<Holder>(3, 1)
  readonly plain: Held[] = []
  readonly #account = { id: 'account', positions: PositionList.ofAccount() }
  #sequence = 0

  constructor() {
    this.market = emptyMarket({ id: 'market', parameters: { maintenanceMarginRate: 0n } } as MarketState)
    this.levels = new PositionLevels(this.market, this.room.rows)
  }

  open({ direction, notional, share }: Terms): void {
    // Other things are created in between.
    this.#sequence += 1 + (this.#sequence % 3)
    const sequence = this.#sequence
    const margin = (notional * share) / 10n
    const own = { id: `position ${sequence}`, sequence, direction, size: ONE, notional, margin }
    const position = { ...UNCHANGED, ...own }
    const row = this.room.add({ ...position }, this.#account, this.market)
    this.plain.push({ row, position })
    this.levels.set(row)
    this.room.settle()
  }

  change({ row, position }: Held, share: bigint): void {
    position.margin = (position.notional * share) / 10n
    this.room.rows.at(row).margin = position.margin
    this.levels.set(row)
    this.room.settle()
  }

  end(held: Held): void {
    this.levels.remove(held.row)
    this.room.delete(held.row)
    this.plain.splice(this.plain.indexOf(held), 1)
  }

  chosen(which: number): Held | undefined {
    return this.plain[which % Math.max(this.plain.length, 1)]
  }

  reachedAt(indexPrice: bigint): Held[] {
    return this.plain.filter(({ position }) => {
      const level = positionLevel(position, this.market)
      return level !== null && reached(liquidationSide(position.direction), level, indexPrice)
    })
  }

  nearest(side: 'below' | 'above'): bigint | null {
    const levels = this.plain
      .filter(({ position }) => liquidationSide(position.direction) === side)
      .map(({ position }) => positionLevel(position, this.market))
      .filter((level) => level !== null)
      .sort((a, b) => (a === b ? 0 : a < b === (side === 'above') ? -1 : 1))
    return levels[0] ?? null
  }

  /** As between two ticks. */
  arrange(): void {
    this.levels.arrange()
    this.levels.putBack()
    expect([this.levels.nearestBelow, this.levels.nearestAbove]).toEqual([
      this.nearest('below'),
      this.nearest('above'),
    ])
  }

  /** By sequence, as the next. */
  meet(indexPrice: bigint): number[] {
    const path = new Path(0n)
    this.levels.meet(path, indexPrice)
    return path
      .inOrder()
      .flatMap((firing) => (firing.kind === 'liquidation' ? [Number(firing.positionId.split(' ')[1])] : []))
      .sort((a, b) => a - b)
  }
}

const sequences = (held: readonly Held[]) =>
  held.map(({ position }) => position.sequence).sort((a, b) => a - b)

test('what is reached is what is due, and what stays waits on', () => {
  let [met, stayed, never, moved] = [0, 0, 0, 0]
  fc.assert(
    fc.property(fc.array(step, { size: 'max', maxLength: 90 }), (script) => {
      const venue = new Venue()
      for (const one of script) {
        if (one.what === 'open') {
          venue.open(one.terms)
          if (positionLevel((venue.plain.at(-1) as Held).position, venue.market) === null) never += 1
        } else if (one.what === 'arrange') venue.arrange()
        else if (one.what === 'rate') {
          venue.market.parameters = {
            ...venue.market.parameters,
            maintenanceMarginRate: fp9(`${one.percent}%`),
          }
          venue.levels.reconfigure()
        } else if (one.what === 'all') {
          venue.arrange()
          for (const position of venue.plain) venue.change(position, one.share)
          moved += venue.plain.length
          venue.arrange()
        } else if (one.what === 'tick') {
          venue.arrange()
          const due = venue.reachedAt(one.price.notional)
          expect(venue.meet(one.price.notional)).toEqual(sequences(due))
          met += due.length
          for (const [n, position] of due.entries()) {
            if (n % 4 < one.ends) venue.end(position)
            else if (n % 4 === 3) venue.change(position, one.price.share)
            else stayed += 1
          }
        } else {
          const position = venue.chosen(one.chosen.which)
          if (position === undefined) continue
          if (one.what === 'end') venue.end(position)
          else venue.change(position, one.chosen.share)
        }
      }
      venue.arrange()
    }),
    { numRuns: 150, endOnFailure: true },
  )
  for (const count of [met, stayed, never, moved]) expect(count).toBeGreaterThan(100)
})

test('many open, move alike and end, and give their room back', () => {
  const venue = new Venue()
  const drawn = (n: number): Terms => ({
    direction: n % 2 === 0 ? 'long' : 'short',
    notional: BigInt(1_000 + ((n * 7_919) % 5_003)) * ONE,
    share: 1n,
  })
  for (const many of [3_100, 2_049, 1_024]) {
    for (let n = venue.plain.length; n < many; n++) venue.open(drawn(n))
    venue.arrange()
    // A chunk stays while any of its rows is taken, and some are left of every round.
    expect(venue.room.room.rows).toBeLessThanOrEqual(4_096)
    for (const share of [2n, 1n]) {
      for (const position of venue.plain) venue.change(position, share)
      venue.arrange()
      const due = venue.reachedAt(3_000n * ONE)
      expect(venue.meet(3_000n * ONE)).toHaveLength(due.length)
      venue.arrange()
    }
    for (const [n, position] of [...venue.plain].entries()) if (n % 1_000 !== 1) venue.end(position)
    venue.arrange()
  }
  for (const position of [...venue.plain]) venue.end(position)
  venue.arrange()
  const { rows, words } = venue.room.room
  expect(rows).toBeLessThanOrEqual(1_024)
  expect(words).toBeLessThanOrEqual(2_048)
})

test('what came and left while much moved is never placed', () => {
  const venue = new Venue()
  const terms = { direction: 'long', notional: 5n * ONE, share: 1n } as const
  for (let n = 0; n < 5_000; n++) {
    venue.open(terms)
    if (n % 5 > 0) venue.end(venue.chosen(n * 31) as Held)
  }
  venue.arrange()
  expect(venue.meet(1n).length).toBe(venue.plain.length)
  expect(venue.room.room.rows).toBeLessThan(venue.plain.length + 1_024)
})
