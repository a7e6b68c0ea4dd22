/** Prices at, one unit before and one unit beyond the levels where something happens. */

import { ONE } from '../../quantity/fp9.ts'
import type { Dice } from '../dice.ts'
import { equity, floors } from '../modelAccount.ts'
import { firing, liquidationLevel, unrealized } from '../modelLevel.ts'
import type { ModelMarket, ModelPosition } from '../modelState.ts'
import { type Inputs, isPriced, type Scene, somewhere } from './scene.ts'

/** Parts of ten thousand. */
function basisPoints(price: bigint, points: bigint): bigint {
  return (price * points) / 10_000n
}

/** A tick of some market. */
export function* tick(scene: Scene): Inputs {
  const { dice, at } = scene
  const market = somewhere(scene)
  const unpriced = market.priceAt === null && !dice.chance(2)
  if (unpriced) return
  yield { command: { type: 'updatePrice', marketId: market.id, indexPrice: nextPrice(scene, market) }, at }
}

/** Brings a stale price up to date, usually without moving it; rarely leaves it stale. */
export function* refresh({ dice, at }: Scene, market: ModelMarket): Inputs {
  if (isPriced(market, at) || market.priceAt === null || dice.chance(6)) return
  const step = dice.chance(30) ? basisPoints(market.indexPrice, dice.between(-15n, 15n)) : 0n
  yield { command: { type: 'updatePrice', marketId: market.id, indexPrice: market.indexPrice + step }, at }
}

function nextPrice(scene: Scene, market: ModelMarket): bigint {
  const { dice, memory } = scene
  const here = market.indexPrice
  const home = memory.home.get(market.id) ?? here
  if (here === 0n) return home === 0n ? 1_000_000_000n : home
  if (here > home * 3n) return basisPoints(here, 9_500n)
  if (here * 3n < home) return basisPoints(here, 10_500n)
  const kind = dice.below(100)
  if (kind < 8) return here
  if (kind < 52) return positive(here + basisPoints(here, dice.between(-40n, 40n)))
  if (kind < 58) return positive(here + dice.nudge())
  const level = kind < 88 ? dice.pick(levelsOn(scene, market)) : undefined
  if (level !== undefined) return positive(level + dice.nudge())
  return positive(here + basisPoints(here, dice.between(-500n, 500n)))
}

/** Levels near enough to be walked to. */
function levelsOn(scene: Scene, market: ModelMarket): bigint[] {
  const { model } = scene
  const levels: bigint[] = []
  for (const position of model.open.values()) {
    const level = position.marketId === market.id ? liquidationLevel(position, market) : null
    if (level !== null) levels.push(level)
  }
  for (const order of model.active.values()) {
    const at = order.placed.marketId === market.id ? firing(order, market) : null
    if (at !== null) levels.push(at.level)
  }
  for (const position of model.open.values())
    if (position.marketId === market.id) levels.push(...floorLevels(scene, position, market))
  const near = market.indexPrice / 8n
  return levels.filter((level) => level > market.indexPrice - near && level < market.indexPrice + near)
}

/** Where this position alone takes its account's equity to a drawdown floor, and one unit below it. */
function floorLevels({ model, at }: Scene, position: ModelPosition, market: ModelMarket): bigint[] {
  const account = model.account(position.accountId)
  const rest = equity(model, account, at) - unrealized(position, market.indexPrice, at)
  const { direction, size, notional } = position
  return floors(account).flatMap((floor) =>
    [floor - rest, floor - rest - 1n].map((pnl) =>
      direction === 'long' ? ((notional + pnl) * ONE + size - 1n) / size : ((notional - pnl) * ONE) / size,
    ),
  )
}

/** A price on the far side of `from`: at it, one unit past it, or up to `points` basis points past it. */
export function beyond(dice: Dice, from: bigint, above: boolean, points = 150n): bigint {
  const distance = dice.weighted([
    [1, 0n],
    [1, 1n],
    [6, basisPoints(from, dice.between(1n, points)) + 1n],
  ])
  return positive(above ? from + distance : from - distance)
}

/** A move in favour of a position, and the close that follows inside or right after its minute. */
export function favourable(dice: Dice, position: ModelPosition, market: ModelMarket): bigint {
  const step = basisPoints(market.indexPrice, dice.between(20n, 200n)) + 1n
  return positive(market.indexPrice + (position.direction === 'long' ? step : -step))
}

export function positive(price: bigint): bigint {
  return price > 0n ? price : 1n
}
