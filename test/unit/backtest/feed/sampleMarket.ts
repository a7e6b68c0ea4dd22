// Random bars and ticks, written as text, and scratch files to hold them.

import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import type { BarColumns, TickColumns } from '../../../../src/backtest/feed/columns.ts'
import { type FeedOptions, openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { formatDecimal } from '../../../../src/quantity/decimal.ts'

export interface SampleBar {
  readonly openTime: number
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
  readonly volume: number
}

export interface SampleTick {
  readonly time: number
  readonly price: bigint
  readonly bid?: bigint
  readonly ask?: bigint
}

/** Prices on both sides of 2^53, where the fast conversion ends, and down to the last decimal. */
export const price = fc.oneof(
  fc.bigInt(1n, 1_000_000n),
  fc.bigInt(1n, 200_000n).map((cents) => cents * 10_000_000n),
  fc.bigInt(2n ** 53n - 1000n, 2n ** 53n + 1000n),
  fc.bigInt(1n, 2n ** 62n),
)

const volume = fc.oneof(
  fc.constant(0),
  fc.nat(10_000_000).map((units) => units / 1000),
  fc.double({ min: 0, max: 1e15, noNaN: true }),
)

/** Bars without gaps, on a minute of 2024. */
export const bars: fc.Arbitrary<SampleBar[]> = fc
  .record({
    start: fc.nat(500_000).map((minutes) => Date.UTC(2024, 0, 1) + minutes * 60_000),
    rows: fc.array(fc.tuple(fc.array(price, { minLength: 4, maxLength: 4 }), volume, fc.boolean()), {
      minLength: 2,
      maxLength: 40,
    }),
  })
  .map(({ start, rows }) =>
    rows.map(([prices, size, rising], index) => {
      const [low, first, second, high] = [...prices].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) as [
        bigint,
        bigint,
        bigint,
        bigint,
      ]
      const [open, close] = rising ? [first, second] : [second, first]
      return { openTime: start + index * 60_000, open, high, low, close, volume: size }
    }),
  )

export const decimal = (value: bigint): string => formatDecimal(value)

/** The four prices and the volume of a bar as fields. */
export const priceFields = (bar: SampleBar): string[] => [
  ...[bar.open, bar.high, bar.low, bar.close].map(decimal),
  String(bar.volume),
]

const scratch = path.join(tmpdir(), `margin-core-feed-${randomUUID()}`)
let files = 0
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A path that no other has. The folder is made again where the first of several files in one process took it along. */
function scratchPath(name: string): string {
  files += 1
  mkdirSync(scratch, { recursive: true })
  return path.join(scratch, `${files}${name}`)
}

/** A file in a folder of its own, so that only its name counts. */
export function scratchFile(name: string, content: string | Uint8Array): string {
  const file = scratchPath(`-${name}`)
  writeFileSync(file, content)
  return file
}

/** The scratch folder, for files whose path matters. */
export const scratchFolder = (): string => scratchPath('')

export async function readBars(options: FeedOptions): Promise<SampleBar[]> {
  const feed = await openFeed(options)
  if (feed.kind !== 'bars') throw new Error('not bars')
  const rows: SampleBar[] = []
  for await (const chunk of feed) rows.push(...barRows(chunk))
  return rows
}

export function barRows(chunk: BarColumns): SampleBar[] {
  return Array.from({ length: chunk.length }, (_, row) => ({
    openTime: chunk.openTime[row] as number,
    open: chunk.open[row] as bigint,
    high: chunk.high[row] as bigint,
    low: chunk.low[row] as bigint,
    close: chunk.close[row] as bigint,
    volume: chunk.volume[row] as number,
  }))
}

export async function readTicks(options: FeedOptions): Promise<SampleTick[]> {
  const feed = await openFeed(options)
  if (feed.kind !== 'ticks') throw new Error('not ticks')
  const rows: SampleTick[] = []
  for await (const chunk of feed) rows.push(...tickRows(chunk))
  return rows
}

function tickRows(chunk: TickColumns): SampleTick[] {
  return Array.from({ length: chunk.length }, (_, row) => ({
    time: chunk.time[row] as number,
    price: chunk.price[row] as bigint,
    ...(chunk.bid && { bid: chunk.bid[row] as bigint }),
    ...(chunk.ask && { ask: chunk.ask[row] as bigint }),
  }))
}
