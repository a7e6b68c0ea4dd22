// Prices of one feed on their way to all shards: in order, and never those of a feed that another has taken over.
import { expect, test } from 'vitest'
import { PriceSpread } from '../../src/host/cluster/priceSpread.ts'

function spread(send: (address: string, wave: object) => Promise<void> = async () => {}) {
  const taken: string[] = []
  const others = () => ['b', 'c']
  const prices = new PriceSpread({ others, send, take: (market, price) => taken.push(`${market} ${price}`) })
  return { prices, taken }
}

test('every node is told every price in its order, while one answers others wait', async () => {
  const told: Record<string, object[]> = { b: [], c: [] }
  const answers: (() => void)[] = []
  const { prices, taken } = spread((address, wave) => {
    told[address]?.push(wave)
    return address === 'b' ? Promise.resolve() : new Promise((resolve) => answers.push(resolve))
  })
  for (const price of [1n, 2n, 3n]) {
    prices.spread(7, 'm', price)
    await new Promise(setImmediate)
  }
  expect(taken).toEqual(['m 1', 'm 2', 'm 3'])
  expect(told.b).toEqual(['1', '2', '3'].map((price) => ({ epoch: 7, prices: [['m', price]] })))
  expect(told.c).toHaveLength(1)
  answers.shift()?.()
  await new Promise(setImmediate)
  expect(told.c?.[1]).toEqual({
    epoch: 7,
    prices: [
      ['m', '2'],
      ['m', '3'],
    ],
  })
})

test('prices of a feed that was taken over are ignored, those of the next owner are not', () => {
  const { prices, taken } = spread()
  for (const [epoch, price] of [
    [3, '30'],
    [4, '40'],
    [3, '31'],
    [4, '41'],
  ] as const)
    prices.hear({ epoch, prices: [['m', price]] })
  expect(taken).toEqual(['m 30', 'm 40', 'm 41'])
  prices.spread(3, 'm', 32n)
  expect(taken).toHaveLength(3)
})
