// The attacked host, in a process of its own. Prints its address and the attacker's position; tells its peak of memory, and the
// longest that its loop was held since it last told, for every line it is sent.

import { createInterface } from 'node:readline'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { Holds } from '../scale/held.ts'
import { CONFIGURATION, prepare } from './venue.ts'

export interface State {
  /** MiB */
  readonly peak: number
  /** Processor time of all threads, ms: what others on the machine do is not in it. */
  readonly held: number
}

const venue = await serveVenue({ configuration: CONFIGURATION, port: 0 })
const positionId = prepare(venue.engine)
process.stdout.write(`${JSON.stringify({ url: venue.url, positionId })}\n`)
const holds = new Holds()
for await (const _ of createInterface(process.stdin)) {
  const state: State = {
    peak: Math.round(process.resourceUsage().maxRSS / 1_024),
    held: holds.longest().processor,
  }
  process.stdout.write(`${JSON.stringify(state)}\n`)
}
