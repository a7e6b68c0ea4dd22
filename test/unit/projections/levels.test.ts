import { expect, test } from 'vitest'
import { entryPrice, fp9, liquidationPrice } from '../../../src/index.ts'
import { Venue } from '../venue.ts'

test('asset, entry, index and liquidation price of an open position are one call away', () => {
  const venue = new Venue()
  const position = venue.open()
  venue.tick('104')
  const { read } = venue.engine
  const { baseAsset, maintenanceMarginRate } = read.marketParameters(position.marketId) as NonNullable<
    ReturnType<typeof read.marketParameters>
  >
  expect(read.levels(position.id)).toEqual({
    asset: baseAsset,
    entryPrice: entryPrice(position),
    indexPrice: fp9('104'),
    liquidationPrice: liquidationPrice(position, maintenanceMarginRate),
  })
})

test('a position that is closed, or was never there, has none', () => {
  const venue = new Venue()
  const position = venue.open()
  venue.close()
  expect(venue.engine.read.levels(position.id)).toBeUndefined()
  expect(venue.engine.read.levels('none')).toBeUndefined()
})
