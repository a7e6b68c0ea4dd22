/** What an exchange of the package ccxt answers: asked again where it fails, every failure told in a sentence, its figures with all their digits. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Decimal } from 'decimal.js'
import { FeedError } from '../feed/feedError.ts'
import { type CcxtExchange, isPassing } from './ccxt.ts'

/** Whom is asked, and for which market. */
export interface CcxtMarket {
  /** `ccxt:NAME`. */
  readonly exchange: string
  /** As the package names it: BTC/USDT:USDT. */
  readonly symbol: string
}

/** What fetching needs of the machine. */
export interface Around {
  readonly now: Date
  /** Told as rows come: how many of this month or day, and which. */
  readonly onRows?: (rows: number, period: string) => void
  /** Before a request is made again, ms. */
  readonly wait?: (ms: number) => Promise<unknown>
}

const TRIES = 6

/** @throws RangeError for a symbol that the exchange does not have. */
export async function marketOf(exchange: CcxtExchange, asked: CcxtMarket, around: Around): Promise<void> {
  const names = Object.keys(await patiently(() => exchange.loadMarkets(), asked, around))
  if (!names.includes(asked.symbol))
    throw new RangeError(
      `${asked.exchange} has no market ${asked.symbol}; it has ${names.length}, such as ${names.slice(0, 3).join(', ')}`,
    )
}

/** Waits longer each time before it asks again. @throws FeedError where that does not help. */
export async function patiently<Answer>(
  ask: () => Promise<Answer>,
  { exchange, symbol }: CcxtMarket,
  { wait = sleep }: Around,
): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    try {
      return await ask()
    } catch (error) {
      const reason = (error as Error).message.split('\n')[0]
      if (!isPassing(error))
        throw new FeedError(`${exchange} ${symbol}`, null, `the exchange refuses (${reason})`)
      if (tried === TRIES)
        throw new FeedError(
          `${exchange} ${symbol}`,
          null,
          `the exchange did not answer in ${TRIES} tries (${reason}); fetch it again to go on`,
        )
      await wait(500 * 2 ** tried)
    }
  }
}

/** All digits, without an exponent. @throws RangeError for none. */
export function digits(figure: string | number | null | undefined): string {
  const value = figure === null || figure === undefined || figure === '' ? null : new Decimal(figure)
  if (value === null || !value.isFinite())
    throw new RangeError(`the exchange gives ${String(figure)} for a figure`)
  return value.toFixed()
}

/** A symbol without what no file may be called. */
export function plainName(symbol: string): string {
  return symbol.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
}
