// The peaks of trailing stops (F8, J21) against a plain list of stops, each with a peak of its own.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Order } from '../../../../src/domain/state/order.ts'
import type { RunningPeak } from '../../../../src/domain/state/runningPeak.ts'
import { TrailingPeaks } from '../../../../src/domain/state/trailingPeaks.ts'

const price = fc.bigInt(1n, 12n)
const steps = fc.array(
  fc.record({ what: fc.constantFrom('join', 'wait', 'leave', 'end', 'ask'), price, pick: fc.nat() }),
  { minLength: 1, maxLength: 25 },
)

test.each(['long', 'short'] as const)('what a price does to the peaks of a %s', (direction) => {
  const better = (a: bigint, b: bigint) => (direction === 'long' ? a > b : a < b)
  const atOrBeyond = (a: bigint, b: bigint) => !better(b, a)
  const reach = { passed: 0, begun: 0, neither: 0 }
  fc.assert(
    fc.property(steps, (script) => {
      const peaks = new TrailingPeaks(direction)
      let joined: RunningPeak[] = []
      let waiting: Order[] = []
      for (const [sequence, step] of script.entries()) {
        if (step.what === 'join') joined.push(peaks.join(step.price))
        if (step.what === 'wait') {
          const order = { sequence, trailingStopActivationPrice: step.price } as Order
          peaks.wait(order)
          waiting.push(order)
        }
        if (step.what === 'leave' && joined.length > 0) {
          const gone = step.pick % joined.length
          peaks.leave(joined[gone] as RunningPeak)
          joined = joined.filter((_, index) => index !== gone)
        }
        if (step.what === 'end' && waiting.length > 0) {
          const gone = waiting[step.pick % waiting.length] as Order
          peaks.waitNoMore(gone)
          waiting = waiting.filter((order) => order !== gone)
        }
        const at = step.price
        const passed = new Set(joined.filter((peak) => better(at, peak.price)).map((peak) => peak.price))
        const passedOthers = new Set(
          joined.filter((peak) => atOrBeyond(at, peak.price)).map(({ price }) => price),
        )
        const begun = waiting.filter((order) => atOrBeyond(at, order.trailingStopActivationPrice))
        expect(peaks.turnAt(at)).toBe(passed.size > 0 || begun.length > 0)
        const seen: bigint[] = []
        peaks.walkPassed(at, (peak) => seen.push(peak.price) > 0)
        // One that lies exactly at the price becomes one with those that come to it.
        expect(new Set(seen)).toEqual(passed.size > 0 ? passedOthers : new Set())
        const begins: Order[] = []
        peaks.walkBegun(at, (order) => begins.push(order) > 0)
        expect(new Set(begins)).toEqual(new Set(begun))
        const turns = Array.from({ length: 14 }, (_, level) => BigInt(level)).filter((level) =>
          peaks.turnAt(level),
        )
        const nearest = direction === 'long' ? turns[0] : turns.at(-1)
        expect(peaks.nearestTurn()).toBe(nearest ?? null)
        if (passed.size > 0) reach.passed += 1
        else if (begun.length > 0) reach.begun += 1
        else reach.neither += 1
      }
    }),
  )
  for (const times of Object.values(reach)) expect(times).toBeGreaterThan(0)
})

test.each(['long', 'short'] as const)('a walk ends where its visitor has seen enough: %s', (direction) => {
  const peaks = new TrailingPeaks(direction)
  for (const at of [5n, 6n, 7n]) peaks.join(at)
  for (const sequence of [1, 2]) peaks.wait({ sequence, trailingStopActivationPrice: 6n } as Order)
  const beyond = direction === 'long' ? 9n : 1n
  for (const enough of [1, 2]) {
    let seen = 0
    peaks.walkPassed(beyond, () => ++seen < enough)
    expect(seen).toBe(enough)
  }
  let begun = 0
  peaks.walkBegun(beyond, () => ++begun < 1)
  expect(begun).toBe(1)
})
