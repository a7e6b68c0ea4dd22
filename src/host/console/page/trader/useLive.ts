// Draws anew what depends on a live venue.
import { useEffect, useState } from 'preact/hooks'
import type { LiveVenue } from './liveVenue.ts'

/** Its version: another one with every frame in which something changed. */
export function useLive(live: LiveVenue): number {
  const [version, setVersion] = useState(live.version)
  useEffect(() => live.subscribe(() => setVersion(live.version)), [live])
  return version
}
