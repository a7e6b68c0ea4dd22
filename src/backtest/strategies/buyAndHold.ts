/** Buy and hold: what every strategy has to be compared with. */
import type { Strategy } from '../strategy/strategy.ts'

/** Percent of the equity that is held; the rest is left for funding. */
const HELD = 99

/** Buys every market once, at its first bar and without borrowing, for equal shares of the equity, and holds to the end. */
export function buyAndHold(assets: readonly string[]): Strategy {
  const bought = new Set<string>()
  const share = `${Math.floor((HELD * 10_000) / assets.length) / 10_000}%`
  return {
    name: 'buy and hold',
    async onBar({ asset }, context) {
      if (bought.has(asset)) return
      bought.add(asset)
      await context.open({ asset, direction: 'long', sizeBy: { margin: share }, leverage: '1' })
    },
  }
}
