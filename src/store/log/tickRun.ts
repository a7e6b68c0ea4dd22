/**
 * A run of ticks, each of which changed nothing but its market's price, as differences: about four bytes a tick where the
 * commits themselves take 44. It stands for exactly the commits it was made from.
 *
 * A zero, which no commit begins with, and the form (1); how many ticks; how many markets, and of each its id and the
 * power of ten that all its prices are multiples of; the time of the first. Then of each tick its market, where there are
 * several; how much later it is than the one before; and the difference from the price before it of the same market, in
 * multiples of that power, twice its size, less one where it is negative.
 */
import { type ByteReader, MalformedBytes } from '../../events/codec/byteReader.ts'
import type { ByteWriter } from '../../events/codec/byteWriter.ts'
import { joined } from '../../events/codec/halves.ts'
import type { Commit } from '../../events/commit.ts'
import { isPlainTick, tickCommit } from '../../events/tickColumns.ts'

const FORM = 1
/** Prices below this have differences that a count holds, doubled. In fp9 that is 4.5 million. */
const PRICE_LIMIT = 2 ** 52
const TWO_32 = 4_294_967_296
/** Prices are tried as multiples of up to this power of ten. */
const LARGEST_POWER = 9
const POWERS = Array.from({ length: LARGEST_POWER + 1 }, (_, power) => 10 ** power)

interface Market {
  readonly id: string
  readonly index: number
  power: number
  /** The price before, in multiples. */
  last: number
}

/** Where the run of ticks that begins at a place ends: there itself when what stands there is none. */
export function ticksFrom(commits: readonly Commit[], from: number): number {
  let end = from
  let at = commits[from]?.at ?? 0
  while (end < commits.length && fits(commits[end] as Commit, at)) at = (commits[end++] as Commit).at
  return end
}

function fits(commit: Commit, before: number): boolean {
  if (commit.at < before || !isPlainTick(commit)) return false
  const price = Number(commit.command.indexPrice)
  return price >= 0 && price < PRICE_LIMIT
}

/** Appends the ticks `from` up to before `to`. */
export function writeTicks(writer: ByteWriter, commits: readonly Commit[], from: number, to: number): void {
  const markets = marketsOf(commits, from, to)
  writer.forgetIds()
  writer.byte(0)
  writer.byte(FORM)
  writer.count(to - from)
  writer.count(markets.size)
  for (const { id, power } of markets.values()) {
    writer.id(id)
    writer.byte(power)
  }
  let before = (commits[from] as Commit).at
  writer.count(before)
  let market: Market | undefined
  for (let index = from; index < to; index++) {
    const { at, marketId, price } = tickAt(commits, index)
    if (market?.id !== marketId) market = markets.get(marketId) as Market
    if (markets.size > 1) writer.count(market.index)
    writer.count(at - before)
    const multiple = price / (POWERS[market.power] as number)
    const difference = multiple - market.last
    writer.count(difference < 0 ? -2 * difference - 1 : 2 * difference)
    market.last = multiple
    before = at
  }
}

function marketsOf(commits: readonly Commit[], from: number, to: number): Map<string, Market> {
  const markets = new Map<string, Market>()
  let market: Market | undefined
  for (let index = from; index < to; index++) {
    const { marketId, price } = tickAt(commits, index)
    if (market?.id !== marketId) {
      market = markets.get(marketId) ?? { id: marketId, index: markets.size, power: LARGEST_POWER, last: 0 }
      markets.set(marketId, market)
    }
    while (price % (POWERS[market.power] as number) !== 0) market.power -= 1
  }
  return markets
}

function tickAt(commits: readonly Commit[], index: number) {
  const { at, command } = commits[index] as Commit
  const { marketId, indexPrice } = command as Extract<Commit['command'], { type: 'updatePrice' }>
  return { at, marketId, price: Number(indexPrice) }
}

/**
 * Reads a run whose zero has been read, and adds its commits from sequence `from` on.
 *
 * @returns the sequence after the run.
 * @throws MalformedBytes where the bytes hold none.
 */
export function readTicks(reader: ByteReader, firstSeq: number, from: number, commits: Commit[]): number {
  if (reader.byte() !== FORM) throw new MalformedBytes('a run of ticks in another form')
  reader.forgetIds()
  const after = firstSeq + reader.count()
  const count = reader.count()
  const ids: string[] = []
  const scales: number[] = []
  for (let index = 0; index < count; index++) {
    ids.push(reader.id())
    const scale = POWERS[reader.byte()]
    if (scale === undefined) throw new MalformedBytes('a power of ten that is too large')
    scales.push(scale)
  }
  const last = new Float64Array(count)
  let at = reader.count()
  for (let seq = firstSeq; seq < after; seq++) {
    const market = count > 1 ? reader.count() : 0
    if (market >= count) throw new MalformedBytes('a tick of no market')
    at += reader.count()
    const doubled = reader.count()
    const multiple = (last[market] as number) + (doubled % 2 === 0 ? doubled / 2 : -(doubled + 1) / 2)
    last[market] = multiple
    const price = multiple * (scales[market] as number)
    if (seq >= from)
      commits.push(tickCommit(seq, at, ids[market] as string, joined(price | 0, Math.floor(price / TWO_32))))
  }
  return after
}
