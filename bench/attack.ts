// What one hostile client costs another: how long the victim waits under each attack, and what the host holds in memory.
// Ends with what was met and what was not, and with 1 where something was not.
//
//   npx tsx bench/attack.ts [seconds] [part of a name] [front]
//
// With `front` it is a node of a cluster that is attacked, which sends everything on to another in the same process.
//
// Each attack has a host of its own, with the limits of `npm start`. Host and victim share the machine with the attacker, so
// every figure stands beside that of a victim who is alone, and a delay is judged by the processor's time that the host's loop
// spent meanwhile: how long others had the processor is on the clock alone.

import { fork, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { PostgresServer } from '../test/postgres/postgresServer.ts'
import type { Deed, Target } from './attack/attacker.ts'
import { ATTACKS, type Attack } from './attack/attacks.ts'
import type { State } from './attack/host.ts'
import type { Told } from './attack/victim.ts'

/** The victim's worst delay and its 99th percentile, of the processor, ms; memory, MiB. */
const AIMS = { worst: 100, p99: 250, held: 256 }

/** Where Node's own server alone misses an aim, so many times its delay is none of the venue's. */
const BESIDE_THE_FLOOR = 1.5

const [seconds = '4', part = '', front = ''] = process.argv.slice(2)
const database = front === '' ? null : await PostgresServer.start()

interface Spread {
  /** ms */
  readonly p99: number
  readonly worst: number
}

interface Reading {
  readonly requests: number
  readonly clock: Spread
  readonly processor: Spread
  /** MiB more that the host holds in the end of the attack, without garbage, and its peak, with it. */
  readonly held: number
  readonly peak: number
  /** What the host's loop had of the processor in its longest turn, ms. */
  readonly hold: number
  readonly deed: Deed
  /** What the victim was refused. */
  readonly refused: readonly string[]
}

const inFolder = (name: string) => path.join(import.meta.dirname, 'attack', name)

/** A victim who is connected, and begins when it is told to. */
async function victimOf({ url, pid }: Target, duration: number, anew = false): Promise<() => Promise<Told>> {
  const options = { execArgv: ['--import', 'tsx'] }
  const terms = [url, String(pid), String(duration), anew ? 'anew' : '']
  const victim = fork(inFolder('victim.ts'), terms, options)
  const said = () =>
    new Promise((resolve, reject) => {
      victim.once('message', resolve)
      victim.once('exit', (code) => reject(new Error(`the victim ended with ${code}`)))
    })
  await said()
  return () => {
    victim.send('begin')
    return said() as Promise<Told>
  }
}

/** The URL of one in which there is nothing yet; none where none is needed. */
async function emptyDatabase(): Promise<string> {
  if (database === null) return ''
  const name = `attack_${process.hrtime.bigint()}`
  await database.query(`CREATE DATABASE ${name}`)
  return database.url.replace(/[^/]*$/, name)
}

async function measured({ run, anew }: Attack, program = 'host.ts'): Promise<Reading> {
  const terms = ['--expose-gc', '--import', 'tsx', inFolder(program), await emptyDatabase()]
  const host = spawn(process.execPath, terms, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(host.stdout)[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const state = async (): Promise<State> => {
    host.stdin.write('\n')
    return JSON.parse(await line())
  }
  try {
    const target: Target = JSON.parse(await line())
    await (await victimOf(target, 1))()
    const victim = await victimOf(target, Number(seconds), anew)
    const before = await state()
    const stop = new AbortController()
    const attack = run(target, stop.signal)
    const { delays, refused } = await victim()
    const after = await state()
    stop.abort()
    const deed = await attack
    return {
      requests: delays.length,
      clock: spread(delays.map(({ clock }) => clock)),
      processor: spread(delays.map(({ processor }) => processor)),
      held: after.live - before.live,
      peak: after.peak,
      hold: after.hold,
      deed,
      refused,
    }
  } finally {
    host.kill('SIGKILL')
  }
}

function spread(delays: readonly number[]): Spread {
  const sorted = delays.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? 0
  return { p99: at(0.99), worst: at(1) }
}

/** What a reading misses, and whether it was the attack that it was meant to be. */
function missed(
  { processor, held, deed, refused }: Reading,
  { meant = [200] }: Attack,
  floor: Reading | null,
): string[] {
  const others = [...deed.answers.keys()].filter((status) => !meant.includes(status))
  const most = (aim: number, least = 0) => Math.max(aim, BESIDE_THE_FLOOR * least)
  return [
    ...(processor.worst > most(AIMS.worst, floor?.processor.worst) ? ['worst'] : []),
    ...(processor.p99 > most(AIMS.p99, floor?.processor.p99) ? ['p99'] : []),
    ...(held > AIMS.held ? ['held'] : []),
    ...(others.length > 0 ? [`answered ${others.join()}`] : []),
    ...(refused.length > 0 ? [`the victim: ${refused.join('; ')}`] : []),
  ]
}

function row(name: string, figures: readonly string[], verdict: string, deed: string): string {
  const [answers = '', ...rest] = figures
  const columns = [answers.padStart(7), ...rest.map((figure) => figure.padStart(8))]
  return `${name.padEnd(32)}${columns.join('')}  ${verdict.padEnd(18)} ${deed}`
}

const HEADINGS = ['answers', 'p99', 'worst', 'cpu p99', 'worst', 'held', 'peak', 'hold']
console.log(row('attack', HEADINGS, 'aims', 'what it did (delays and hold in ms, memory in MiB)'))
const [quiet, ...attacks] = ATTACKS as [Attack, ...Attack[]]
const misses: string[] = []
try {
  for (const attack of [quiet, ...attacks.filter(({ name }) => name.includes(part))]) {
    const floor = attack.anew ? await measured(attack, 'bare.ts') : null
    if (floor !== null) tell("… Node's own server alone", floor, 'the floor')
    const reading = await measured(attack)
    const beyond = missed(reading, attack, floor)
    if (beyond.length > 0) misses.push(attack.name)
    tell(attack.name, reading, beyond.length === 0 ? 'met' : `MISSED ${beyond.join(' ')}`)
  }
} finally {
  await database?.stop()
}

function tell(
  name: string,
  { requests, clock, processor, held, peak, hold, deed }: Reading,
  verdict: string,
) {
  const delays = [clock.p99, clock.worst, processor.p99, processor.worst].map((delay) => delay.toFixed(1))
  const figures = [`${requests}`, ...delays, `${held}`, `${peak}`, hold.toFixed(1)]
  console.log(row(name, figures, verdict, deed.words))
}
const bounds = `of the processor p99 ${AIMS.p99} ms and worst ${AIMS.worst} ms, held ${AIMS.held} MiB`
console.log(`\naims: ${bounds}: ${misses.length === 0 ? 'all met' : `missed under ${misses.join('; ')}`}`)
process.exit(misses.length === 0 ? 0 : 1)
