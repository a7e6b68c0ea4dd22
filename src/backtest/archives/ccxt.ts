/**
 * Exchanges by the package `ccxt`, which is loaded where it is asked for: what of it is used. Written from its manual
 * (https://docs.ccxt.com), 4.5.
 */
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** A figure as text where the exchange is told to give it so, else a double. */
type Figure = string | number | null | undefined

/** One exchange of the package. */
export interface CcxtExchange {
  readonly has: Readonly<Record<string, unknown>>
  readonly timeframes?: Readonly<Record<string, unknown>>
  /** What makes figures of text: `String` keeps their digits. */
  number?: unknown
  loadMarkets(): Promise<Readonly<Record<string, unknown>>>
  parseTimeframe(timeframe: string): number
  fetchOHLCV(
    symbol: string,
    timeframe: string,
    since: number,
    limit: number,
  ): Promise<readonly (readonly Figure[])[]>
  fetchFundingRateHistory(symbol: string, since: number, limit: number): Promise<readonly CcxtFunding[]>
  fetchTrades(
    symbol: string,
    since: number | undefined,
    limit: number,
    params: { readonly until: number } | { readonly fromId: string },
  ): Promise<readonly CcxtTrade[]>
}

export interface CcxtTrade {
  readonly id?: string | number | null
  readonly timestamp?: number | null
  readonly side?: string | null
  readonly price?: Figure
  readonly amount?: Figure
}

interface CcxtFunding {
  readonly timestamp?: number | null
  readonly fundingRate?: Figure
}

/** The names of errors that go by themselves: of `NetworkError` and what follows from it. */
const PASSING =
  /^(?:NetworkError|DDoSProtection|RateLimitExceeded|ExchangeNotAvailable|OnMaintenance|RequestTimeout|InvalidNonce|ChecksumError)$/

export function isPassing(error: unknown): boolean {
  return error instanceof Error && (PASSING.test(error.name) || PASSING.test(error.constructor.name))
}

/**
 * An exchange by its name in the package, which keeps to its own limit of requests and gives figures with all their digits.
 *
 * @param folder the package is looked for from here on, and then beside this one.
 * @throws RangeError where the package is not installed, or has no such exchange.
 */
export async function ccxtExchange(name: string, folder: string): Promise<CcxtExchange> {
  const place = placeOf(folder)
  if (place === null)
    throw new RangeError(`ccxt:${name} needs the package ccxt: npm install --ignore-scripts ccxt`)
  const loaded = (await import(pathToFileURL(place).href)) as Record<string, unknown>
  const all = (loaded.default ?? loaded) as Record<string, unknown>
  const names = Array.isArray(all.exchanges) ? (all.exchanges as string[]) : []
  const Exchange = names.includes(name) ? all[name] : undefined
  if (typeof Exchange !== 'function')
    throw new RangeError(
      `the package ccxt has no exchange ${name}; it has ${names.length}, such as binanceusdm, bybit, okx`,
    )
  const exchange = new (Exchange as new (options: object) => CcxtExchange)({ enableRateLimit: true })
  exchange.number = String
  return exchange
}

function placeOf(folder: string): string | null {
  for (const from of [path.join(folder, 'package.json'), import.meta.url])
    try {
      return createRequire(from).resolve('ccxt')
    } catch {}
  return null
}
