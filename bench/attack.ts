// What one hostile client costs another: how long the victim waits under each attack, and what the host holds in memory.
//
//   npx tsx bench/attack.ts [seconds] [part of a name]
//
// Each attack has a host of its own. Host and victim share the machine with the attacker, so every figure stands beside
// that of a victim who is alone.

import { fork, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { ATTACKS, type Attack, type Target } from './attack/attacks.ts'

const AIMS = { worst: 100, p99: 250, held: 256 }

const [seconds = '5', part = ''] = process.argv.slice(2)

interface Reading {
  readonly requests: number
  /** ms */
  readonly p99: number
  readonly worst: number
  /** MiB that the host's peak grew by under the attack, and the peak. */
  readonly held: number
  readonly peak: number
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
  const peak = () => {
    host.stdin.write('\n')
    return line().then(Number)
  }
  try {
    const target: Target = JSON.parse(await line())
    await delaysOfVictim(target.url, 1)
    const before = await peak()
    const stop = new AbortController()
    const attack = run(target, stop.signal)
    const delays = (await delaysOfVictim(target.url, Number(seconds))).sort((a, b) => a - b)
    stop.abort()
    await attack
    const after = await peak()
    const at = (share: number) => delays[Math.min(Math.floor(share * delays.length), delays.length - 1)] ?? 0
    return { requests: delays.length, p99: at(0.99), worst: at(1), held: after - before, peak: after }
  } finally {
    host.kill('SIGKILL')
  }
}

console.log('attack                          requests   p99 ms   worst ms   held MiB   peak MiB')
for (const attack of ATTACKS.filter(({ name }) => name.includes(part))) {
  const { requests, p99, worst, held, peak } = await measured(attack)
  const figures = [
    String(requests).padStart(9),
    p99.toFixed(1).padStart(9),
    worst.toFixed(1).padStart(11),
    String(held).padStart(11),
    String(peak).padStart(11),
  ]
  console.log(`${attack.name.padEnd(31)}${figures.join('')}`)
}
console.log(`aims: p99 ${AIMS.p99}, worst ${AIMS.worst} ms more than quiet, held ${AIMS.held} MiB`)
process.exit()
