/** Recorded prices at the pace they were recorded, or faster. */
import { readFile } from 'node:fs/promises'
import type { Engine } from '../../engine/engine.ts'
import { mustBeRegular } from '../../files/regularFile.ts'
import { fp9 } from '../../quantity/decimal.ts'
import type { Price } from '../../quantity/units.ts'
import type { ReplayFeedConfiguration } from '../configuration.ts'
import { unattended } from '../unattended.ts'
import { type FedVenue, type RunningFeed, tick } from './runningFeed.ts'

interface RecordedPrice {
  /** Epoch ms, or any other count of milliseconds. */
  readonly at: number
  readonly price: Price
}

/** Longest wait between two prices; a gap in the recording is not slept through. */
const LONGEST_WAIT_MS = 60_000

/** The prices of its file. @throws RangeError where they cannot be read, or are of no market. */
export async function readRecording(
  { file, marketId }: ReplayFeedConfiguration,
  { read }: Engine,
): Promise<RecordedPrice[]> {
  const csv = await textOf(file).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reason = code === 'ENOENT' ? 'there is no such file; put it there, or name another' : message
    throw new RangeError(`feed.file: cannot read ${file}: ${reason}`)
  })
  if (read.market(marketId) === undefined)
    throw new RangeError(`feed.marketId: there is no market ${marketId}; name one of markets`)
  return recordedPrices(csv)
}

export async function replayFeed(
  configuration: ReplayFeedConfiguration,
  venue: FedVenue,
): Promise<RunningFeed> {
  const { engine } = venue
  const { marketId, speed } = configuration
  const prices = await readRecording(configuration, engine)
  let timer: NodeJS.Timeout | undefined
  let index = 0
  const play = unattended(engine, () => {
    const { at, price } = prices[index] as RecordedPrice
    tick(venue, marketId, price)
    index += 1
    const following = prices[index]
    if (following === undefined) return
    const wait = Math.min(Math.max((following.at - at) / speed, 0), LONGEST_WAIT_MS)
    timer = setTimeout(play, wait).unref()
  })
  play()
  return { stop: () => clearTimeout(timer) }
}

async function textOf(file: string): Promise<string> {
  await mustBeRegular(file)
  return readFile(file, 'utf8')
}

/** Lines of `ms,price`, the price as a decimal; a first line of names is skipped. @throws RangeError */
export function recordedPrices(csv: string): RecordedPrice[] {
  const lines = csv.split(/\r?\n/).filter((line) => line.trim() !== '')
  const rows = /^[a-z]/i.test(lines[0] ?? '') ? lines.slice(1) : lines
  if (rows.length === 0) throw new RangeError('feed: the file has no prices')
  return rows.map((line) => {
    const [at = '', price = ''] = line.split(',')
    if (!/^\d{1,15}$/.test(at.trim())) throw new RangeError(`feed: not "ms,price": ${line.slice(0, 80)}`)
    return { at: Number(at), price: fp9(price) }
  })
}
