// The attacked host, in a process of its own: one by itself, or over the database of a URL the front of a cluster. Prints its address and
// the attacker's position; for every line it is sent it tells its memory, and the longest that its loop was held since it last told.

import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { Holds } from '../scale/held.ts'
import { serveFront } from './front.ts'
import { loopTime } from './loopTime.ts'
import { CONFIGURATION, prepare } from './venue.ts'

/** What a loop that has work takes of the processor in a second, at least. */
const BUSY_MS = 100

export interface State {
  /** The most memory that the process has had, garbage included, MiB. */
  readonly peak: number
  /** What is held now, after a collection of garbage, MiB. */
  readonly live: number
  /** What the loop had of the processor in its longest turn, ms. */
  readonly hold: number
}

const [postgres = ''] = process.argv.slice(2)
const venue =
  postgres === '' ? await serveVenue({ configuration: CONFIGURATION, port: 0 }) : await serveFront(postgres)
const positionId = await prepare(venue.engine)
await venue.engine.whenDurable()
if (postgres !== '') await rested()
process.stdout.write(`${JSON.stringify({ url: venue.url, pid: process.pid, positionId })}\n`)
/** What was prepared is written to tables for a while. */
async function rested(): Promise<void> {
  for (let used = BUSY_MS; used >= BUSY_MS; ) {
    const before = loopTime(process.pid)
    await sleep(1_000)
    used = loopTime(process.pid) - before
  }
}

const looking = () => new Holds(() => loopTime(process.pid))
let holds = looking()
for await (const _ of createInterface(process.stdin)) {
  const hold = holds.longest().processor
  holds.stop()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const state: State = {
    peak: Math.round(process.resourceUsage().maxRSS / 1_024),
    live: Math.round((heapUsed + external) / 1_048_576),
    hold,
  }
  process.stdout.write(`${JSON.stringify(state)}\n`)
  holds = looking()
}
