// The room of open positions against plain objects in plain lists.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionRecipe } from '../../../../../src/domain/evolve/positionReducers.ts'
import { IdSpace } from '../../../../../src/domain/state/ids.ts'
import { type Holder, OpenPositions } from '../../../../../src/domain/state/openPositions/openPositions.ts'
import { PositionList } from '../../../../../src/domain/state/openPositions/positionList.ts'
import type { Position } from '../../../../../src/domain/state/position.ts'
import { ONE, type PayFunding } from '../../../../../src/index.ts'
import { CLOSED_SETS } from '../../../../../src/terms/closedSets.ts'
import { POSITION_EVENTS, POSITION_STATUSES } from '../../../../../src/terms/positionStatus.ts'

const space = new IdSpace('rows of positions')
const OWNERS = 3

/** At the edges of what 63 bits hold, and beyond. */
const amount = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(0n, 1n, -5n, ONE) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(2n ** 61n, 2n ** 62n, -(2n ** 62n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n, 2n ** 64n + 7n, 10n ** 30n),
  },
)
const instant = fc.constantFrom(0, 1_700_000_000_000, 8.64e15)
const instantOrNone = fc.option(instant, { nil: null, freq: 3 })

/** Every field that events change. */
const CHANGES = {
  version: fc.constantFrom(1, 2, 2 ** 31 - 1),
  lastUpdatedAt: instant,
  closedAt: instantOrNone,
  status: fc.constantFrom(...POSITION_STATUSES),
  size: amount,
  notional: amount,
  margin: amount,
  pnl: amount,
  funding: amount,
  fee: amount,
  feeRate: amount,
  exchangedQuote: amount,
  exchangedBase: amount,
  eventName: fc.constantFrom(...(Object.keys(POSITION_EVENTS) as Position['eventName'][])),
  pnlInEvent: amount,
  rawPnlInEvent: amount,
  profitAdjustmentApplied: fc.boolean(),
  holdingTimeMs: instantOrNone,
  feeInEvent: amount,
  fundingInEvent: amount,
  roe: amount,
  scalpingCoefficient: amount,
  closeReason: fc.constantFrom(null, ...CLOSED_SETS.closeReason),
  profitReference: amount,
  lastIncreaseAt: instant,
  contributedMargin: amount,
} satisfies Partial<{ readonly [Field in keyof Position]: fc.Arbitrary<Position[Field]> }>

const change = fc.oneof(
  ...Object.entries(CHANGES).map(([field, value]) =>
    (value as fc.Arbitrary<unknown>).map((drawn) => ({ [field]: drawn }) as Partial<Position>),
  ),
)

const opened = fc.record({
  direction: fc.constantFrom('long' as const, 'short' as const),
  account: fc.nat({ max: OWNERS - 1 }),
  market: fc.nat({ max: OWNERS - 1 }),
  openedAt: instant,
  phaseOrdinal: fc.nat({ max: 3 }),
  hasUuid: fc.boolean(),
  odd: fc.nat({ max: 19 }),
  size: amount,
  notional: amount,
  margin: amount,
  fee: amount,
  feeRate: amount,
  /** Of one that comes from a snapshot, or that is as no rule would leave it. */
  changed: fc.option(change, { nil: {}, freq: 1 }),
})
type Drawn = typeof opened extends fc.Arbitrary<infer T> ? T : never

const move = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('open' as const), drawn: opened }) },
  {
    weight: 12,
    arbitrary: fc.record({ what: fc.constant('change' as const), which: fc.nat(), to: change }),
  },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('end' as const), which: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constant('fund' as const), which: fc.nat(), amount, at: instant }),
  },
  { weight: 9, arbitrary: fc.record({ what: fc.constant('begin' as const) }) },
)

/** Some begin alike, and some are no uuids. */
function idOf(sequence: number, { hasUuid, odd }: Drawn): string {
  const id = space.id(1, sequence)
  if (!hasUuid && odd < 10) return `position ${sequence}`
  return odd % 2 === 0 ? id : `00000000${id.slice(8)}`
}

/** As the opening event leaves it, but for what has been changed. */
function positionOf(sequence: number, drawn: Drawn): Position {
  const { size, notional, margin, fee, feeRate, openedAt, phaseOrdinal, direction } = drawn
  return {
    id: idOf(sequence, drawn),
    version: 1,
    openedAt,
    lastUpdatedAt: openedAt,
    closedAt: null,
    status: 'opened',
    marketId: `market ${drawn.market}`,
    accountId: `account ${drawn.account}`,
    size,
    notional,
    margin,
    pnl: 0n,
    funding: 0n,
    fee,
    feeRate,
    exchangedQuote: notional,
    exchangedBase: size,
    direction,
    eventName: 'increasePosition',
    pnlInEvent: 0n,
    rawPnlInEvent: 0n,
    profitAdjustmentApplied: false,
    holdingTimeMs: null,
    feeInEvent: fee,
    fundingInEvent: 0n,
    roe: 0n,
    scalpingCoefficient: ONE,
    closeReason: null,
    sequence,
    phaseOrdinal,
    profitReference: 0n,
    lastIncreaseAt: openedAt,
    contributedMargin: margin,
    ...drawn.changed,
  }
}

/** The room, and the same as plain as can be. The account of every other position is due. */
class Both {
  readonly room: OpenPositions<Holder, Holder>
  readonly plain = new Map<string, Position>()
  readonly ended: { readonly id: string; readonly row: number }[] = []
  readonly accounts = holders((n) => ({ id: `account ${n}`, positions: PositionList.ofAccount() }))
  readonly markets = holders((n) => ({ id: `market ${n}`, positions: PositionList.ofMarket() }))
  #sequence = 0

  /** Few are at hand, or most would never be rows. */
  constructor(most = 1, stay = 0) {
    this.room = new OpenPositions(most, stay)
  }

  open(drawn: Drawn): number {
    this.#sequence += 1 + (this.#sequence % 3)
    const position = positionOf(this.#sequence, drawn)
    this.plain.set(position.id, position)
    const [account, market] = [this.accounts[drawn.account] as Holder, this.markets[drawn.market] as Holder]
    const row = this.room.add({ ...position }, account, market)
    if (this.#sequence % 2 === 0) this.room.rows.setDue(row, true)
    return row
  }

  change(position: Position, to: Partial<Position>): void {
    Object.assign(position, to)
    const held = this.room.known(position.id)
    Object.assign(held, to)
    expect(this.room.get(position.id)).toBe(held)
  }

  /** As when a funding instant comes. Whether its rows had it. */
  fund(position: Position, amount: bigint, at: number): boolean {
    const event = { type: 'payFunding', amount } as PayFunding
    const row = this.room.rowOf(position.id)
    const { atHand } = this.room.room
    const isInRows = this.room.rows.payFunding(row, amount, at)
    expect(this.room.room.atHand).toBe(atHand)
    if (!isInRows) positionRecipe(this.room.rows.at(row), event, at)
    positionRecipe(position, event, at)
    expect(this.room.rows.asItStands(row)).toEqual(position)
    return isInRows
  }

  end(position: Position): void {
    const row = this.room.rowOf(position.id)
    this.room.delete(row)
    this.plain.delete(position.id)
    this.ended.push({ id: position.id, row })
    expect(() => this.room.delete(row)).toThrow(ReferenceError)
  }

  chosen(which: number): Position | undefined {
    return [...this.plain.values()][which % Math.max(this.plain.size, 1)]
  }

  expectSame(): void {
    const plain = [...this.plain.values()]
    expect(this.room.size).toBe(plain.length)
    expect([...this.room.values()]).toEqual(plain)
    for (const one of plain) {
      const row = this.room.rowOf(one.id)
      const { rows } = this.room
      const { direction, size, notional, margin, sequence, marketId, lastIncreaseAt, profitReference } = one
      expect(rows.termsOf(row)).toMatchObject({ direction, size, notional, margin })
      const worth = { sequence, marketId, direction, size, notional, lastIncreaseAt, profitReference }
      expect(rows.worthOf(row)).toMatchObject(worth)
      expect(rows.directionOf(row)).toBe(direction)
      expect(rows.wasOpenBefore(row, one.openedAt)).toBe(false)
      expect(rows.wasOpenBefore(row, one.openedAt + 1)).toBe(true)
      expect([rows.sizeOf(row), rows.marginOf(row)]).toEqual([size, margin])
      expect(rows.sequenceOf(row)).toBe(sequence)
      expect(rows.isDue(row)).toBe(sequence % 2 === 0)
      expect([rows.idOf(row), rows.accountIdOf(row), rows.marketIdOf(row)]).toEqual([
        one.id,
        one.accountId,
        marketId,
      ])
      expect(this.room.accountAt(row).id).toBe(one.accountId)
      expect(this.room.read(one.id)).toEqual(one)
    }
    for (const one of plain) expect(this.room.known(one.id)).toEqual(one)
    for (const { id } of this.ended) {
      expect(this.room.get(id)).toBeUndefined()
      expect(this.room.read(id)).toBeUndefined()
      expect(() => this.room.known(id)).toThrow(ReferenceError)
    }
    for (const [field, owned] of [
      ['accountId', this.accounts],
      ['marketId', this.markets],
    ] as const)
      for (const { id, positions: list } of owned) {
        const own = plain.filter((one) => one[field] === id)
        expect(list.size).toBe(own.length)
        expect([...list]).toEqual(own)
        expect(list.rows().map((row) => this.room.rows.idOf(row))).toEqual(own.map(({ id }) => id))
        expect(list.worths().map(({ sequence }) => sequence)).toEqual(own.map(({ sequence }) => sequence))
      }
  }
}

function holders(make: (n: number) => Holder): readonly Holder[] {
  return Array.from({ length: OWNERS }, (_, n) => make(n))
}

test('holds what plain objects would, whatever opened, changed and ended', () => {
  const reached = { changed: 0, ended: 0, reused: 0, whole: 0, rows: 0, funded: 0, fundedElsewhere: 0 }
  fc.assert(
    fc.property(fc.array(move, { size: 'max', maxLength: 90 }), (moves) => {
      const both = new Both()
      const seen = new Set<number>()
      for (const one of moves) {
        if (one.what === 'begin') both.room.settle()
        else if (one.what === 'open') {
          const row = both.open(one.drawn)
          if (seen.has(row)) reached.reused += 1
          seen.add(row)
        } else {
          const chosen = both.chosen(one.which)
          if (chosen === undefined) continue
          if (one.what === 'end') both.end(chosen)
          else if (one.what === 'change') both.change(chosen, one.to)
          else if (both.fund(chosen, one.amount, one.at)) reached.funded += 1
          else reached.fundedElsewhere += 1
          if (one.what === 'end') reached.ended += 1
          else if (one.what === 'change') reached.changed += 1
        }
      }
      both.room.settle()
      const { atHand, whole } = both.room.room
      reached.whole += whole
      reached.rows += both.room.size - atHand - whole
      both.expectSame()
      for (const chosen of [...both.plain.values()]) both.end(chosen)
      both.expectSame()
      expect(both.room.room).toMatchObject({ atHand: 0, whole: 0 })
    }),
  )
  for (const count of Object.values(reached)) expect(count).toBeGreaterThan(20)
})

test('whoever decides on a position has itself until the next command, however many there are', () => {
  const both = new Both(2, 1)
  for (const drawn of fc.sample(opened, { numRuns: 40, seed: 3 })) both.open(drawn)
  both.room.settle()
  const held = [...both.plain.keys()].map((id) => both.room.known(id))
  for (const position of held) {
    both.change(both.plain.get(position.id) as Position, { version: 2, pnl: 7n })
    expect(position.pnl).toBe(7n)
  }
  both.room.settle()
  expect(both.room.room.atHand).toBe(1)
  both.expectSame()
})

test('a walk meets everything that stays, whatever ends on the way', () => {
  let ended = 0
  const steps = fc.array(fc.record({ which: fc.nat(), opens: fc.boolean() }), { size: 'max', maxLength: 60 })
  fc.assert(
    fc.property(fc.array(opened, { size: 'max', minLength: 5, maxLength: 60 }), steps, (drawn, script) => {
      const both = new Both()
      for (const one of drawn) both.open(one)
      const stays = new Set(both.plain.keys())
      const met: number[] = []
      const left = [...script]
      for (const { id, sequence } of both.room.values()) {
        met.push(sequence)
        stays.delete(id)
        const step = left.pop()
        const chosen = step && both.chosen(step.which)
        if (step === undefined || chosen === undefined) continue
        both.end(chosen)
        both.room.settle()
        if (stays.delete(chosen.id)) ended += 1
        if (step.opens) both.open(drawn[0] as Drawn)
      }
      expect([...stays]).toEqual([])
      expect(met).toEqual([...new Set(met)].sort((a, b) => a - b))
      both.expectSame()
    }),
  )
  expect(ended).toBeGreaterThan(100)
})

test('one that has only been opened takes one row, and a second as long as it lives once anything has happened', () => {
  const both = new Both(64, 16)
  const fits = { size: ONE, notional: ONE, margin: ONE, fee: 1n, feeRate: 1n, changed: {} }
  const drawn = fc.sample(opened, { numRuns: 50, seed: 7 }).map((one) => ({ ...one, ...fits }))
  for (let n = 0; n < 4_000; n++) {
    both.open(drawn[n % drawn.length] as Drawn)
    both.room.settle()
  }
  expect(both.room.room).toMatchObject({ since: 0, whole: 0 })
  for (const position of both.plain.values()) {
    both.change(position, { funding: 5n })
    both.room.settle()
  }
  expect(both.room.room.since).toBe(4_096)
  both.expectSame()
  both.room.settle()
  for (const [n, position] of [...both.plain.values()].entries()) if (n % 2_000 !== 1) both.end(position)
  both.expectSame()
  const { rows, since, words } = both.room.room
  for (const many of [rows, since]) expect(many).toBeLessThanOrEqual(3 * 1_024)
  expect(words).toBeLessThanOrEqual(1_024)
})
