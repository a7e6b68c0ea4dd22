// What one hostile client costs another: how long the victim waits under each attack, and what the host holds in memory.
// Ends with what was met and what was not, and with 1 where something was not.
//
//   npx tsx bench/attack.ts [seconds] [part of a name]
//
// Each attack has a host of its own, with the limits of `npm start`. Host and victim share the machine with the attacker, so
// every figure stands beside that of a victim who is alone.

import { fork, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Target } from './attack/attacker.ts'
import { ATTACKS, type Attack } from './attack/attacks.ts'
import type { State } from './attack/host.ts'

/** Beside the victim's worst delay when it is alone, ms; its 99th percentile, ms; memory, MiB. */
const AIMS = { worse: 100, p99: 250, held: 256 }

const [seconds = '4', part = ''] = process.argv.slice(2)

interface Reading {
  readonly requests: number
  /** ms */
  readonly p99: number
  readonly worst: number
  /** MiB that the host's peak grew by under the attack, and the peak. */
  readonly held: number
  readonly peak: number
  /** Processor time of the host's longest hold, ms. */
  readonly hold: number
  /** What the attack did. */
  readonly did: string
}

const inFolder = (name: string) => path.join(import.meta.dirname, 'attack', name)

function delaysOfVictim(url: string, duration: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const victim = fork(inFolder('victim.ts'), [url, String(duration)], { execArgv: ['--import', 'tsx'] })
    victim.once('message', (delays) => resolve(delays as number[]))
    victim.once('exit', (code) => reject(new Error(`the victim ended with ${code}`)))
  })
}

async function measured({ run }: Attack): Promise<Reading> {
  const host = spawn(process.execPath, ['--import', 'tsx', inFolder('host.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const state = async (): Promise<State> => {
    host.stdin.write('\n')
    return JSON.parse(await line())
  }
  try {
    const target: Target = JSON.parse(await line())
    await delaysOfVictim(target.url, 1)
    const before = await state()
    const stop = new AbortController()
    const attack = run(target, stop.signal)
    const delays = (await delaysOfVictim(target.url, Number(seconds))).sort((a, b) => a - b)
    stop.abort()
    const did = await attack
    const after = await state()
    const at = (share: number) => delays[Math.min(Math.floor(share * delays.length), delays.length - 1)] ?? 0
    return {
      requests: delays.length,
      p99: at(0.99),
      worst: at(1),
      held: after.peak - before.peak,
      peak: after.peak,
      hold: after.held,
      did,
    }
  } finally {
    host.kill('SIGKILL')
  }
}

/** What a reading misses. */
function missed({ p99, worst, held }: Reading, alone: Reading): string[] {
  return [
    ...(worst > alone.worst + AIMS.worse ? ['worst'] : []),
    ...(p99 > AIMS.p99 ? ['p99'] : []),
    ...(held > AIMS.held ? ['held'] : []),
  ]
}

console.log(
  `${'attack'.padEnd(32)} answers   p99 ms  worst ms  held MiB  peak MiB   hold ms  aims          what it did`,
)
const [quiet, ...attacks] = ATTACKS as [Attack, ...Attack[]]
let alone: Reading | null = null
const misses: string[] = []
for (const attack of [quiet, ...attacks.filter(({ name }) => name.includes(part))]) {
  const reading = await measured(attack)
  alone ??= reading
  const { requests, p99, worst, held, peak, hold, did } = reading
  const beyond = missed(reading, alone)
  if (beyond.length > 0) misses.push(attack.name)
  const figures = [requests, p99.toFixed(1), worst.toFixed(1), held, peak, hold.toFixed(1)].map(String)
  const met = beyond.length === 0 ? 'met' : `MISSED ${beyond.join(' ')}`
  const columns = figures.map((figure, at) => figure.padStart(at === 0 ? 8 : 10))
  console.log(`${attack.name.padEnd(32)}${columns.join('').padEnd(58)}  ${met.padEnd(13)} ${did}`)
}
const bounds = `p99 ${AIMS.p99} ms, worst ${AIMS.worse} ms more than alone, held ${AIMS.held} MiB`
console.log(`\naims: ${bounds}: ${misses.length === 0 ? 'all met' : `missed under ${misses.join('; ')}`}`)
process.exit(misses.length === 0 ? 0 : 1)
