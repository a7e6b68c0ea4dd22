/**
 * What tells one venue from another, where both are kept in one database by mistake: the secret may have been copied with the rest of a
 * configuration, and each would serve shards of the other, with markets and accounts that it adds to them.
 */
import { createHash } from 'node:crypto'
import type { VenueConfiguration } from '../configuration.ts'

/** A node says it behind whatever it is told by another. */
export const VENUE_HEADER = 'x-margin-core-venue'

/** Of the ids of all that a venue is made of, in any order. */
export function venueMark({
  markets,
  users,
  accounts,
}: Pick<VenueConfiguration, 'markets' | 'users' | 'accounts'>): string {
  const hash = createHash('sha256')
  for (const group of [markets, users, accounts]) hash.update(`${group.map(({ id }) => id).sort()}\n`)
  return hash.digest('hex')
}
