/** When: mostly moments later, and again and again at the two sides of a window's edge. */
import type { Dice } from '../dice.ts'
import type { Model } from '../model.ts'
import type { Memory } from './scene.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** The instant of the next intent. */
export function nextInstant(model: Model, dice: Dice, memory: Memory): number {
  const { now } = model
  const kind = dice.below(100)
  if (kind < 20) return now
  if (kind < 74) return now + dice.below(1_500)
  if (kind < 84) return now + dice.below(MINUTE)
  const within = dice.weighted([
    [60, 2 * MINUTE],
    [34, HOUR + SECOND],
    [6, DAY],
  ])
  const edges = [...edgesAfter(model, memory)].filter((edge) => edge > now && edge <= now + within)
  const edge = dice.pick(edges)
  return edge === undefined ? now + 1 : Math.max(now, edge + dice.pick([0, -1, 1] as const))
}

/** Where windows end and instants fall. */
function* edgesAfter(model: Model, memory: Memory): Generator<number> {
  for (const position of model.open.values()) {
    yield position.lastIncreaseAt + MINUTE
    const { scalpingWindowMs } = model.market(position.marketId).parameters
    if (scalpingWindowMs > 0) yield position.lastIncreaseAt + scalpingWindowMs
  }
  for (const { priceAt, parameters } of model.markets.values()) {
    if (priceAt !== null) yield priceAt + parameters.maxPriceAgeMs
    yield (Math.floor(model.now / parameters.fundingIntervalMs) + 1) * parameters.fundingIntervalMs
  }
  for (const { at } of memory.keyed.slice(-4)) yield at + HOUR
  yield (Math.floor(model.now / DAY) + 1) * DAY
}
