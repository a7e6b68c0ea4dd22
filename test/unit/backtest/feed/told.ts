// What a feed gives, to be compared with what another gives.

import type { BarColumns, TickColumns } from '../../../../src/backtest/feed/columns.ts'
import type { Feed } from '../../../../src/backtest/feed/feed.ts'

/** Everything that can be told of a feed, up to so many chunks: what it is, and its summary after each. */
export async function told(feed: Feed, atMost = Number.POSITIVE_INFINITY) {
  const steps: unknown[] = [feed.summary()]
  let error: string | null = null
  try {
    let chunks = 0
    for await (const chunk of feed as AsyncIterable<BarColumns | TickColumns>) {
      steps.push(chunk, feed.summary())
      if (++chunks === atMost) break
    }
  } catch (failure) {
    error = String(failure)
  }
  const { kind, sources, format } = feed
  return {
    is: [kind, sources, format, feed.kind === 'bars' ? feed.intervalMs : null],
    steps,
    end: feed.summary(),
    error,
  }
}
