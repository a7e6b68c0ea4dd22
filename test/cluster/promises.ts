// What a cluster promises its clients, checked from outside: requests and answers as clients kept them, and the logs at the end.
import type { Commit } from '../../src/index.ts'

/** A request of a client, from its first try until its outcome was known; ms on one clock. */
export interface Seen {
  readonly accountId: string
  readonly kind: 'order' | 'cancel' | 'deposit' | 'orders' | 'balance'
  /** What a write was repeated under: an idempotency key, a command id, or the order that it cancels. Of a read empty. */
  readonly key: string
  readonly begun: number
  /** Null while nobody knows what came of it. */
  ended: number | null
  /** What success said: the id of an order, the sorted ids of a list, a balance. */
  said: string
}

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
  /** What happened, as a write names it. */
  readonly what: string
  readonly orderId: string
  readonly orders: string
  readonly balance: string
}

/** Every promise that was broken, in a sentence; none = all were kept. */
export function brokenPromises(
  seen: readonly Seen[],
  logs: readonly (readonly Group[])[],
  accounts: readonly OpeningBalance[],
): string[] {
  return [
    ...logs.flatMap((log, shard) => [...historyOf(shard, log)]),
    ...accounts.flatMap((account) => {
      const versions = versionsOf(account, logs[account.shard] ?? [])
      const own = seen.filter(({ accountId }) => accountId === account.accountId)
      return [...onceAndAsked(versions, own), ...kept(versions, own), ...inOrder(versions, own)]
    }),
  ]
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

/** An account as the log has it, at the beginning and after everything that happened to it. */
function versionsOf({ accountId, balance: opening }: OpeningBalance, log: readonly Group[]): Version[] {
  const orders = new Set<string>()
  let balance = opening
  const versions: Version[] = [{ what: '', orderId: '', orders: '', balance: String(opening) }]
  const add = (what: string, orderId = '') =>
    versions.push({ what, orderId, orders: [...orders].sort().join(' '), balance: String(balance) })
  for (const { command, events } of log.flatMap(({ commits }) => commits)) {
    if (command.type === 'placeOrder' && command.accountId === accountId) {
      for (const event of events)
        if (event.type === 'orderPlaced') {
          orders.add(event.orderId)
          add(`order ${command.idempotencyKey}`, event.orderId)
        }
    } else if (command.type === 'cancelOrder' && events.length > 0) {
      if (orders.delete(command.orderId)) add(`cancel ${command.orderId}`)
    } else if (command.type === 'adjustBalance' && command.accountId === accountId && events.length > 0) {
      balance += command.amount
      add(`deposit ${command.commandId}`)
    }
  }
  return versions
}

const whatOf = ({ kind, key }: Seen) => `${kind} ${key}`

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

/** Acknowledged means kept, as it was said. */
function* kept(versions: readonly Version[], seen: readonly Seen[]): Generator<string> {
  const at = new Map(versions.map(({ what, orderId }) => [what, orderId]))
  for (const one of seen) {
    if (one.key === '' || one.ended === null) continue
    const orderId = at.get(whatOf(one))
    if (orderId === undefined) yield `${whatOf(one)} was acknowledged and is lost`
    else if (orderId !== one.said) yield `${whatOf(one)} was answered with ${one.said} and is ${orderId}`
  }
}

/**
 * Answers agree with one order of everything that happened to the account, that of the log: whoever asks after an answer
 * is told of no less than it, and nobody of what was not asked for yet.
 */
function* inOrder(versions: readonly Version[], seen: readonly Seen[]): Generator<string> {
  const begun = new Map<string, number>()
  for (const one of seen) if (one.key !== '') begun.set(whatOf(one), one.begun)
  const at = new Map(versions.map(({ what }, version) => [what, version]))
  const alike = { orders: places(versions, 'orders'), balance: places(versions, 'balance') }
  const told = seen.filter(({ ended }) => ended !== null).sort((a, b) => a.begun - b.begun)
  const byEnd = [...told].sort((a, b) => (a.ended as number) - (b.ended as number))
  const versionOf = new Map<Seen, number>()
  let [done, newest] = [0, 0]
  for (const one of told) {
    for (; done < byEnd.length && ((byEnd[done] as Seen).ended as number) < one.begun; done++)
      newest = Math.max(newest, versionOf.get(byEnd[done] as Seen) ?? 0)
    if (one.kind !== 'orders' && one.kind !== 'balance') {
      const version = at.get(whatOf(one))
      if (version === undefined) continue
      if (version <= newest) yield `${whatOf(one)} stands before what had been told when it was asked for`
      versionOf.set(one, version)
      continue
    }
    const places = alike[one.kind].get(one.said)
    if (places === undefined) {
      yield `${one.accountId}: ${one.kind} were read as “${one.said}”, which they never were`
      continue
    }
    const version = places.find((place) => place >= newest)
    if (version === undefined) {
      yield `${one.accountId}: ${one.kind} went back to what they were at ${places.at(-1)}, after ${newest} had been told`
      continue
    }
    if ((begun.get((versions[version] as Version).what) ?? 0) > (one.ended as number))
      yield `${one.accountId}: ${one.kind} told of ${versions[version]?.what} before it was asked for`
    versionOf.set(one, version)
  }
}

/** Where an account was as a read shows it, ascending. */
function places(versions: readonly Version[], field: 'orders' | 'balance'): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [place, version] of versions.entries()) {
    const found = places.get(version[field])
    if (found === undefined) places.set(version[field], [place])
    else found.push(place)
  }
  return places
}
