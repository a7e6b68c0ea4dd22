/** Data files of a plan, through the cache where there is one. */
import { openCachedFeed } from '../feed/cache/cachedFeed.ts'
import type { Feed } from '../feed/feed.ts'
import { type FeedOptions, openFeed } from '../feed/openFeed.ts'

/**
 * The folder that the environment names in `MARGIN_CORE_CACHE`: the same for all threads of a program. Null where it names
 * none, as in a program of one's own, and for `off`.
 */
export function dataCacheFolder(): string | null {
  const folder = process.env.MARGIN_CORE_CACHE ?? ''
  return folder === '' || folder === 'off' ? null : folder
}

/** @throws FeedError as `openFeed` does. */
export async function openData(options: FeedOptions): Promise<Feed> {
  const folder = dataCacheFolder()
  return folder === null ? openFeed(options) : openCachedFeed(options, folder)
}
