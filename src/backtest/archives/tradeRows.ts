/** Trades as rows of a file: what is written of each, their order, and what an interruption left of a file. */
import { readFile, truncate } from 'node:fs/promises'
import type { CcxtTrade } from './ccxt.ts'
import { digits } from './ccxtAnswer.ts'

export interface PastTrade {
  /** Epoch ms. */
  readonly time: number
  readonly id: string
  /** The rest of its row. */
  readonly text: string
}

export const TRADES_HEADER = 'time_ms,id,side,price,amount\n'

/** What needs no quotes in a table. */
const ID = /^[\w./+=:@#-]{1,100}$/
const ROW = /^(\d+),([\w./+=:@#-]{1,100}),((?:buy|sell)?,\d+(?:\.\d+)?,(?:\d+(?:\.\d+)?)?)$/

/** @throws RangeError for one without a time, a price, or an id: what comes twice could not be told from what happened twice. */
export function pastTrade({ id, timestamp, side, price, amount }: CcxtTrade): PastTrade {
  const name = id === null || id === undefined ? '' : String(id)
  if (name === '')
    throw new RangeError('the exchange gives its trades no ids: one that comes twice looks like two')
  if (!ID.test(name)) throw new RangeError(`the exchange gives ${JSON.stringify(name)} for the id of a trade`)
  const time = Number(timestamp ?? Number.NaN)
  if (!Number.isSafeInteger(time))
    throw new RangeError(`the exchange gives ${String(timestamp)} for the time of a trade`)
  const taken = side === 'buy' || side === 'sell' ? side : ''
  const size = amount === null || amount === undefined ? '' : digits(amount)
  return { time, id: name, text: `${taken},${digits(price)},${size}` }
}

export function rowOf({ time, id, text }: PastTrade): string {
  return `${time},${id},${text}\n`
}

/** By time; those of one instant by their ids, numbers by their size and before texts: whatever the pages were, the file is the same. */
export function inOrderOfTrading(one: PastTrade, other: PastTrade): number {
  return one.time - other.time || byId(one.id, other.id)
}

function byId(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((id) => /^\d+$/.test(id)) as [boolean, boolean]
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (isNumber && one.length !== other.length) {
    const [size, otherSize] = [BigInt(one), BigInt(other)]
    if (size !== otherSize) return size < otherSize ? -1 : 1
  }
  return one < other ? -1 : one > other ? 1 : 0
}

/** What a begun file holds. */
interface Begun {
  readonly rows: number
  /** The trades of its last instant, which are no longer in it: there may be more of that instant. */
  readonly last: readonly PastTrade[]
}

/** Takes from a begun file what is no row of its day after the row before, and the last instant; `null` where nothing is left. */
export async function begunTrades(part: string, from: number, to: number): Promise<Begun | null> {
  const text = await readFile(part, 'latin1').catch(() => '')
  if (!text.startsWith(TRADES_HEADER)) return null
  let [rows, whole, last]: [number, number, PastTrade[]] = [0, TRADES_HEADER.length, []]
  let lastAt = whole
  for (let end = text.indexOf('\n', whole); end !== -1; end = text.indexOf('\n', whole)) {
    const trade = tradeIn(text.slice(whole, end))
    const before = last.at(-1)
    if (trade === null || trade.time < from || trade.time >= to) break
    if (before !== undefined && inOrderOfTrading(before, trade) >= 0) break
    if (before === undefined || before.time !== trade.time) [last, lastAt] = [[], whole]
    last.push(trade)
    rows += 1
    whole = end + 1
  }
  if (rows === 0) return null
  await truncate(part, lastAt)
  return { rows: rows - last.length, last }
}

function tradeIn(line: string): PastTrade | null {
  const [, time, id, text] = ROW.exec(line) ?? []
  return time === undefined || id === undefined || text === undefined
    ? null
    : { time: Number(time), id, text }
}
