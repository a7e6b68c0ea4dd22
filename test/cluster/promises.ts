// What a cluster promises its clients, checked from outside: requests and answers as clients kept them, and the logs at the end.
import type { Commit } from '../../src/index.ts'
import { type Limit, withinLimit } from './limitPromise.ts'

/** A request of a client, from its first try until its outcome was known; ms on one clock. */
export interface Seen {
  readonly accountId: string
  readonly kind: 'order' | 'cancel' | 'deposit' | 'close' | 'orders' | 'balance'
  /**
   * What a write was repeated under: an idempotency key, a command id, or the order that it cancels or whose position it
   * closes. Of a read empty.
   */
  readonly key: string
  readonly begun: number
  /** Null while nobody knows what came of it. */
  ended: number | null
  /** What success said: the id of an order, the sorted ids of a list, a balance; or that an order was refused. */
  said: string
}

export const REFUSED = 'refused'

/** A group of commits that was appended at once. */
export interface Group {
  readonly epoch: number
  readonly commits: readonly Commit[]
}

export interface OpeningBalance {
  readonly accountId: string
  readonly shard: number
  /** fp9 */
  readonly balance: bigint
}

/** An account after something happened to it. */
interface Version {
  readonly accountId: string
  /** What happened, as a write names it. */
  readonly what: string
  readonly orderId: string
  readonly orders: string
  readonly balance: string
  /** From this commit of the shard on. */
  readonly from: number
  /** Up to the commit before the next version. */
  until: number
}

/** Every promise that was broken, in a sentence; none = all were kept. */
export function brokenPromises(
  seen: readonly Seen[],
  logs: readonly (readonly Group[])[],
  accounts: readonly OpeningBalance[],
  limit: Limit | null = null,
): string[] {
  const broken = logs.flatMap((log, shard) => {
    const own = accounts.filter((account) => account.shard === shard)
    const versions = new Map(own.map((account) => [account.accountId, versionsOf(account, log)]))
    const seenOf = groupedBy(
      seen.filter(({ accountId }) => versions.has(accountId)),
      ({ accountId }) => accountId,
    )
    return [
      ...historyOf(shard, log),
      ...[...versions].flatMap(([accountId, ofAccount]) => [
        ...onceAndAsked(ofAccount, seenOf.get(accountId) ?? []),
        ...kept(ofAccount, seenOf.get(accountId) ?? []),
      ]),
      ...inOrder(versions, [...seenOf.values()].flat()),
    ]
  })
  return limit === null ? broken : [...broken, ...withinLimit(seen, logs, limit)]
}

/** One history: no gap, no fork, and epochs that only rise. */
function* historyOf(shard: number, log: readonly Group[]): Generator<string> {
  let [head, newest] = [0, 0]
  for (const { epoch, commits } of log) {
    if (epoch < newest) yield `shard ${shard}: epoch ${epoch} behind ${newest}, at ${head + 1}`
    newest = epoch
    for (const { seq } of commits)
      if (seq !== ++head) yield `shard ${shard}: commit ${seq} stands where ${head} is due`
  }
}

/**
 * An account as the log has it, at the beginning and after everything that happened to it. Its balance is reckoned here: what
 * was paid in, less fees, with what was won and lost.
 */
function versionsOf({ accountId, balance: opening }: OpeningBalance, log: readonly Group[]): Version[] {
  const orders = new Set<string>()
  const openedBy = new Map<string, string>()
  let balance = opening
  const versions: Version[] = []
  const add = (seq: number, what: string, orderId = '') => {
    const last = versions.at(-1)
    if (last !== undefined) last.until = seq - 1
    const now = { orders: [...orders].sort().join(' '), balance: String(balance) }
    versions.push({ accountId, what, orderId, ...now, from: seq, until: Number.POSITIVE_INFINITY })
  }
  add(0, '')
  for (const { seq, command, events } of log.flatMap(({ commits }) => commits)) {
    let [isOwn, orderId] = [false, '']
    for (const event of events) {
      if (!('accountId' in event) || event.accountId !== accountId) continue
      isOwn = true
      if (event.type === 'orderPlaced') {
        orderId ||= event.orderId
        orders.add(event.orderId)
      } else if ('released' in event) orders.delete(event.orderId)
      else if (event.type === 'balanceAdjusted') balance += event.amount
      else if (event.type === 'increasePosition') {
        balance -= event.fee
        openedBy.set(event.positionId, event.orderId)
      } else if ('marginReleased' in event) {
        balance += event.pnl - event.fee
        orderId = openedBy.get(event.positionId) ?? ''
      }
    }
    if (!isOwn) continue
    if (command.type === 'placeOrder') add(seq, `order ${command.idempotencyKey}`, orderId)
    else if (command.type === 'cancelOrder') add(seq, `cancel ${command.orderId}`)
    else if (command.type === 'adjustBalance') add(seq, `deposit ${command.commandId}`)
    else if (command.type === 'closeAll') add(seq, `close ${orderId}`)
  }
  return versions
}

const whatOf = ({ kind, key }: Seen) => `${kind} ${key}`
const isWrite = ({ key }: Seen) => key !== ''

/** Under one key once, and nothing that nobody asked for. */
function* onceAndAsked(versions: readonly Version[], seen: readonly Seen[]): Generator<string> {
  const asked = new Set(seen.map(whatOf))
  const done = new Set<string>()
  for (const { what } of versions.slice(1)) {
    if (done.has(what)) yield `${what} was carried out twice`
    if (!asked.has(what)) yield `nobody asked for ${what}`
    done.add(what)
  }
}

/** Acknowledged means kept, as it was said; and refused is refused. */
function* kept(versions: readonly Version[], seen: readonly Seen[]): Generator<string> {
  const at = new Map(versions.map(({ what, orderId }) => [what, orderId]))
  for (const one of seen) {
    if (!isWrite(one) || one.ended === null) continue
    const orderId = at.get(whatOf(one))
    if (one.said === REFUSED) {
      if (orderId !== undefined) yield `${whatOf(one)} was refused and carried out`
    } else if (orderId === undefined) yield `${whatOf(one)} was acknowledged and is lost`
    else if (one.kind !== 'close' && orderId !== one.said)
      yield `${whatOf(one)} was answered with ${one.said} and is ${orderId}`
  }
}

/**
 * Answers agree with one order of everything that happened on the shard, that of its log: whoever asks after an answer is told
 * of no less than it, whichever account it was about, and nobody of what was not asked for yet.
 */
function* inOrder(
  versionsOf: ReadonlyMap<string, readonly Version[]>,
  seen: readonly Seen[],
): Generator<string> {
  const asked = new Map<string, number>()
  for (const one of seen) if (isWrite(one)) asked.set(whatOf(one), one.begun)
  const versions = [...versionsOf.values()].flat()
  const byWhat = new Map(versions.map((version) => [version.what, version]))
  const alike = groupedBy(
    versions.flatMap((version) => [
      { as: `${version.accountId} orders ${version.orders}`, version },
      { as: `${version.accountId} balance ${version.balance}`, version },
    ]),
    ({ as }) => as,
  )
  const byBegin = [...seen].sort((a, b) => a.begun - b.begun)
  const byEnd = seen
    .filter(({ ended }) => ended !== null)
    .sort((a, b) => (a.ended as number) - (b.ended as number))
  /** The least of the log that an answer tells of. */
  const least = new Map<Seen, number>()
  let [done, newest] = [0, 0]
  for (const one of byBegin) {
    for (; done < byEnd.length && ((byEnd[done] as Seen).ended as number) < one.begun; done++)
      newest = Math.max(newest, least.get(byEnd[done] as Seen) ?? 0)
    if (isWrite(one)) {
      const version = byWhat.get(whatOf(one))
      if (version === undefined) continue
      if (version.from <= newest)
        yield `${whatOf(one)} stands before what had been told when it was asked for`
      // A refusal tells of nothing that is in the log: what was carried out nevertheless is told of above, and makes no read behind it old.
      if (one.said !== REFUSED) least.set(one, version.from)
      continue
    }
    if (one.ended === null) continue
    const places = alike.get(`${one.accountId} ${one.kind} ${one.said}`)
    if (places === undefined) {
      yield `${one.accountId}: ${one.kind} were read as “${one.said}”, which they never were`
      continue
    }
    const place = places.find(({ version }) => version.until >= newest)
    if (place === undefined) {
      const last = places.at(-1)?.version.until
      yield `${one.accountId}: ${one.kind} went back to what they were until ${last}, after ${newest} had been told`
      continue
    }
    const { what, from } = place.version
    if ((asked.get(what) ?? 0) > one.ended)
      yield `${one.accountId}: ${one.kind} told of ${what} before it was asked for`
    least.set(one, Math.max(from, newest))
  }
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}
