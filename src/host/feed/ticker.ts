/** Ticker streams of exchanges as text: what is said to them, and where in what they say symbol, price and time stand. */
import { fp9 } from '../../quantity/decimal.ts'
import type { Price } from '../../quantity/units.ts'

/** How an exchange speaks. */
export interface TickerFormat {
  /** What asks for tickers, with `{arguments}` for one argument for each symbol, parted by commas. */
  readonly subscribe: string
  /** With `{symbol}`, or `{lower}` for it in lower case. */
  readonly argument: string
  /** Where a list of tickers stands; null: the frame is one. Paths are names and places parted by dots. */
  readonly rows: string | null
  /** From a ticker: where its symbol, its price and its time stand. */
  readonly symbol: string
  readonly price: string
  /** ISO 8601, or milliseconds since 1970; null: it tells none. */
  readonly time: string | null
  /** What is said every {@link pingMs}; null = nothing. */
  readonly ping: string | null
  readonly pingMs: number
}

export interface Ticker {
  readonly symbol: string
  readonly price: Price
  /** By the clock of the exchange, epoch ms; null where it does not say. */
  readonly at: number | null
}

/** Symbols that are asked for at once: the least that any exchange takes is ten. */
const SYMBOLS_A_MESSAGE = 10

export function subscriptions(format: TickerFormat, symbols: readonly string[]): string[] {
  const messages: string[] = []
  for (let from = 0; from < symbols.length; from += SYMBOLS_A_MESSAGE) {
    const some = symbols.slice(from, from + SYMBOLS_A_MESSAGE)
    const parts = some.map((symbol) =>
      format.argument.replaceAll('{symbol}', symbol).replaceAll('{lower}', symbol.toLowerCase()),
    )
    messages.push(format.subscribe.replaceAll('{arguments}', parts.join(',')))
  }
  return messages
}

/** Answers to pings that are no JSON. */
const PONG = 'pong'

/**
 * The tickers of a frame; none in an acknowledgement or a heartbeat.
 *
 * @throws RangeError where it is no JSON, or a price or a time is none.
 */
export function tickersIn(text: string, { rows, symbol, price, time }: TickerFormat): Ticker[] {
  if (text === PONG) return []
  const frame = parsed(text)
  const list = rows === null ? [frame] : at(frame, rows)
  const tickers: Ticker[] = []
  for (const row of Array.isArray(list) ? list : []) {
    const [name, value] = [at(row, symbol), at(row, price)]
    // A frame that tells what has changed may leave the price out.
    if (typeof name !== 'string' || value === undefined) continue
    tickers.push({ symbol: name, price: priceIn(value), at: time === null ? null : timeIn(at(row, time)) })
  }
  return tickers
}

/** JSON with its numbers as texts: a price that is written as a number is never a float. */
function parsed(text: string): unknown {
  const quoted = text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`))
  try {
    return JSON.parse(quoted)
  } catch {
    throw new RangeError('not JSON')
  }
}

/** A text that does not end goes on to the end: looked for from each of its quotes, a frame of 80 KB would take half a minute. */
const TOKENS = /"(?:[^"\\]|\\.?)*(?:"|$)|-?\d[\d.eE+-]*/gs

function at(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

const PRICE = /^\d{1,20}(?:\.\d{1,30})?$/

/** Nine decimals at most that are not zero: a price is what was told, or none. */
function priceIn(value: unknown): Price {
  if (typeof value !== 'string' || !PRICE.test(value)) throw new RangeError('not a price')
  const price = fp9(value)
  if (price === 0n) throw new RangeError('not a price')
  return price
}

/** Milliseconds between 2001 and 2286. */
const EPOCH_MS = /^\d{13}$/
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/

function timeIn(value: unknown): number | null {
  if (value === undefined) return null
  if (typeof value === 'string' && EPOCH_MS.test(value)) return Number(value)
  const time = typeof value === 'string' && ISO.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new RangeError('not a time')
  return time
}
