/**
 * A strategy of one's own: buys after a sharp drop, with a stop-loss and a take-profit, risking a fixed part of equity.
 *
 *   npx margin-core backtest --strategy ./afterTheDrop.ts --param drop=0.004
 */
import { type Strategy, toNumber, toPrice } from 'margin-core/backtest'

/** Their defaults; `--param name=value` changes them, and other names are refused. */
export const parameters = { bars: 15, drop: 0.006, risk: '0.5%', leverage: '5' }

type Parameters = typeof parameters & { readonly asset: string }

export default function afterTheDrop({ asset, bars, drop, risk, leverage }: Parameters): Strategy {
  const closes: number[] = []
  return {
    name: `after a drop of ${drop} in ${bars} bars on ${asset}`,
    onBar(bar, context) {
      if (bar.asset !== asset) return
      const close = toNumber(bar.close)
      const before = closes.length === bars ? closes.shift() : undefined
      closes.push(close)
      if (before === undefined || close > before * (1 - drop) || context.positions(asset).length > 0) return
      const order = { asset, direction: 'long', sizeBy: { risk }, leverage } as const
      const stopLoss = toPrice(close * (1 - drop))
      const takeProfit = toPrice(close * (1 + drop))
      return thenNothing(context.open({ ...order, stopLoss, takeProfit }))
    },
  }
}

/** A refused order is counted by the run; this strategy does not mind. */
async function thenNothing(action: unknown): Promise<void> {
  await action
}
