// Checked by the compiler: `npm run typecheck` fails when a line below that must not compile does.

import { expectTypeOf, test } from 'vitest'
import {
  type Base,
  type Leverage,
  liquidationPrice,
  notionalDown,
  type Price,
  type Quote,
  type Rate,
  sizeDown,
} from '../../../src/index.ts'

test('a quantity of one unit is refused where another is due', () => {
  expectTypeOf<Base>().not.toExtend<Quote>()
  expectTypeOf<Quote>().not.toExtend<Base>()
  expectTypeOf<Price>().not.toExtend<Quote>()
  expectTypeOf<Rate>().not.toExtend<Leverage>()
  expectTypeOf<Leverage>().not.toExtend<Rate>()

  const size: Base = 2n
  const price: Price = 3n
  const quote: Quote = notionalDown(size, price)
  // @ts-expect-error a price is no size
  notionalDown(price, size)
  // @ts-expect-error a notional is a quote amount
  const wrong: Base = notionalDown(size, price)
  // @ts-expect-error a size is no notional
  sizeDown(size, price)
  // @ts-expect-error a size is no margin
  liquidationPrice({ direction: 'long', size, notional: quote, margin: size }, 0n)
  expectTypeOf(wrong).toExtend<bigint>()
})

test('literals and sums pass without a cast', () => {
  const margin: Quote = 5n
  const sum: Quote = margin + 3n
  const negated: Quote = -sum
  expectTypeOf(negated).toExtend<bigint>()
  expectTypeOf<bigint>().toExtend<Quote>()
})
