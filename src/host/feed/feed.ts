/** Where a venue's prices come from while it runs. */

import type { FeedConfiguration } from '../configuration.ts'
import { replayFeed } from './replay.ts'
import type { FedVenue, RunningFeed } from './runningFeed.ts'
import { simulatedFeed } from './simulated.ts'

/** Starts a feed; it ends with the engine. @throws RangeError when its file cannot be used. */
export async function startFeed(configuration: FeedConfiguration, venue: FedVenue): Promise<RunningFeed> {
  return configuration.kind === 'simulated'
    ? simulatedFeed(configuration, venue)
    : replayFeed(configuration, venue)
}
