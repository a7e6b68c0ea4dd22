/** What is wrong with a file of prices before anything is run on it: gaps, refused rows, jumps, flat stretches. */
import type { BarColumns } from '../feed/columns.ts'
import { EmptyDays } from '../feed/emptyDays.ts'
import type { Feed } from '../feed/feed.ts'
import type { FeedSummary } from '../feed/rowReport.ts'

/** A price that lies far from those around it. */
interface Jump {
  /** Epoch ms. */
  readonly time: number
  /** Of a bar the high or the low may lie far out, though its close does not. */
  readonly of: 'price' | 'high' | 'low'
  /** ln(price / price before); of a high or low from the nearer of this close and the one before. */
  readonly change: number
  /** How many times the ordinary change it is; of a high or low at least how many times the ordinary reach beyond the closes. */
  readonly times: number
}

export interface DataCheck {
  readonly kind: Feed['kind']
  readonly intervalMs: number | null
  /** Epoch ms; null without rows. */
  readonly from: number | null
  readonly to: number | null
  readonly summary: FeedSummary
  /** The largest jumps, largest first. */
  readonly jumps: readonly Jump[]
  readonly jumpsInAll: number
  /** The longest run of rows at one price. */
  readonly longestFlat: number
  /** Days, UTC, between the first tick and the last that have none, as 2025-01-05; of bars none are named, because they are counted as gaps. */
  readonly emptyDays: readonly string[]
}

/** A change is a jump where it is more than so many times the median of the changes that are not zero. */
const JUMP = 40
const LISTED = 10

/** Reads all of a feed; open it with `onBadRow: 'skip'` so that its rows are counted and not refused. */
export async function checkData(feed: Feed): Promise<DataCheck> {
  const closes: Changes = { times: [], changes: [] }
  const reaches: Changes = { times: [], changes: [] }
  let [before, flat, longestFlat] = [0, 0, 0]
  let [from, to]: [number | null, number | null] = [null, null]
  const emptyDays = new EmptyDays(1)
  for await (const chunk of feed)
    for (let row = 0; row < chunk.length; row++) {
      const time = ('openTime' in chunk ? chunk.openTime : chunk.time)[row] as number
      const price = Number(('close' in chunk ? chunk.close : chunk.price)[row])
      from ??= time
      if (feed.kind === 'ticks') emptyDays.add(0, time)
      to = time
      flat = price === before ? flat + 1 : 1
      longestFlat = Math.max(longestFlat, flat)
      if (before !== 0 && price !== before) {
        closes.times.push(time)
        closes.changes.push(Math.log(price / before))
      }
      if ('high' in chunk) addReaches(reaches, chunk, row, before === 0 ? price : before)
      before = price
    }
  const ordinary = ordinaryOf(closes)
  const jumps = [
    ...far(closes, ordinary, () => 'price'),
    ...far(reaches, Math.max(ordinary, ordinaryOf(reaches)), (reach) => (reach > 0 ? 'high' : 'low')),
  ].sort((one, other) => other.times - one.times)
  const intervalMs = feed.kind === 'bars' ? feed.intervalMs : null
  return {
    kind: feed.kind,
    intervalMs,
    from,
    to,
    summary: feed.summary(),
    jumps: jumps.slice(0, LISTED),
    jumpsInAll: jumps.length,
    longestFlat,
    emptyDays: emptyDays.of(0),
  }
}

/** What is compared with what is ordinary of it, as columns: a year of minutes has half a million of them. */
interface Changes {
  readonly times: number[]
  readonly changes: number[]
}

/** How far a bar reaches beyond its own close and the one before it, not at all included; its open may be what lies wrong. */
function addReaches({ times, changes }: Changes, bars: BarColumns, row: number, before: number): void {
  const time = bars.openTime[row] as number
  const last = Number(bars.close[row])
  times.push(time, time)
  changes.push(
    Math.max(0, Math.log(Number(bars.high[row]) / Math.max(before, last))),
    Math.min(0, Math.log(Number(bars.low[row]) / Math.min(before, last))),
  )
}

function ordinaryOf({ changes }: Changes): number {
  return median(changes.map(Math.abs))
}

function far({ times, changes }: Changes, ordinary: number, of: (change: number) => Jump['of']): Jump[] {
  if (ordinary === 0) return []
  return changes
    .map((change, index) => ({
      time: times[index] as number,
      of: of(change),
      change,
      times: Math.abs(change) / ordinary,
    }))
    .filter((jump) => jump.times > JUMP)
}

/** Stretches of funding longer than the commonest one. */
export interface FundingHoles {
  readonly rates: number
  readonly intervalMs: number | null
  /** Instants between which at least one payment is missing, epoch ms. */
  readonly holes: readonly { readonly from: number; readonly to: number }[]
}

/**
 * Holes between rates; with the `period` of the prices also where these begin an instant or more before the first rate, and end after
 * the one that would follow the last.
 */
export function fundingHoles(
  times: ArrayLike<number>,
  intervalMs: number | null,
  period: { readonly from: number; readonly to: number } | null = null,
): FundingHoles {
  const holes: { from: number; to: number }[] = []
  const [first, last] = [times[0], times[times.length - 1]]
  if (intervalMs === null || first === undefined || last === undefined)
    return { rates: times.length, intervalMs, holes }
  if (period !== null && first - intervalMs > period.from) holes.push({ from: period.from, to: first })
  for (let row = 1; row < times.length; row++) {
    const [from, to] = [times[row - 1] as number, times[row] as number]
    // Instants are a few ms late at times, so that half of an interval more is what tells.
    if (to - from > intervalMs * 1.5) holes.push({ from, to })
  }
  if (period !== null && last + intervalMs < period.to) holes.push({ from: last, to: period.to })
  return { rates: times.length, intervalMs, holes }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
