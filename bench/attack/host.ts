// The attacked host, in a process of its own. Prints its address and the attacker's position; tells its peak memory in MiB
// for every line it is sent.

import { createInterface } from 'node:readline'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { CONFIGURATION, prepare } from './venue.ts'

const venue = await serveVenue({ configuration: CONFIGURATION, port: 0 })
const positionId = prepare(venue.engine)
process.stdout.write(`${JSON.stringify({ url: venue.url, positionId })}\n`)
for await (const _ of createInterface(process.stdin))
  process.stdout.write(`${Math.round(process.resourceUsage().maxRSS / 1_024)}\n`)
