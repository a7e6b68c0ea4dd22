/** Listing a market and changing its parameters. */

import type { ConfigureMarket, MarketConfiguration } from '../../events/command.ts'
import { ONE } from '../../quantity/fp9.ts'
import { leavesRoom, scaledRateUp } from '../../quantity/products.ts'
import type { Quote } from '../../quantity/units.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import type { MarketParameters } from '../../terms/marketParameters.ts'
import { MARKET_DEFAULTS, NULLABLE_MARKET_PARAMETERS } from '../../terms/parameterFields.ts'
import type { Decision } from '../flows/decision.ts'
import type { Market } from '../state/market.ts'
import type { World } from '../state/world.ts'

/** Tickers that the read paths could not tell from a literal segment (I12). */
const RESERVED_ASSETS = ['portfolio']

export function configureMarket(
  decision: Decision,
  { market: configuration }: ConfigureMarket,
): Rejection | null {
  const known = decision.world.markets.get(configuration.id)
  return known === undefined
    ? listMarket(decision, configuration)
    : changeParameters(decision, known, configuration)
}

function listMarket(decision: Decision, configuration: MarketConfiguration): Rejection | null {
  const { id, baseAsset, ticker, category } = configuration
  if (baseAsset == null) return invalid('market.baseAsset')
  if (ticker == null) return invalid('market.ticker')
  if (category == null) return invalid('market.category')
  if (RESERVED_ASSETS.includes(baseAsset) || isListed(decision.world, baseAsset))
    return invalid('market.baseAsset')
  const parameters = merge({ id, baseAsset, ticker, category, ...MARKET_DEFAULTS }, configuration)
  const fault = parameterFault(parameters)
  if (fault !== null) return invalid(`market.${fault}`)
  const indexPrice = configuration.indexPrice ?? 0n
  decision.emit({
    type: 'marketListed',
    marketId: id,
    parameters,
    status: configuration.status ?? 'open',
    indexPrice,
    priceAt: indexPrice === 0n ? null : (configuration.priceAt ?? decision.at),
  })
  if (isShard(decision.world))
    decision.emit({ type: 'notionalQuotaSet', marketId: id, quotaLong: 0n, quotaShort: 0n })
  return null
}

/** Where other markets have quotas a new one begins with nothing: until it is given more, other shards hold it all (C5). */
function isShard(world: World): boolean {
  for (const { quota } of world.markets.values()) if (quota !== null) return true
  return false
}

function isListed(world: World, baseAsset: string): boolean {
  for (const market of world.markets.values()) if (market.parameters.baseAsset === baseAsset) return true
  return false
}

/** A known market keeps its identity, and its price comes from ticks: fields that would change either are refused. */
function changeParameters(
  decision: Decision,
  market: Market,
  configuration: MarketConfiguration,
): Rejection | null {
  if (configuration.indexPrice != null) return invalid('market.indexPrice')
  if (configuration.priceAt != null) return invalid('market.priceAt')
  for (const field of ['baseAsset', 'category'] as const)
    if (configuration[field] != null && configuration[field] !== market.parameters[field])
      return invalid(`market.${field}`)
  const parameters = merge(market.parameters, configuration)
  const fault = parameterFault(parameters)
  if (fault !== null) return invalid(`market.${fault}`)
  const before = market.parameters
  decision.emit({ type: 'marketConfigured', marketId: market.id, parameters })
  fitQuotas(decision, market, before)
  if (configuration.status != null && configuration.status !== market.status)
    decision.emit({ type: 'marketStatusChanged', marketId: market.id, status: configuration.status })
  return null
}

/**
 * Quotas that fitted a maximum fit a larger one. Of a smaller one, and of the first, a quota is nothing until the shard has taken
 * its part anew: more than that may be open elsewhere (C5).
 */
function fitQuotas(decision: Decision, { id, quota, parameters }: Market, before: MarketParameters): void {
  if (quota === null) return
  const quotaLong = fits(before.maxOpenNotionalLong, parameters.maxOpenNotionalLong) ? quota.long : 0n
  const quotaShort = fits(before.maxOpenNotionalShort, parameters.maxOpenNotionalShort) ? quota.short : 0n
  if (quotaLong !== quota.long || quotaShort !== quota.short)
    decision.emit({ type: 'notionalQuotaSet', marketId: id, quotaLong, quotaShort })
}

function fits(was: Quote | null, maximum: Quote | null): boolean {
  return maximum === null || (was !== null && was <= maximum)
}

/** `undefined` keeps what there is; null means null only where null is a value. */
function merge(base: MarketParameters, configuration: MarketConfiguration): MarketParameters {
  const given: Record<string, unknown> = {}
  for (const field in base) {
    const value = configuration[field as keyof MarketParameters]
    if (value !== undefined && (value !== null || NULLABLE_MARKET_PARAMETERS.has(field))) given[field] = value
  }
  return { ...base, ...(given as Partial<MarketParameters>) }
}

/** The first parameter outside its range; null when all are inside. */
function parameterFault(parameters: MarketParameters): keyof MarketParameters | null {
  if (parameters.spread >= ONE) return 'spread'
  if (parameters.feeRate >= ONE) return 'feeRate'
  if (parameters.maxLeverage < parameters.minLeverage) return 'maxLeverage'
  if (parameters.minStopDistance >= ONE) return 'minStopDistance'
  if (parameters.scalpingCoefficient < ONE) return 'scalpingCoefficient'
  if (scaledRateUp(parameters.spread, parameters.scalpingCoefficient) >= ONE) return 'scalpingCoefficient'
  if (parameters.fundingIntervalMs < 1_000) return 'fundingIntervalMs'
  if (!leavesRoom(parameters.maintenanceMarginRate, parameters.spread, parameters.maxLeverage))
    return 'maintenanceMarginRate'
  return null
}
