// Liquidation at its level, one unit either side of it, and stops before it (E1, B5).

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Direction, fp9, ONE } from '../../src/index.ts'
import { ACCOUNT, Bench, MARKET } from './bench.ts'
import { runs } from './runs.ts'

const scene = fc.record({
  side: fc.constantFrom<Direction>('long', 'short'),
  amount: fc.bigInt({ min: 10_000n, max: fp9('5000') }),
  leverage: fc.bigInt({ min: 2n * ONE, max: 60n * ONE }),
  maintenanceMarginRate: fc.bigInt({ min: 0n, max: fp9('1%') }),
  spread: fc.constantFrom(0n, fp9('0.05%')),
  feeRate: fc.constantFrom(0n, fp9('0.1%')),
})

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never

function opened({ side, amount, leverage, ...market }: Scene): {
  bench: Bench
  level: bigint
  beyond: bigint
} {
  const bench = new Bench({ ...market, maxLeverage: 60n * ONE })
  const outcome = bench.increase(side, amount, leverage)
  fc.pre(outcome.ok && outcome.value.status === 'executed')
  const level = bench.engine.read.liquidationPrice(bench.position.id)
  fc.pre(level !== undefined && level > 1n)
  return { bench, level: level as bigint, beyond: side === 'long' ? -1n : 1n }
}

describe('liquidation', () => {
  test('leaves a position one unit short of its level and takes it at the level', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { bench, level, beyond } = opened(given)
        bench.later(1_000).tick(level - beyond)
        expect(bench.position.status).toBe('opened')
        bench.later(1_000).tick(level)
        const { status, pnl, fee, margin, eventName } = bench.position
        expect({ status, eventName, margin }).toEqual({
          status: 'liquidated',
          eventName: 'liquidate',
          margin: 0n,
        })
        expect(fee).toBeGreaterThanOrEqual(0n)
        expect(pnl).toBeLessThanOrEqual(0n)
      }),
      runs(300),
    )
  })

  test('takes a position that a tick jumps over, wherever it lands beyond', () => {
    fc.assert(
      fc.property(scene, fc.bigInt({ min: 0n, max: fp9('800') }), (given, further) => {
        const { bench, level, beyond } = opened(given)
        const landing = level + beyond * further
        bench.later(1_000).tick(landing > 0n ? landing : 1n)
        expect(bench.position.status).toBe('liquidated')
        const status = bench.engine.read.riskStatus(ACCOUNT)
        expect(status?.freeBalance).toBe(fp9('1000000') - given.amount)
      }),
      runs(300),
    )
  })

  test('comes after a stop that stands before it on the path, however far the tick jumps', () => {
    const where = fc.record({
      part: fc.integer({ min: 1, max: 1_000 }),
      further: fc.bigInt({ min: 0n, max: fp9('300') }),
    })
    fc.assert(
      fc.property(scene, where, (given, { part, further }) => {
        const { bench, level, beyond } = opened(given)
        const distance = (fp9('1000') - level) * -beyond
        fc.pre(distance > 1n)
        // Anywhere from the unit before the level to the current price.
        const triggerPrice = level - beyond * (1n + ((distance - 1n) * BigInt(part)) / 1_000n)
        const { id: positionId, size: amount } = bench.position
        const on = { accountId: ACCOUNT, marketId: MARKET, direction: given.side, positionId }
        expect(bench.do({ type: 'placeOrder', orderType: 'stop', amount, triggerPrice, ...on }).ok).toBe(true)
        const landing = level + beyond * further
        bench.later(1_000).tick(landing > 0n ? landing : 1n)
        expect(bench.position).toMatchObject({ status: 'closed', eventName: 'closePosition' })
      }),
      runs(300),
    )
  })

  test('comes before a stop at the same level', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { bench, level } = opened(given)
        const { id: positionId, size: amount } = bench.position
        const on = { accountId: ACCOUNT, marketId: MARKET, direction: given.side, positionId }
        bench.do({ type: 'placeOrder', orderType: 'stop', amount, triggerPrice: level, ...on })
        bench.later(1_000).tick(level)
        expect(bench.position.status).toBe('liquidated')
      }),
      runs(200),
    )
  })

  test('leaves whatever is withdrawn up to the last unit that can be spared', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { bench } = opened(given)
        const { id: positionId, margin } = bench.position
        const withdraw = (amount: bigint) =>
          bench.do({ type: 'changeMargin', positionId, marginChange: -amount }).ok
        let [spared, refused] = [0n, margin]
        while (refused - spared > 1n) {
          const middle = (spared + refused) / 2n
          const trial = opened(given).bench
          const { id } = trial.position
          if (trial.do({ type: 'changeMargin', positionId: id, marginChange: -middle }).ok) spared = middle
          else refused = middle
        }
        expect(withdraw(spared + 1n)).toBe(false)
        expect(withdraw(spared)).toBe(true)
        bench.later(1_000).tick(fp9('1000'))
        expect(bench.position.status).toBe('opened')
        const level = bench.engine.read.liquidationPrice(positionId) as bigint
        expect(given.side === 'long' ? level < fp9('1000') : level > fp9('1000')).toBe(true)
      }),
      runs(15),
    )
  })
})
