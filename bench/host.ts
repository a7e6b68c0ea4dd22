// Orders per second and latency over loopback, as a ratio to the same Fastify answering a constant body in the same run.
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
const urls: { api: string; ceiling: string } = JSON.parse(await line())

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
const measured: Record<'api' | 'ceiling', Round[]> = { api: [], ceiling: [] }
await load(urls.ceiling, 2)
await load(urls.api, 2)
for (let round = 0; round < rounds; round++)
  for (const which of ['ceiling', 'api'] as const) measured[which].push(await load(urls[which], seconds))

for (const [which, results] of Object.entries(measured)) {
  const [perSecond, p50, p99, processor] = [
    median(results.map((r) => r.perSecond)),
    median(results.map((r) => r.p50)),
    median(results.map((r) => r.p99)),
    median(results.map((r) => r.processor)),
  ]
  console.log(
    `${which.padEnd(8)} ${perSecond.toFixed(0)} requests/s, p50 ${p50} ms, p99 ${p99} ms, ${processor.toFixed(1)} µs of the processor`,
  )
}
const ratio = (of: (api: Round, ceiling: Round) => number) =>
  median(measured.api.map((api, at) => of(api, measured.ceiling[at] as Round))).toFixed(2)
const bySpeed = ratio((api, ceiling) => api.perSecond / ceiling.perSecond)
const byProcessor = ratio((api, ceiling) => ceiling.processor / api.processor)
console.log(
  `ratio    ${bySpeed} (aim ${AIM}: ${Number(bySpeed) >= AIM ? 'met' : 'missed'}), by the processor ${byProcessor} (median of ${rounds} rounds of ${seconds} s, ${connections} connections)`,
)
server.kill()
