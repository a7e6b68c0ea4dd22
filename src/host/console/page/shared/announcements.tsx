// What has happened, told to everyone: for a few seconds to eyes, and politely to screen readers.
import { useEffect, useState } from 'preact/hooks'

interface Announcement {
  readonly text: string
  readonly tone: 'plain' | 'bad'
}

/** Long enough to be read twice, ms. */
const SHOWN_MS = 8_000

let tell: (announcement: Announcement) => void = () => {}

export function announce(text: string, tone: Announcement['tone'] = 'plain'): void {
  tell({ text, tone })
}

export function Announcements() {
  const [shown, setShown] = useState<Announcement | null>(null)
  useEffect(() => {
    tell = setShown
  }, [])
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(() => setShown(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <section aria-label="What has just happened">
      <div class="announcements" role="status" aria-live="polite">
        {shown !== null && (
          <p class={shown.tone === 'bad' ? 'announcement bad' : 'announcement'}>{shown.text}</p>
        )}
      </div>
    </section>
  )
}
