// What a market's prices have in common is no matter of their order, nor of how they come.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Feed } from '../../../../src/backtest/feed/feed.ts'
import { commonStep, priceStepsOf } from '../../../../src/backtest/feed/priceSteps.ts'

const feedOf = (kind: 'ticks' | 'bars', chunks: readonly object[]): Feed =>
  ({
    kind,
    async *[Symbol.asyncIterator]() {
      yield* chunks
    },
  }) as unknown as Feed

const ticks = (...chunks: (readonly bigint[])[]) =>
  feedOf(
    'ticks',
    chunks.map((prices) => ({ price: BigInt64Array.from(prices) })),
  )

/** Multiples of a step that have no larger one: neighbours are among them. */
const prices = fc
  .tuple(fc.bigInt(1n, 10n ** 9n), fc.bigInt(1n, 1_000n), fc.array(fc.bigInt(1n, 2_000n), { maxLength: 6 }))
  .chain(([step, some, others]) =>
    fc.record({
      step: fc.constant(step),
      all: fc.shuffledSubarray([some, some + 1n, ...others], { minLength: others.length + 2 }),
      at: fc.nat(others.length + 2),
    }),
  )
  .map(({ step, all, at }) => ({ step, all: all.map((multiple) => multiple * step), at }))

test('the step is the largest that all are multiples of, the lowest is the least, wherever the chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(prices, async ({ step, all, at }) => {
      const lowest = all.reduce((least, price) => (price < least ? price : least))
      expect(await priceStepsOf(ticks(all.slice(0, at), all.slice(at)))).toEqual({ step, lowest })
      expect(commonStep([BigInt64Array.from(all)])).toBe(step)
    }),
  )
})

test('of a bar every price counts', async () => {
  const columns = ['open', 'high', 'low', 'close'] as const
  for (const column of columns) {
    const bars = Object.fromEntries(
      columns.map((name) => [name, BigInt64Array.of(name === column ? 15n : 40n)]),
    )
    expect(await priceStepsOf(feedOf('bars', [bars]))).toEqual({ step: 5n, lowest: 15n })
  }
})

test('no prices have no step', async () => {
  expect(await priceStepsOf(ticks())).toBeNull()
  expect(commonStep([])).toBe(0n)
})
