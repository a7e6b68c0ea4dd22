// Orders per second and latency over loopback, as a ratio to the same Fastify answering a constant body in the same run; beside it
// the ratio of that Fastify with an engine behind it and nothing of the host. That one answers each request in a turn of its own.
//
//   npx tsx bench/host.ts [connections] [seconds] [rounds]
//
// The server and the load are processes of their own; rounds alternate, and medians are reported, so that a busy
// machine slows both alike. What the processor works in the server for a request depends on that least.

import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { LOAD, ORDER } from './hostServer.ts'

const [connections = 50, seconds = 5, rounds = 5] = process.argv.slice(2).map(Number)

/** Of the speed of the constant body. */
const AIM = 0.6

const SERVERS = ['ceiling', 'engine', 'api'] as const
type Server = (typeof SERVERS)[number]

interface Round {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Of the server's processor for each request, µs. */
  readonly processor: number
}

const server = spawn(
  process.execPath,
  ['--import', 'tsx', path.join(import.meta.dirname, 'hostServer.ts'), 'run'],
  { stdio: ['pipe', 'pipe', 'inherit'] },
)
const said = createInterface(server.stdout)
const line = () => new Promise<string>((resolve) => said.once('line', resolve))
const urls: Record<Server, string> = JSON.parse(await line())

async function worked(): Promise<number> {
  const answer = line()
  server.stdin.write('\n')
  return Number(await answer)
}

async function load(url: string, duration: number): Promise<Round> {
  const before = await worked()
  const result = await autocannon({
    url: `${url}/orders`,
    method: 'POST',
    connections,
    duration,
    headers: { authorization: `Bearer ${LOAD.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ORDER),
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`)
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    processor: ((await worked()) - before) / result.requests.total,
  }
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number
const measured: Record<Server, Round[]> = { ceiling: [], engine: [], api: [] }
for (const which of SERVERS) await load(urls[which], 2)
for (let round = 0; round < rounds; round++)
  for (const which of SERVERS) measured[which].push(await load(urls[which], seconds))

for (const which of SERVERS) {
  const of = (figure: keyof Round) => median(measured[which].map((round) => round[figure]))
  console.log(
    `${which.padEnd(8)} ${of('perSecond').toFixed(0)} requests/s, p50 ${of('p50')} ms, p99 ${of('p99')} ms, ${of('processor').toFixed(1)} µs of the processor`,
  )
}
for (const which of ['engine', 'api'] as const) {
  const ratio = (of: (round: Round, ceiling: Round) => number) =>
    median(measured[which].map((round, at) => of(round, measured.ceiling[at] as Round))).toFixed(2)
  const bySpeed = ratio((round, ceiling) => round.perSecond / ceiling.perSecond)
  const byProcessor = ratio((round, ceiling) => ceiling.processor / round.processor)
  const judged = which === 'api' ? ` (aim ${AIM}: ${Number(bySpeed) >= AIM ? 'met' : 'missed'})` : ''
  console.log(`ratio    ${which.padEnd(8)}${bySpeed}${judged}, by the processor ${byProcessor}`)
}
console.log(`medians of ${rounds} rounds of ${seconds} s, ${connections} connections`)
server.kill()
