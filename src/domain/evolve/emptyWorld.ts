/** The world before the first event. */

import { Registry } from '../../collections/registry.ts'
import { Worklist } from '../../collections/worklist.ts'
import { Accounts } from '../state/accounts.ts'
import { ApiKeys } from '../state/apiKey.ts'
import { IdSpace } from '../state/ids.ts'
import { OpenPositions } from '../state/openPositions/openPositions.ts'
import { RestingOrders } from '../state/restingOrders/restingOrders.ts'
import type { Triggers } from '../state/triggers.ts'
import { RULES } from '../state/venueRules.ts'
import type { Archive, World } from '../state/world.ts'
import { VenueDays } from './venueDays.ts'

/** The ids of no seed, which an engine has until its first event: one for all of them, because making it costs a hash. */
const SEEDLESS = new IdSpace('')

/** An empty world. `triggers` is given the world it watches. */
export function emptyWorld(archive: Archive, triggers: (world: World) => Triggers): World {
  const world: Omit<World, 'triggers'> & { triggers?: Triggers } = {
    seed: '',
    ids: SEEDLESS,
    seq: 0,
    now: 0,
    nextDueAt: Number.POSITIVE_INFINITY,
    created: 0,
    house: 0n,
    markets: new Registry(),
    accounts: new Accounts(),
    orders: new RestingOrders(),
    positions: new OpenPositions(),
    executing: null,
    ended: new Worklist(),
    changed: new Worklist(),
    apiKeys: new ApiKeys(),
    days: new VenueDays(),
    beforeChange: null,
    rules: RULES,
    archive,
  }
  // The two know each other, so one of them has to be made of what is not whole yet.
  world.triggers = triggers(world as World)
  return world as World
}
