/**
 * What a node does as a shard changes hands, step by step, for whoever has to know where the time goes: a channel of
 * `node:diagnostics_channel`, which costs nothing while nobody listens (`bench/cluster.ts --trace handover`).
 */
import { channel } from 'node:diagnostics_channel'

export interface HandoverStep {
  readonly shard: number
  readonly step: string
  /** Epoch ms, with fractions: processes of one machine agree on it. */
  readonly at: number
}

const steps = channel('margin-core:handover')

export function stepOf(shard: number, step: string): void {
  if (steps.hasSubscribers)
    steps.publish({ shard, step, at: performance.timeOrigin + performance.now() } satisfies HandoverStep)
}
