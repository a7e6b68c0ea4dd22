// A log folded again from its first commit.

import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import type { Commit, Engine } from '../src/index.ts'
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
    })
    if ((folded as Folded | null)?.stateHash() !== hash) throw new Error('the fold is another state')
    return [
      rate(`${events.toLocaleString('en')} events of ${log.length.toLocaleString('en')} commits`, timed.fold),
    ]
  },
}

async function logOf(engine: Engine): Promise<Commit[]> {
  const log: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) log.push(commit)
  return log
}
