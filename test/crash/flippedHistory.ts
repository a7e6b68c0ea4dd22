// A process that opens data directories with something flipped in them, one a line, and says what came of each. It may
// not survive one: whoever asks finds out by the silence.

import { createInterface } from 'node:readline'
import { createEngine, type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { Chance, drive, everythingReadable, GENESIS } from '../store/traffic.ts'

/** Commands before the flip, and after it. */
const [before = 0, after = 0] = process.argv.slice(2).map(Number)

/** Every order and every position that ever was. */
async function idsOf(engine: Engine): Promise<{ orders: string[]; positions: string[] }> {
  const [orders, positions]: [string[], string[]] = [[], []]
  for await (const { events } of engine.commits({ from: 1 }))
    for (const event of events)
      if (event.type === 'orderPlaced') orders.push(event.orderId)
      else if (event.type === 'increasePosition' && event.opens) positions.push(event.positionId)
  return { orders, positions }
}

/** All that is readable, by list and by id. */
function whole(engine: Engine): string {
  const found = [
    everythingReadable(engine, 50),
    ids.orders.map((id) => engine.read.order(id)),
    ids.positions.map((id) => [engine.read.position(id), engine.read.positionEvents(id)]),
  ]
  return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

async function answer(directory: string): Promise<string> {
  const notices: string[] = []
  const start = async (compare: (engine: Engine) => string | null) => {
    const store = await openLmdbStore(directory)
    const engine = await openEngine({ store, onNotice: (notice) => notices.push(notice) })
    try {
      return compare(engine)
    } finally {
      await engine.close()
    }
  }
  try {
    const different =
      (await start((engine) => {
        if (whole(engine) !== atFlip) return 'other data'
        drive(engine, new Chance(8), after)
        return whole(engine) === later ? null : 'other data after more of it'
      })) ?? (await start((engine) => (whole(engine) === later ? null : 'other data after another start')))
    if (different !== null) return different
    return notices.length === 0 ? 'the same' : notices.join('; ')
  } catch (error) {
    return `refused: ${String(error)}`
  }
}

/** Ids are the same in every engine that is told the same: those of the whole run, of which some are not yet known. */
const everything = createEngine(GENESIS)
drive(everything, new Chance(7), before)
drive(everything, new Chance(8), after)
const ids = await idsOf(everything)
const later = whole(everything)
const truth = createEngine(GENESIS)
drive(truth, new Chance(7), before)
const atFlip = whole(truth)

for await (const directory of createInterface({ input: process.stdin }))
  process.stdout.write(`${await answer(directory)}\n`)
