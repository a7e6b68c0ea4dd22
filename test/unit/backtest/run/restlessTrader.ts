/** A strategy that does everything a strategy can do, by seeded chance, so that a run reaches every rule. */
import { Random } from '../../../../src/backtest/simulated/random.ts'
import type {
  EntryOrder,
  SizeBy,
  Strategy,
  StrategyContext,
} from '../../../../src/backtest/strategy/strategy.ts'
import type { Direction } from '../../../../src/terms/direction.ts'

const SIZES: readonly SizeBy[] = [
  { margin: '5%' },
  { margin: '400' },
  { notional: '40%' },
  { base: '0.02' },
  { risk: '0.7%' },
]

/** Acts after about one bar in `rarity`. */
export function restlessTrader(seed: string, assets: readonly string[], rarity = 4): Strategy {
  const random = new Random(seed)

  function entry(asset: string, price: bigint): EntryOrder {
    const direction: Direction = random.below(2) === 0 ? 'long' : 'short'
    const sign = direction === 'long' ? 1n : -1n
    const away = (price * BigInt(1 + random.below(30))) / 10_000n
    const type = (['market', 'limit', 'stop_market', 'stop_limit'] as const)[random.below(4)] ?? 'market'
    const trigger = type === 'limit' ? price - sign * away : price + sign * away
    const from = type === 'market' ? price : trigger
    const sizeBy = SIZES[random.below(SIZES.length)] as SizeBy
    const attached = random.below(2) === 0 || 'risk' in sizeBy
    return {
      asset,
      direction,
      type,
      sizeBy,
      leverage: String(1 + random.below(60)),
      ...(type === 'market' ? {} : { triggerPrice: trigger }),
      ...(type === 'stop_limit' ? { stopLimitPrice: trigger - sign * (away / 2n) } : {}),
      ...(attached ? { stopLoss: from - 2n * sign * away, takeProfit: from + 3n * sign * away } : {}),
      ...(random.below(3) === 0 ? { maxSlippage: '1%' } : {}),
    }
  }

  async function act(asset: string, context: StrategyContext): Promise<void> {
    const price = context.market(asset).state.indexPrice
    const [position] = context.positions(asset)
    const [order] = context.orders(asset)
    const choice = random.below(12)
    if (choice < 5 || position === undefined) await context.open(entry(asset, price))
    else if (choice < 6) await context.close({ position })
    else if (choice < 7) await context.close({ position, size: position.size / 3n })
    else if (choice < 8) await context.close({ position, type: 'trailing_stop', offsetPercent: '0.4%' })
    else if (choice < 9)
      await context.changeMargin(
        position,
        random.below(2) === 0 ? position.margin / 4n : -position.margin / 9n,
      )
    else if (choice < 10 && order !== undefined) await context.cancel(order.id)
    else if (choice < 11 && order !== undefined)
      await context.edit(order.id, { amount: (order.amount * 9n) / 10n })
    else if (random.below(10) === 0) await context.closeAll()
  }

  return {
    name: `restless trader ${seed}`,
    onBar({ asset }, context) {
      if (assets.includes(asset) && random.below(rarity) === 0) return act(asset, context)
    },
  }
}
