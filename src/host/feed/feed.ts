/** Where a venue's prices come from while it runs. */

import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../clock.ts'
import type { FeedConfiguration } from '../configuration.ts'
import { replayFeed } from './replay.ts'
import type { RunningFeed } from './runningFeed.ts'
import { simulatedFeed } from './simulated.ts'

/** Starts a feed; it ends with the engine. @throws RangeError when its file cannot be used. */
export async function startFeed(
  configuration: FeedConfiguration,
  engine: Engine,
  clock: Clock,
): Promise<RunningFeed> {
  return configuration.kind === 'simulated'
    ? simulatedFeed(configuration, engine, clock)
    : replayFeed(configuration, engine, clock)
}
