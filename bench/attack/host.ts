// The attacked host, in a process of its own. Prints its address and the attacker's position; for every line it is sent it tells
// its memory, and the longest that its loop was held since it last told.

import { createInterface } from 'node:readline'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { Holds } from '../scale/held.ts'
import { loopTime } from './loopTime.ts'
import { CONFIGURATION, prepare } from './venue.ts'

export interface State {
  /** The most memory that the process has had, garbage included, MiB. */
  readonly peak: number
  /** What is held now, after a collection of garbage, MiB. */
  readonly live: number
  /** What the loop had of the processor in its longest turn, ms. */
  readonly hold: number
}

const venue = await serveVenue({ configuration: CONFIGURATION, port: 0 })
const positionId = prepare(venue.engine)
process.stdout.write(`${JSON.stringify({ url: venue.url, pid: process.pid, positionId })}\n`)
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
