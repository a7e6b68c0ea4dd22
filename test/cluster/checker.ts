// What a cluster promises, checked from outside: from what clients asked and were told, and from the logs at the end.

/** A request of a client; times are on one clock, and an answer that never came has none. */
export interface Asked {
  readonly client: number
  readonly shard: number
  readonly kind: 'write' | 'read'
  /** Of a write: repeated under the same key until its outcome is known. */
  readonly key: string | null
  readonly amount: number
  readonly begun: number
  ended: number | null
  /** What a 2xx said: the entry of the log that the answer stands behind, and the sum up to it. */
  told: { readonly seq: number; readonly total: number } | null
}

export interface LogEntry {
  readonly seq: number
  readonly epoch: number
  readonly key: string
  readonly amount: number
}

/** Every promise that was broken, in a sentence; none = it was kept. */
export function brokenPromises(asked: readonly Asked[], logs: readonly (readonly LogEntry[])[]): string[] {
  return logs.flatMap((log, shard) => {
    const told = asked.filter((it) => it.shard === shard && it.told !== null)
    const keyed = asked.filter((it) => it.shard === shard && it.kind === 'write')
    const firstAsked = firstOf(keyed)
    return [
      ...historyOf(shard, log),
      ...keptOf(shard, log, told, firstAsked),
      ...orderOf(shard, log, told, firstAsked),
    ]
  })
}

/** When what is done under each key was asked for first. */
function firstOf(writes: readonly Asked[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const { key, begun } of writes)
    first.set(key as string, Math.min(begun, first.get(key as string) ?? Number.POSITIVE_INFINITY))
  return first
}

/** One history: no gap, no fork, nothing twice, and epochs that only rise. */
function* historyOf(shard: number, log: readonly LogEntry[]): Generator<string> {
  const keys = new Set<string>()
  for (const [at, { seq, epoch, key }] of log.entries()) {
    if (seq !== at + 1) yield `shard ${shard}: entry ${seq} stands where ${at + 1} is due`
    if (epoch < (log[at - 1]?.epoch ?? 0))
      yield `shard ${shard}: epoch ${epoch} at ${seq} is older than the one before`
    if (keys.has(key)) yield `shard ${shard}: ${key} was carried out twice`
    keys.add(key)
  }
}

/** Acknowledged means kept, under one key once, as it was said; sums are those of the log. */
function* keptOf(
  shard: number,
  log: readonly LogEntry[],
  told: readonly Asked[],
  firstAsked: ReadonlyMap<string, number>,
): Generator<string> {
  const totals = [0]
  for (const { amount } of log) totals.push((totals.at(-1) as number) + amount)
  for (const { key, seq } of log)
    if (!firstAsked.has(key)) yield `shard ${shard}: nobody asked for ${key} at ${seq}`
  for (const { kind, key, told: answer, ended } of told) {
    const { seq, total } = answer as { seq: number; total: number }
    if (totals[seq] !== total)
      yield `shard ${shard}: ${total} was told as of ${seq}, where it is ${totals[seq]}`
    if (kind === 'write' && log[seq - 1]?.key !== key)
      yield `shard ${shard}: ${key} was acknowledged at ${seq}, where ${log[seq - 1]?.key} is`
    if ((firstAsked.get(log[seq - 1]?.key ?? '') ?? 0) > (ended as number))
      yield `shard ${shard}: an answer told of ${seq} before it was asked for`
  }
}

/**
 * Whoever asks after an answer is told of no less than it, and what they ask for stands behind it: no stale read and no
 * write in the past, in no session and between none.
 */
function* orderOf(
  shard: number,
  log: readonly LogEntry[],
  told: readonly Asked[],
  firstAsked: ReadonlyMap<string, number>,
): Generator<string> {
  const reads = told.filter(({ kind }) => kind === 'read')
  const asked = [
    ...reads.map(({ begun, told, client }) => {
      const { seq } = told as { seq: number }
      return { begun, seq, least: 0, what: `client ${client} read ${seq}` }
    }),
    ...log.map(({ key, seq }) => {
      return { begun: firstAsked.get(key) ?? 0, seq, least: 1, what: `${key} was written at ${seq}` }
    }),
  ].sort((a, b) => a.begun - b.begun)
  const byEnd = [...told].sort((a, b) => (a.ended as number) - (b.ended as number))
  let [done, newest] = [0, 0]
  for (const { begun, seq, least, what } of asked) {
    for (; done < byEnd.length && ((byEnd[done] as Asked).ended as number) < begun; done++)
      newest = Math.max(newest, byEnd[done]?.told?.seq ?? 0)
    if (seq < newest + least) yield `shard ${shard}: ${what} after ${newest} had been told`
  }
}
