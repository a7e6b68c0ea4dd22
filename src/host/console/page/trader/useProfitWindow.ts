// Where the minute after an increase stands for a position on the page.
import { useEffect, useState } from 'preact/hooks'
import type { ApiPosition } from '../../../../client/client.ts'
import type { LiveVenue } from './liveVenue.ts'
import { type ProfitWindow, windowAfter, windowKnown } from './profitWindow.ts'

/** Null where it is over and no spread is multiplied any more, where it is not known yet, and of no position. */
export function useProfitWindow(
  position: ApiPosition | undefined,
  scalpingWindowMs: number,
  live: LiveVenue,
): ProfitWindow | null {
  const [window, setWindow] = useState<ProfitWindow | null>(null)
  useEffect(() => {
    if (position === undefined) return setWindow(null)
    const known = windowKnown(position, live.now(), scalpingWindowMs)
    if (known !== 'unknown') return setWindow(known === 'over' ? null : known)
    let isGone = false
    live.client.positionEvents(position.idx ?? '').then(
      (events) => {
        const oldestFirst = [...events].sort((a, b) => a.version - b.version)
        if (!isGone) setWindow(windowAfter(oldestFirst))
      },
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [position, scalpingWindowMs, live])
  return window
}
