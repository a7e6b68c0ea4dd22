// How long it is until the next day of an account.
import { useEffect, useState } from 'preact/hooks'
import { span } from '../shared/moments.ts'
import type { LiveVenue } from './liveVenue.ts'

/** Minutes are told, so they are enough, ms. */
const LOOK_MS = 10_000

export function NextDay({ at, live }: { readonly at: string; readonly live: LiveVenue }) {
  const [now, setNow] = useState(live.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(live.now()), LOOK_MS)
    return () => clearInterval(timer)
  }, [live])
  return <span>The next day begins in {span(Date.parse(at) - now)}.</span>
}
