// What listening costs: subscribers of one account each, orders filled for accounts in turn at a fixed rate, and how long after a
// commit its messages are with whoever hears them.
//
//   npx tsx --expose-gc bench/stream.ts [subscribers] [orders a second] [seconds] [pairs]
//
// Venue and subscribers are processes of their own. Times are of the machine's monotonic clock, which all of them read. The load is
// given in the venue's process, so that what is compared is the venue and not a client. In that process are two engines with the
// same accounts, one of which nobody listens to: they have the load by turns, so that whatever else the machine does, and a heap
// as full, is with both.
//
// Every hundredth subscriber is a witness: in a process that has nothing else to do and goes before the others, so that what it
// waits for is the venue and the system. The other ninety-nine share a process, which has to read all that they are told, and what they
// wait for is mostly that. When the venue has given a fill to the system is noted as well.

import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import path from 'node:path'
import { type Heard, type Moments, type Stretch, shareOf, type Written } from './stream/terms.ts'

const WITNESS = 100
/** Of the process with the witnesses: root may have it, others share the processor as it comes. */
const PRIORITY = -10

const [count = 1_000, rate = 500, seconds = 10, pairs = 4] = process.argv.slice(2).map(Number)

const venue = party('venue', count, rate, seconds)
const { port } = await told<{ port: number }>(venue)
await asked<Stretch>(venue, 'alone')
const { bytes } = await asked<Stretch>(venue, 'heard')
const witnesses = party('subscribers', port, process.getuid?.() === 0 ? PRIORITY : 0, 0, count, WITNESS)
await told(witnesses)
const crowd = party('subscribers', port, 0, 0, count, 1, WITNESS)
await told(crowd)
// Code that has not been compiled yet is five times slower: a venue is that for its first seconds, and falls behind by half a second.
await asked<Stretch>(venue, 'heard')
const [alone, heard]: [Stretch[], Stretch[]] = [[], []]
const load1 = loadavg()[0] ?? 0
for (let pair = 0; pair < pairs; pair++)
  for (const side of pair % 2 === 0 ? (['alone', 'heard'] as const) : (['heard', 'alone'] as const))
    (side === 'alone' ? alone : heard).push(await asked<Stretch>(venue, side))

const written = await asked<Written>(venue, 'written')
const byWitnesses = await asked<Heard>(witnesses, 'heard')
const byCrowd = await asked<Heard>(crowd, 'heard')
const given = new Map(heard.flatMap((stretch) => stretch.given))
const wrote = new Map(written.at)
const delivered = waits(given, byWitnesses.at).length + waits(given, byCrowd.at).length

console.log(
  `${count} subscribers, 4 ticks/s, ${pairs} pairs of stretches; of each the middle one; load ${load1.toFixed(1)} on ${availableParallelism()} processors`,
)
console.log(`orders/s: ${both((stretch) => stretch.orders / stretch.seconds, 0)}`)
console.log(
  `delivered ${delivered} of ${given.size} fills, ${byWitnesses.messages + byCrowd.messages} messages in all`,
)
console.log(
  `commit to the system, all fills: ${spread(waits(given, written.at))}; not taken at once ${written.held}`,
)
console.log(`commit to a witness: ${spread(waits(given, byWitnesses.at))}`)
console.log(`… of it, from the system on: ${spread(waits(wrote, byWitnesses.at))}`)
console.log(`commit to the crowd: ${spread(waits(given, byCrowd.at))}`)
console.log(`… of it, from the system on: ${spread(waits(wrote, byCrowd.at))}`)
const median = ({ dispatch }: Stretch) => dispatch.median
const slow = ({ dispatch }: Stretch) => dispatch.slow
console.log(`command to acknowledgement, µs: ${both(median, 1)}; pair by pair ${ratios(median)}`)
console.log(`the same, 90 %: ${both(slow, 1)}; pair by pair ${ratios(slow)}`)
const byOrder = (of: (stretch: Stretch) => number) => (stretch: Stretch) =>
  (of(stretch) * 1e6) / stretch.orders
const [processor, system] = [byOrder((stretch) => stretch.processor), byOrder((stretch) => stretch.system)]
console.log(`processor of the venue by order, µs: ${both(processor, 0)}; of the system: ${both(system, 0)}`)
console.log(`longest turn of the loop, ms: ${both(({ held }) => held.ms, 0)}`)
console.log(`what of it the processor worked, ms: ${both(({ held }) => held.processor, 0)}`)
const grown = Math.max(...heard.map((stretch) => stretch.bytes)) - bytes
console.log(`memory for each subscriber, with that of the orders: ${(grown / count / 1_024).toFixed(1)} KiB`)
for (const child of [venue, witnesses, crowd]) child.send('end')

/** How long after the one the other was, ms, of the commits that both know. */
function waits(from: ReadonlyMap<number, number>, to: Moments): number[] {
  return to.flatMap(([seq, at]) => {
    const began = from.get(seq)
    return began === undefined ? [] : [at - began]
  })
}

function spread(times: readonly number[]): string {
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => shareOf(times, part).toFixed(1))
  return `p50 ${p50} ms, p99 ${p99} ms, most ${most} ms (${times.length})`
}

function both(of: (stretch: Stretch) => number, digits: number): string {
  const middle = (stretches: readonly Stretch[]) => shareOf(stretches.map(of), 0.5).toFixed(digits)
  return `${middle(alone)} without, ${middle(heard)} with`
}

function ratios(of: (stretch: Stretch) => number): string {
  return heard.map((stretch, pair) => (of(stretch) / of(alone[pair] as Stretch)).toFixed(2)).join(' ')
}

function party(name: string, ...terms: readonly number[]): ChildProcess {
  const file = path.join(import.meta.dirname, 'stream', `${name}.ts`)
  return fork(file, terms.map(String), { execArgv: ['--expose-gc', '--import', 'tsx'] })
}

function asked<T>(child: ChildProcess, what: string): Promise<T> {
  child.send(what)
  return told<T>(child)
}

function told<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)))
}
