/** The strategy over ten days of simulated minutes, once for each of three drops. */

import { formatDecimal } from 'margin-core'
import { demoFeed, runBacktest } from 'margin-core/backtest'
import afterTheDrop, { parameters } from './afterTheDrop.ts'

for (const drop of [0.004, 0.006, 0.008]) {
  const { verdict, statistics, trades } = await runBacktest({
    markets: [{ asset: 'BTC', feed: demoFeed('demo', 10) }],
    strategy: afterTheDrop({ ...parameters, asset: 'BTC', drop }),
  })
  const profit = formatDecimal(statistics.netProfit, 2)
  console.log(`drop of ${drop}: ${verdict.outcome}, ${trades.length} trades, ${profit} USD`)
}
