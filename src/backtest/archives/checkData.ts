/** What is wrong with a file of prices before anything is run on it: gaps, refused rows, jumps, flat stretches. */
import type { Feed } from '../feed/feed.ts'
import type { FeedSummary } from '../feed/rowReport.ts'

/** A price that lies far from the one before it. */
interface Jump {
  /** Epoch ms. */
  readonly time: number
  /** ln(price / price before). */
  readonly change: number
  /** How many times the ordinary change it is. */
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
}

/** A change is a jump where it is more than so many times the median of the changes that are not zero. */
const JUMP = 40
const LISTED = 10

/** Reads all of a feed; open it with `onBadRow: 'skip'` so that its rows are counted and not refused. */
export async function checkData(feed: Feed): Promise<DataCheck> {
  const times: number[] = []
  const changes: number[] = []
  let [before, flat, longestFlat] = [0, 0, 0]
  let [from, to]: [number | null, number | null] = [null, null]
  for await (const chunk of feed)
    for (let row = 0; row < chunk.length; row++) {
      const time = ('openTime' in chunk ? chunk.openTime : chunk.time)[row] as number
      const price = Number(('close' in chunk ? chunk.close : chunk.price)[row])
      from ??= time
      to = time
      flat = price === before ? flat + 1 : 1
      longestFlat = Math.max(longestFlat, flat)
      if (before !== 0 && price !== before) {
        times.push(time)
        changes.push(Math.log(price / before))
      }
      before = price
    }
  const ordinary = median(changes.map(Math.abs))
  const jumps = changes
    .map((change, index) => ({
      time: times[index] as number,
      change,
      times: ordinary === 0 ? 0 : Math.abs(change) / ordinary,
    }))
    .filter((jump) => jump.times > JUMP)
    .sort((one, other) => other.times - one.times)
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
  }
}

/** Stretches of funding longer than the commonest one. */
export interface FundingHoles {
  readonly rates: number
  readonly intervalMs: number | null
  /** Instants between which at least one payment is missing, epoch ms. */
  readonly holes: readonly { readonly from: number; readonly to: number }[]
}

export function fundingHoles(times: ArrayLike<number>, intervalMs: number | null): FundingHoles {
  const holes: { from: number; to: number }[] = []
  for (let row = 1; intervalMs !== null && row < times.length; row++) {
    const [from, to] = [times[row - 1] as number, times[row] as number]
    // Instants are a few ms late at times, so that half of an interval more is what tells.
    if (to - from > intervalMs * 1.5) holes.push({ from, to })
  }
  return { rates: times.length, intervalMs, holes }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
