/** A server that is made once, for nobody. */
import type { VenueConfiguration } from '../configuration.ts'
import { offerVenue } from '../serveVenue.ts'
import { FEEDING } from './priceSpread.ts'

/**
 * The first server of a process takes as long as ten others, which are compiled by then: it is made before the node has a lease that
 * it could miss, and shards that traders wait for.
 */
export async function serveNobody(configuration: VenueConfiguration): Promise<void> {
  const empty = { ...configuration, users: [], accounts: [], webhooks: [] }
  const venue = await offerVenue({ configuration: empty, store: null, shard: FEEDING, onPrice: null })
  await venue.close()
}
