// `npx tsx bench/copies.ts`: what a sender's copies of events take while their commit waits for the disk, ns an event, beside copies of
// all types made in one place in the code. The best of 400 rounds, so that other work beside it counts little.

import { givenEvents } from '../src/engine/sealedCommit.ts'
import type { Event } from '../src/index.ts'
import { accountId, benchVenue, must, open } from './venue.ts'

const PAIRS = 256
const ROUNDS = 400

const engine = benchVenue({ accounts: PAIRS })
const commits: (readonly Event[])[] = []
engine.subscribe(({ events }) => commits.push(events.map((event) => ({ ...event }))))
for (let n = 0; n < PAIRS; n++) {
  open(engine, n, 0, 'long', n % 2 === 0)
  must(engine, { type: 'closeAll', accountId: accountId(n) })
}
const count = commits.reduce((sum, events) => sum + events.length, 0)

let copies: readonly Event[] = []
time('a place for each type', (events) => givenEvents(events, true))
time('one place', (events) => events.map((event) => ({ ...event })))
if (copies.length === 0) throw new Error('nothing was copied')

function time(what: string, copied: (events: readonly Event[]) => readonly Event[]): void {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.hrtime.bigint()
    for (const events of commits) copies = copied(events)
    best = Math.min(best, Number(process.hrtime.bigint() - began) / count)
  }
  console.log(`${what}: ${best.toFixed(0)} ns`)
}
