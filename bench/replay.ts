// A log folded again from its first commit.

import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import {
  type Commit,
  type Engine,
  type Event,
  inPlace,
  type Position,
  positionRecipe,
  unopenedPosition,
} from '../src/index.ts'
import { compare, type Figure, rate } from './figure.ts'
import { benchVenue, restOn } from './venue.ts'

export const replay: Figure = {
  name: 'replay',
  about: 'a log in memory folded into state and read models, events per second',
  async run({ quick }) {
    const engine = benchVenue({ accounts: 20_000 })
    restOn(engine, quick ? 20_000 : 150_000)
    const log = await logOf(engine)
    const events = log.reduce((sum, commit) => sum + commit.events.length, 0)
    const hash = engine.stateHash()
    let folded: Folded | null = null
    const timed = compare({
      fold: () => {
        folded = new Folded((world) => new LevelTriggers(world))
        for (const commit of log) folded.fold(commit)
        return events
      },
      bare: () => bareMaps(log),
    })
    if ((folded as Folded | null)?.stateHash() !== hash) throw new Error('the fold is another state')
    return [
      rate(
        `${events.toLocaleString('en')} events of ${log.length.toLocaleString('en')} commits`,
        timed.fold,
        'bare Maps with the same reducers',
        timed.bare,
        '1M/s',
      ),
    ]
  },
}

/** Orders by id, positions through the engine's own reducers, and nothing else: no money, levels, lists or history. */
function bareMaps(log: readonly Commit[]): number {
  const orders = new Map<string, Event>()
  const positions = new Map<string, Position>()
  const apply = inPlace(positionRecipe)
  let events = 0
  for (const { at, seq, events: happened } of log)
    for (const event of happened) {
      events += 1
      if (event.type === 'orderPlaced') orders.set(event.orderId, event)
      else if (event.type === 'orderExecuted' || event.type === 'orderCanceled') orders.delete(event.orderId)
      else if (event.type === 'increasePosition') {
        const held = positions.get(event.positionId)
        const position = held ?? unopenedPosition(event, at, { sequence: seq, phaseOrdinal: 1 })
        positions.set(event.positionId, apply(position, event, at))
      }
    }
  return events
}

async function logOf(engine: Engine): Promise<Commit[]> {
  const log: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) log.push(commit)
  return log
}
