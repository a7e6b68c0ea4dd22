/**
 * Bars whose inner order decides a trade: a level that ends a position badly (stop-loss, liquidation) and one that ends
 * it well (take-profit) both lie within the range of the bar. Four prices cannot tell which came first.
 */
import type { Price } from '../../quantity/units.ts'
import type { Fill } from './fills.ts'
import type { Level } from './levels.ts'

/** A bar whose result depends on the path that the price took inside it. */
export interface AmbiguousBar {
  readonly marketId: string
  /** Epoch ms. */
  readonly openTime: number
  readonly positionId: string
  /** The stop-loss or the liquidation price nearest to the market, whichever is reached first. */
  readonly stopPrice: Price
  readonly takePrice: Price
  /** How the position ended in this run, in this bar; null where it stayed open. */
  readonly outcome: string | null
}

export class AmbiguousBarRecorder {
  readonly bars: AmbiguousBar[] = []
  #seenLevels = 0
  #seenFills = 0
  #standing: Level[] = []

  /** A bar of a market is complete; `levels` and `fills` are all of the run so far. */
  bar(
    bar: {
      readonly marketId: string
      readonly openTime: number
      readonly high: Price
      readonly low: Price
    },
    levels: readonly Level[],
    fills: readonly Fill[],
  ): void {
    for (; this.#seenLevels < levels.length; this.#seenLevels++)
      this.#standing.push(levels[this.#seenLevels] as Level)
    if (this.#standing.length === 0) return
    for (; this.#seenFills < fills.length; this.#seenFills++)
      if ((fills[this.#seenFills] as Fill).at >= bar.openTime) break
    const inside = this.#standing.filter(
      ({ marketId, price }) => marketId === bar.marketId && price >= bar.low && price <= bar.high,
    )
    for (const take of inside) if (take.kind === 'take') this.#judge(bar, take, inside, fills)
    this.#standing = this.#standing.filter(({ to, marketId }) => to === null || marketId !== bar.marketId)
  }

  #judge(
    bar: { readonly marketId: string; readonly openTime: number },
    take: Level,
    inside: readonly Level[],
    fills: readonly Fill[],
  ): void {
    const stop = inside.find(
      ({ kind, positionId }) => positionId === take.positionId && (kind === 'stop' || kind === 'liquidation'),
    )
    if (stop === undefined || this.#known(bar.openTime, take.positionId)) return
    const end = fills
      .slice(this.#seenFills)
      .find(({ positionId, pnl }) => positionId === take.positionId && pnl !== null)
    this.bars.push({
      marketId: bar.marketId,
      openTime: bar.openTime,
      positionId: take.positionId as string,
      stopPrice: stop.price,
      takePrice: take.price,
      outcome: end?.reason ?? null,
    })
  }

  /** Several take-profits of a position make one ambiguous bar. */
  #known(openTime: number, positionId: string | null): boolean {
    const last = this.bars.at(-1)
    return last !== undefined && last.openTime === openTime && last.positionId === positionId
  }
}
