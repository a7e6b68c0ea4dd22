// What a platform command would do, as a trial tells it.

import type { World } from '../../src/domain/state/world.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { type Tried, tried } from '../../src/engine/trial.ts'
import type { PlatformCommand } from '../../src/events/command.ts'

export const UNLIMITED = { records: Number.POSITIVE_INFINITY, events: Number.POSITIVE_INFINITY }

export function triedOn(world: World, command: PlatformCommand, at: number): Tried {
  const pieces = tried(world, command, at, UNLIMITED)
  for (;;) {
    const next = pieces.next()
    if (next.done !== true) continue
    if ('beyond' in next.value) throw new Error(next.value.beyond)
    return next.value
  }
}

export const folded = () => new Folded((world) => new LevelTriggers(world))
