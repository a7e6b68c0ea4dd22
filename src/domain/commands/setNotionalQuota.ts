/** What a shard of a cluster may hold of a market's open notional (C5). */

import type { SetNotionalQuota } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'

/** The quota from here on; what is open beyond it stays open. */
export function setNotionalQuota(
  decision: Decision,
  { marketId, quotaLong, quotaShort }: SetNotionalQuota,
): Rejection | null {
  const market = decision.world.markets.get(marketId)
  if (market === undefined) return rejection('market_not_found')
  if (market.quota?.long === quotaLong && market.quota.short === quotaShort) return null
  decision.emit({ type: 'notionalQuotaSet', marketId: market.id, quotaLong, quotaShort })
  return null
}
