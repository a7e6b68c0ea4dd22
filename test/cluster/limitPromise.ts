// The open notional that a venue allows, as its clients and the logs of its shards have it.
import type { Group, Seen } from './promises.ts'

/** What longs of a market may come to in all; quote, fp9. */
export interface Limit {
  readonly marketId: string
  readonly maximum: bigint
}

interface Step {
  readonly at: number
  readonly change: bigint
}

/** No shard opened beyond its quota, all of them within the maximum, and what clients knew to be open at once was no more. */
export function* withinLimit(
  seen: readonly Seen[],
  logs: readonly (readonly Group[])[],
  { marketId, maximum }: Limit,
): Generator<string> {
  /** By the order that opened it. */
  const notionals = new Map<string, bigint>()
  let [quotas, open] = [0n, 0n]
  for (const [shard, log] of logs.entries()) {
    const ofPosition = new Map<string, bigint>()
    let quota = 0n
    let ofShard = 0n
    for (const { seq, events } of log.flatMap(({ commits }) => commits))
      for (const event of events) {
        if (!('marketId' in event) || event.marketId !== marketId) continue
        if (event.type === 'notionalQuotaSet') quota = event.quotaLong
        else if (event.type === 'increasePosition') {
          ofShard += event.notional
          ofPosition.set(event.positionId, (ofPosition.get(event.positionId) ?? 0n) + event.notional)
          notionals.set(event.orderId, event.notional)
          if (ofShard > quota) yield `shard ${shard}: ${ofShard} were open of a quota of ${quota} at ${seq}`
        } else if ('marginReleased' in event) ofShard -= event.cost
      }
    quotas += quota
    open += ofShard
  }
  if (quotas > maximum) yield `quotas of ${quotas} at the end, of a maximum of ${maximum}`
  if (open > maximum) yield `${open} were open at the end, of a maximum of ${maximum}`
  yield* knownAtOnce(seen, notionals, maximum)
}

/** A position is known to be open from the answer to its order until somebody asks for its close. */
function* knownAtOnce(
  seen: readonly Seen[],
  notionals: ReadonlyMap<string, bigint>,
  maximum: bigint,
): Generator<string> {
  const steps: Step[] = []
  const closes = new Map(seen.flatMap((one) => (one.kind === 'close' ? [[one.key, one.begun]] : [])))
  for (const { kind, said, ended } of seen) {
    const notional = kind === 'order' ? notionals.get(said) : undefined
    if (notional === undefined || ended === null) continue
    const until = closes.get(said) ?? Number.POSITIVE_INFINITY
    // A close that was asked for in the same moment may have come first.
    if (until > ended) steps.push({ at: ended, change: notional }, { at: until, change: -notional })
  }
  steps.sort((a, b) => a.at - b.at || (a.change < b.change ? -1 : 1))
  let known = 0n
  for (const { at, change } of steps) {
    known += change
    if (change > 0n && known > maximum)
      yield `${known} were known to be open at ${at}, of a maximum of ${maximum}`
  }
}
