/** Where a venue's prices come from while it runs. */

import type { Engine } from '../../engine/engine.ts'
import type { FeedConfiguration, IndexFeedConfiguration } from '../configuration.ts'
import { indexFeed } from './indexFeed.ts'
import { readRecording, replayFeed } from './replay.ts'
import type { FedVenue, RunningFeed } from './runningFeed.ts'
import { simulatedFeed } from './simulated.ts'

/** Starts a feed; it ends with the engine. @throws RangeError when it cannot be: a file, a market. */
export async function startFeed(configuration: FeedConfiguration, venue: FedVenue): Promise<RunningFeed> {
  switch (configuration.kind) {
    case 'simulated':
      return simulatedFeed(configuration, venue)
    case 'replay':
      return replayFeed(configuration, venue)
    default:
      requireMarkets(configuration, venue.engine)
      return indexFeed(configuration, venue)
  }
}

/** @throws RangeError when the feed could not start. */
export async function requireFeed(configuration: FeedConfiguration, engine: Engine): Promise<void> {
  if (configuration.kind === 'replay') await readRecording(configuration, engine)
  else if (configuration.kind !== 'simulated') requireMarkets(configuration, engine)
}

function requireMarkets({ sources }: IndexFeedConfiguration, { read }: Engine): void {
  for (const { name, symbols } of sources)
    for (const { symbol, marketId } of symbols)
      if (read.market(marketId) === undefined)
        throw new RangeError(`feed: ${name}: ${symbol}: there is no market ${marketId}; name one of markets`)
}

/** Whether a feed is about a market. */
export function isFed(configuration: FeedConfiguration, marketId: string): boolean {
  switch (configuration.kind) {
    case 'simulated':
      return true
    case 'replay':
      return configuration.marketId === marketId
    default:
      return configuration.sources.some(({ symbols }) => symbols.some((one) => one.marketId === marketId))
  }
}
