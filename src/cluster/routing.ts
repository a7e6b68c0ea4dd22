/** Where a request is answered: by the owner of its shard, which is here, one hop away, or to be waited for. */
import type { ClusterClock } from './clock.ts'
import type { OpenShard } from './holdings.ts'
import type { ClusterNode } from './node.ts'

/** What became of a request that was sent on. */
export type Forwarded<Answer> =
  | { readonly answer: Answer }
  /** The other does not serve the shard, or was never reached: nothing has happened. */
  | 'untouched'
  /** It was sent, and no answer came: it may have been carried out. */
  | 'unknown'

export interface RoutingPorts<Shard extends OpenShard, Answer> {
  readonly serve: (shard: Shard) => Promise<Answer>
  /**
   * `isGone`, asked now and then: whether the shard is no longer that node's as far as is known here. Who was frozen when it
   * was asked may never answer, and its connection stays open: nobody should wait for what only an owner could say.
   */
  readonly forward: (address: string, isGone: () => boolean) => Promise<Forwarded<Answer>>
}

/** An answer, or why there is none. */
export type Routed<Answer> = { readonly answer: Answer } | 'unavailable' | 'unknown'

/** Between two looks for an owner that nobody told of, ms. */
const PATIENCE_MS = 50
/** What was sent on waits so long for a shard that is being opened, ms: whoever sent it on has its own patience, and may ask again. */
const OPENING_MS = 300

export interface RoutingTerms {
  readonly clock: ClusterClock
  /** How long an owner is waited for, ms. */
  readonly patienceMs: number
  /** Another node sent it on. */
  readonly wasForwarded: boolean
  /** It changes nothing: where no answer came it may be asked again. */
  readonly isRead: boolean
}

/**
 * Answers here or sends on, one hop; where nobody owns the shard, waits for an owner for up to `patienceMs`. A read that an
 * owner did not answer is asked of the next one within that time. What was sent on by another node is answered here, also once the
 * shard is open that is being opened, or not at all.
 */
export async function route<Shard extends OpenShard, Answer>(
  node: ClusterNode<Shard>,
  shard: number,
  terms: RoutingTerms,
  { serve, forward }: RoutingPorts<Shard, Answer>,
): Promise<Routed<Answer>> {
  const { clock, patienceMs, wasForwarded, isRead } = terms
  const until = clock.monotonic() + (wasForwarded ? Math.min(patienceMs, OPENING_MS) : patienceMs)
  for (;;) {
    const found = node.where(shard)
    if (found.at === 'here') return { answer: await serve(found.shard) }
    if (wasForwarded && !(found.at === 'nowhere' && found.isComing)) return 'unavailable'
    if (found.at === 'there') {
      const forwarded = await forward(found.address, () => {
        const now = node.where(shard)
        return now.at !== 'there' || now.address !== found.address
      })
      const mayAskAgain = forwarded === 'untouched' || (forwarded === 'unknown' && isRead)
      if (!mayAskAgain) return forwarded
    }
    const left = until - clock.monotonic()
    if (left <= 0) return 'unavailable'
    // Whatever is seen or said first: a shard that is open here by now is not kept waiting for by the end of a look.
    const change = node.changed(Math.min(left, PATIENCE_MS))
    if (found.at === 'there') void node.look()
    await change
  }
}
