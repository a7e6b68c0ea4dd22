// The 60-second profit adjustment (D1–D8).

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Direction, fp9, ONE } from '../../src/index.ts'
import { Bench } from './bench.ts'
import { runs } from './runs.ts'

const direction = fc.constantFrom<Direction>('long', 'short')
/** Any price around the first one, mostly of no particular roundness. */
const price = fc.bigInt({ min: fp9('920'), max: fp9('1080') })
const amount = fc.bigInt({ min: 10_000_000n, max: fp9('5000') })
const LEVERAGE = 5n * ONE
const share = fc.integer({ min: 1, max: 999 })

const better = (a: Direction, gain: bigint) => (a === 'long' ? fp9('1000') + gain : fp9('1000') - gain)

describe('the profit adjustment', () => {
  test('caps a profit after 59,999 ms and lets it be after 60,000 ms', () => {
    fc.assert(
      fc.property(direction, amount, fc.bigInt({ min: 1_000_000n, max: fp9('50') }), (side, put, gain) => {
        const held = (ms: number) => {
          const bench = new Bench()
          bench.increase(side, put, LEVERAGE)
          return bench.later(ms).tick(better(side, gain)).close()
        }
        const [inside, outside] = [held(59_999), held(60_000)]
        fc.pre(outside.rawPnlInEvent > 0n)
        expect(inside).toMatchObject({ pnl: 0n, profitAdjustmentApplied: true, holdingTimeMs: 59_999 })
        expect(outside).toMatchObject({ pnl: outside.rawPnlInEvent, profitAdjustmentApplied: false })
        expect(inside.rawPnlInEvent).toBe(outside.rawPnlInEvent)
      }),
      runs(300),
    )
  })

  test('never touches a loss', () => {
    fc.assert(
      fc.property(direction, amount, fc.nat(120_000), price, (side, put, ms, at) => {
        const bench = new Bench()
        bench.increase(side, put, LEVERAGE)
        const { pnl, rawPnlInEvent } = bench.later(ms).tick(at).close()
        expect(pnl).toBe(ms < 60_000 && rawPnlInEvent > 0n ? 0n : rawPnlInEvent)
      }),
      runs(300),
    )
  })

  test('gives nothing more to a close in pieces than to one close, whatever the reference', () => {
    const pieces = fc.array(share, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(direction, amount, price, price, pieces, (side, put, before, after, cuts) => {
        const grown = () => {
          const bench = new Bench()
          bench.increase(side, put, LEVERAGE)
          // The increase after the first minute sets the reference to the pnl there is, above or below zero.
          bench.later(61_000).tick(before)
          bench.increase(side, put, LEVERAGE)
          return bench.later(30_000).tick(after)
        }
        const whole = grown().close().pnl
        const bench = grown()
        for (const cut of cuts) bench.close(max(1n, (bench.position.size * BigInt(cut)) / 2_000n))
        expect(bench.close().pnl).toBeLessThanOrEqual(whole)
      }),
      runs(300),
    )
  })

  test('is not worn down by increases of dust', () => {
    const dust = fc.tuple(
      fc.nat(59_999),
      price,
      fc.bigInt({ min: 1_000n, max: 50_000n }),
      share,
      fc.boolean(),
    )
    fc.assert(
      fc.property(direction, amount, fc.array(dust, { maxLength: 12 }), price, (side, put, steps, last) => {
        const bench = new Bench()
        bench.increase(side, put, LEVERAGE)
        for (const [ms, at, some, cut, closes] of steps) {
          bench.later(ms).tick(at)
          bench.increase(side, some, LEVERAGE)
          if (closes) bench.close(max(1n, (bench.position.size * BigInt(cut)) / 1_000n))
        }
        expect(bench.later(59_999).tick(last).close().pnl).toBeLessThanOrEqual(0n)
      }),
      runs(300),
    )
  })

  test('counts in equity as it would count in a close', () => {
    fc.assert(
      fc.property(direction, amount, fc.nat(120_000), price, (side, put, ms, at) => {
        const bench = new Bench()
        bench.increase(side, put, LEVERAGE)
        bench.later(ms).tick(at)
        const before = bench.engine.read.accounts()[0]?.riskStatus.currentEquity
        fc.pre(bench.position.status === 'opened')
        bench.close()
        expect(bench.engine.read.accounts()[0]?.riskStatus.currentBalance).toBe(before)
      }),
      runs(300),
    )
  })
})

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

describe('rounding', () => {
  test('never makes a profit of opening and closing at one price', () => {
    const anyPrice = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: fp9('100000') }))
    const leverage = fc.bigInt({ min: ONE, max: 100n * ONE })
    fc.assert(
      fc.property(
        direction,
        anyPrice,
        amount,
        leverage,
        fc.array(share, { maxLength: 4 }),
        (side, at, put, times, cuts) => {
          const bench = new Bench({ indexPrice: at })
          const opened = bench.increase(side, put, times)
          fc.pre(opened.ok && opened.value.status === 'executed')
          bench.later(60_000)
          for (const cut of cuts) bench.close(max(1n, (bench.position.size * BigInt(cut)) / 2_000n))
          expect(bench.close().pnl).toBeLessThanOrEqual(0n)
        },
      ),
      runs(500),
    )
  })
})
