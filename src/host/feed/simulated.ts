/** Moving prices out of nothing: a seeded random walk per market, held near where it began. */
import { createHash } from 'node:crypto'
import { ONE } from '../../quantity/fp9.ts'
import { loweredPriceDown, raisedPriceUp, scaledRateUp } from '../../quantity/products.ts'
import type { Price, Rate } from '../../quantity/units.ts'
import type { SimulatedFeedConfiguration } from '../configuration.ts'
import { unattended } from '../unattended.ts'
import { type FedVenue, type RunningFeed, tick } from './runningFeed.ts'

export function simulatedFeed(
  { seed, intervalMs, step }: SimulatedFeedConfiguration,
  venue: FedVenue,
): RunningFeed {
  const { engine } = venue
  const walks = engine.read
    .markets()
    .filter(({ state }) => state.indexPrice > 0n)
    .map(({ id, state }) => ({ id, next: priceWalk(`${seed} ${id}`, state.indexPrice, step) }))
  const tickAll = unattended(engine, () => {
    for (const { id, next } of walks) tick(venue, id, next())
  })
  tickAll()
  const timer = setInterval(tickAll, intervalMs).unref()
  return { stop: () => clearInterval(timer) }
}

/** How far a price may drift before the walk leans back: a fifth of where it began. */
const DRIFT: Rate = 200_000_000n

/**
 * Each call moves the price by a uniform fraction of up to `step`, up or down; beyond a fifth from the start it only
 * moves back. The same seed gives the same prices.
 */
export function priceWalk(seed: string, start: Price, step: Rate): () => Price {
  const random = randomFractions(seed)
  const [low, high] = [loweredPriceDown(start, DRIFT), raisedPriceUp(start, DRIFT)]
  let price = start
  return () => {
    const draw = random()
    const move = scaledRateUp(step, draw < HALF ? draw + draw : draw + draw - ONE)
    const up = price < low || (price <= high && draw < HALF)
    const moved = up ? raisedPriceUp(price, move) : loweredPriceDown(price, move)
    price = moved > 0n ? moved : start
    return price
  }
}

const HALF = ONE / 2n

/** Fractions in [0, 1) as fp9, from a SHA-256 chain: slow for a simulation, ample for a few ticks a second. */
function randomFractions(seed: string): () => Rate {
  let state = createHash('sha256').update(seed).digest()
  return () => {
    state = createHash('sha256').update(state).digest()
    return BigInt(state.readUInt32BE(0)) % ONE
  }
}
