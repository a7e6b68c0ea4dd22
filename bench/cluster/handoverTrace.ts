// Where the time of a hand-over goes: what its two nodes said of it, each step with its milliseconds since the shard stopped.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { HandoverStep } from '../../src/host/cluster/handoverSteps.ts'
import type { ClusterLoad } from '../../test/cluster/clusterLoad.ts'
import type { RealCluster } from '../../test/cluster/realCluster.ts'

/** Has a node print its steps. */
export const TRACED = {
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'printSteps.mjs'))}`,
}

const STOPS = 'it stops'
/** Requests that are told of. */
const LONGEST = 3

/** Of every shard that stopped since an instant, epoch ms: its steps, and the request about it that took longest. */
export function* tracesSince(since: number, cluster: RealCluster, load: ClusterLoad): Generator<string> {
  const steps = cluster.complaints
    .filter((line) => line.startsWith('step '))
    .map((line): HandoverStep => JSON.parse(line.slice('step '.length)))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at)
  const shardOf = (account: string) => cluster.traders.find(({ accountId }) => accountId === account)?.shard
  const longest = load.seen
    .flatMap(({ accountId, kind, begun, ended }) => {
      const [from, to] = [begun + performance.timeOrigin, (ended ?? Number.NaN) + performance.timeOrigin]
      return to >= since ? [{ shard: shardOf(accountId), kind, from, took: to - from }] : []
    })
    .sort((a, b) => b.took - a.took)
    .slice(0, LONGEST)
  for (const { shard, kind, from, took } of longest)
    yield `  ${kind} of shard ${shard}: sent ${(from - since).toFixed(0)} ms after the node was told to leave, answered ${took.toFixed(0)} ms later`
  for (const { shard, at: stopped } of steps.filter(({ step }) => step === STOPS)) {
    const told = steps.flatMap((one) =>
      one.shard === shard ? [`${(one.at - stopped).toFixed(0)} ${one.step}`] : [],
    )
    yield `  shard ${shard}, which stops ${(stopped - since).toFixed(0)} ms after that: ${told.join(', ')}`
  }
}
