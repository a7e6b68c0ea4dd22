// The seconds that are left of the minute after an increase.
import { useEffect, useState } from 'preact/hooks'
import type { LiveVenue } from './liveVenue.ts'
import { type ProfitWindow, windowLeft } from './profitWindow.ts'

export function ProfitWindowLeft({
  window,
  live,
}: {
  readonly window: ProfitWindow
  readonly live: LiveVenue
}) {
  const [left, setLeft] = useState(windowLeft(window, live.now()))
  useEffect(() => {
    const look = () => setLeft(windowLeft(window, live.now()))
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [window, live])
  if (left === 0) return null
  return (
    <span
      class="capped"
      title="For a minute after an increase a close realizes no more profit than there was at the increase"
    >
      capped {Math.ceil(left / 1000)} s
    </span>
  )
}
