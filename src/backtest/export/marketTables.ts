/** A run against its markets as tables: how its days hang on theirs, how that changed, and how it fared where they moved most. */
import { formatInstant } from '../../projections/wire.ts'
import { formatDecimal } from '../../quantity/decimal.ts'
import type { AgainstMarkets } from '../beside/againstMarkets.ts'
import type { Row } from './tables.ts'

/** By the names of their files without the end `.csv`. */
export function marketTables({ links, periods }: AgainstMarkets): Readonly<Record<string, readonly Row[]>> {
  return {
    markets: links.map(({ rolling: _rolling, ...link }) => ({
      market: link.market,
      returns: link.returns,
      beta: link.beta ?? '',
      betaError: link.betaError ?? '',
      correlation: link.correlation ?? '',
      alpha: link.alpha ?? '',
      alphaError: link.alphaError ?? '',
    })),
    rollingBeta: links.flatMap(({ market, rolling }) =>
      rolling.map(({ day, beta, correlation }) => ({
        market,
        day: formatInstant(1_000 * day).slice(0, 10),
        beta: beta ?? '',
        correlation: correlation ?? '',
      })),
    ),
    stress: periods.map(({ kind, name, market, from, to, ...figures }) => ({
      ...{ kind, name: name ?? '', market, from: formatInstant(from), to: formatInstant(to) },
      marketReturn: figures.marketReturn ?? '',
      netProfit: figures.netProfit === null ? '' : formatDecimal(figures.netProfit),
      totalReturn: figures.totalReturn ?? '',
      maxDrawdown: figures.maxDrawdown ?? '',
      trades: figures.trades ?? '',
    })),
  }
}
