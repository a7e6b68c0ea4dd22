// Three nodes over a PostgreSQL of their own, under load, and one of them killed: what its clients saw, and whether anything was lost.
//
//   npm run cluster [-- --seconds N]
//
// Needs nothing installed, leaves nothing behind. Ends with 0 where every promise was kept, with 1 where one was broken.
import { Command, InvalidArgumentError } from 'commander'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const SHARDS = 12
const TRADERS = 24
const LEASE_MS = 3_000
const NODES = ['a', 'b', 'c']

const { seconds } = new Command('npm run cluster --')
  .description(
    'Runs three nodes of one venue under load, kills one of them, and says what clients saw of it.',
  )
  .option('--seconds <n>', 'how long clients send, above what the take-over takes', wholeSeconds, 5)
  .parse()
  .opts<{ seconds: number }>()

function wholeSeconds(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number, 1 or more.')
  return Number(text)
}

const say = (line: string) => void process.stdout.write(`${line}\n`)
const count = (number: number) => number.toLocaleString('en')
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

if (whyNoServer !== null) {
  process.stderr.write(`no database can be started here: ${whyNoServer}\n`)
  process.exit(1)
}

let server: PostgresServer | null = null
let cluster: RealCluster | null = null
let progress: NodeJS.Timeout | undefined
/** Clients go on for as long as the process does: whoever removes the cluster exits behind it. */
async function remove(): Promise<void> {
  clearInterval(progress)
  await cluster?.remove()
  await server?.stop()
}
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => void remove().finally(() => process.exit(code)))

/** Shows that something happens, where somebody watches. */
function showProgress(load: ClusterLoad): void {
  if (!process.stderr.isTTY) return
  progress = setInterval(() => process.stderr.write(`\r${count(load.acknowledged)} answers … \r`), 200)
}

async function owners(of: RealCluster, by: string): Promise<Map<string, number[]>> {
  const owned = new Map<string, number[]>()
  for (const { shard, owner } of (await of.shards(by)) ?? [])
    if (owner !== null) owned.set(owner, [...(owned.get(owner) ?? []), shard])
  return owned
}

/** Waits until every shard has one of these owners, evenly. */
async function balanced(
  of: RealCluster,
  by: string,
  names: readonly string[],
): Promise<Map<string, number[]>> {
  for (;;) {
    const owned = await owners(of, by)
    if (names.every((name) => owned.get(name)?.length === SHARDS / names.length)) return owned
    await sleep(50)
  }
}

const told = (owned: Map<string, number[]>) =>
  [...owned]
    .sort()
    .map(([name, shards]) => `${name} owns ${shards.join(' ')}`)
    .join('; ')

async function demo(): Promise<boolean> {
  say('starting a PostgreSQL and three nodes of one venue …')
  server = await PostgresServer.start()
  const { url } = server
  cluster = await RealCluster.make({ shards: SHARDS, traders: TRADERS, leaseMs: LEASE_MS })
  const venue = cluster
  await Promise.all(NODES.map((name) => venue.start(name, url)))
  say(`${SHARDS} shards on three nodes: ${told(await balanced(venue, 'a', NODES))}`)

  const load = new ClusterLoad(venue, 10)
  load.begin()
  showProgress(load)
  await sleep(seconds * 500)
  await load.served()
  say(
    `${TRADERS} traders send to any node; ${count(load.acknowledged)} requests answered in ${seconds / 2} s, ${load.unanswered + load.unavailable} failed`,
  )

  // On a machine that does much else a lease may have run out meanwhile.
  const lost = (await balanced(venue, 'a', NODES)).get('c') ?? []
  const isLost = (shard: number) => lost.includes(shard)
  const killed = performance.now()
  await venue.end('c', 'SIGKILL')
  say(`kill -9 of node c, which owned ${lost.length} of the ${SHARDS} shards`)
  const after = await load.served(lost)
  say(
    `its shards were served again after ${(after / 1_000).toFixed(1)} s (lease ${LEASE_MS / 1_000} s, at most 2 s more)`,
  )
  say(
    `longest wait: ${seconds2(load.longest(killed, isLost))} in the shards of c, ${seconds2(load.longest(killed, (shard) => !isLost(shard)))} in the others`,
  )
  await sleep(seconds * 500)
  say(
    `${load.unanswered} requests to c had no answer, ${load.unavailable} were told to come again: repeated under their keys, each has its one outcome`,
  )
  await balanced(venue, 'a', ['a', 'b'])
  const before = load.unanswered + load.unavailable
  await venue.start('c', url)
  const owned = await balanced(venue, 'a', NODES)
  say(
    `node c is back: ${told(owned)}; ${load.unanswered + load.unavailable - before} requests failed meanwhile`,
  )

  clearInterval(progress)
  await load.end()
  for (const name of [...NODES].reverse()) await venue.end(name, 'SIGTERM')
  const logs = await venue.logs(url)
  const broken = [...load.surprises, ...brokenPromises(load.seen, logs, venue.openings)]
  const commits = logs.flat().reduce((sum, { commits }) => sum + commits.length, 0)
  say(`${count(load.acknowledged)} answers held against the ${count(commits)} commits of the ${SHARDS} logs:`)
  for (const one of broken.slice(0, 20)) say(`  ${one}`)
  say(
    broken.length === 0
      ? 'verdict: nothing acknowledged was lost, nothing was done twice, no read went back (exit code 0)'
      : `verdict: ${count(broken.length)} promises were broken (exit code 1)`,
  )
  return broken.length === 0
}

const seconds2 = (ms: number) => `${(ms / 1_000).toFixed(2)} s`

const isKept = await demo().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return false
})
await remove()
process.exit(isKept ? 0 : 1)
