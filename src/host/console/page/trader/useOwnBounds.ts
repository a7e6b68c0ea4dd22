// A market with the bounds of an account: the stream tells a market once for everybody, a read of it as it applies to the account.
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ApiAccount, ApiMarket, MarginTradingClient } from '../../../../client/client.ts'

/** The market, its leverage bounded as on the account; until that is read, as the market alone bounds it. */
export function useOwnBounds<Market extends ApiMarket | undefined>(
  client: MarginTradingClient,
  account: Pick<ApiAccount, 'accountId' | 'currentPhase'> | undefined,
  market: Market,
): Market {
  const [highest, setHighest] = useState<ReadonlyMap<string, string>>(new Map())
  const { accountId, currentPhase } = account ?? {}
  const config = market?.config
  useEffect(() => {
    if (accountId === undefined) return
    let isGone = false
    const read = (markets: readonly ApiMarket[]) => {
      if (!isGone) setHighest(new Map(markets.map(({ id, config: { maxLeverage } }) => [id, maxLeverage])))
    }
    // Where it cannot be read, an order beyond the bound is refused by the venue, with the bound.
    client.markets(accountId).then(read, () => {})
    return () => {
      isGone = true
    }
  }, [client, accountId, currentPhase, config])
  const maxLeverage = market === undefined ? undefined : highest.get(market.id)
  return useMemo(
    () =>
      market === undefined || maxLeverage === undefined
        ? market
        : { ...market, config: { ...market.config, maxLeverage } },
    [market, maxLeverage],
  )
}
