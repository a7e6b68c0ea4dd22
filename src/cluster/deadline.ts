/** Membership that is not waited for: one statement that hangs must not cost a lease that the next would renew. */
import type { ClusterClock } from './clock.ts'
import type { Membership } from './membership.ts'

const LATE = Symbol('late')

/** @throws Error after `ms`, whatever may come of it yet. */
export async function inTime<T>(answer: Promise<T>, clock: ClusterClock, ms: number): Promise<T> {
  const first = await Promise.race([answer, clock.sleep(ms).then(() => LATE)])
  if (first === LATE) throw new Error(`no answer within ${Math.round(ms)} ms`)
  return first as T
}

/** The same, each call failing after `ms`: its outcome is unknown then, and the next look tells. */
export function withinTime(membership: Membership, clock: ClusterClock, ms: number): Membership {
  const within = <T>(answer: Promise<T>) => inTime(answer, clock, ms)
  return {
    look: () => within(membership.look()),
    join: (node) => within(membership.join(node)),
    renew: (life, renewals) => within(membership.renew(life, renewals)),
    drain: (life) => within(membership.drain(life)),
    expel: (life, renewals) => within(membership.expel(life, renewals)),
    take: (shard, life) => within(membership.take(shard, life)),
    troubled: (shard, life, reason) => within(membership.troubled(shard, life, reason)),
    give: (shard, owner, to) => within(membership.give(shard, owner, to)),
  }
}
