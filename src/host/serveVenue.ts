/** A venue being served: the engine behind HTTP, with its feed and its schedule, until it is closed. */
import type { AddressInfo } from 'node:net'
import { runSchedule } from './clock.ts'
import type { VenueConfiguration } from './configuration.ts'
import { startFeed } from './feed/feed.ts'
import { createServer, type LogOptions } from './server.ts'
import { openVenue, type Venue, type VenueOptions } from './venue.ts'

/** What has not been answered by then when a venue closes is cut off. */
const DRAIN_MS = 5_000

export interface ServeOptions extends VenueOptions {
  readonly configuration: VenueConfiguration
  readonly host?: string
  /** 0 picks a free one. */
  readonly port?: number
  readonly log?: LogOptions
}

export interface ServedVenue extends Venue {
  /** `http://host:port`, with the port that was picked. */
  readonly url: string
  /** Answers what is under way, makes the log durable, and lets go of everything. */
  close(): Promise<void>
}

/** Opens a venue and serves it. @throws ConfigurationError, and what listening throws */
export async function serveVenue(options: ServeOptions): Promise<ServedVenue> {
  const { configuration, host = '127.0.0.1', port = 8080, log } = options
  const venue = await openVenue(configuration, options)
  const { engine, clock, sessions } = venue
  const { operatorToken, rateLimit, feed } = configuration
  const app = await createServer({
    engine,
    clock,
    sessions,
    operatorToken,
    rateLimit,
    ...(log !== undefined && { log }),
  })
  const running = [
    ...(clock.mode === 'system' ? [runSchedule(engine, clock)] : []),
    ...(feed === null ? [] : [await startFeed(feed, engine, clock)]),
  ]
  await app.listen({ host, port })
  const address = app.server.address() as AddressInfo
  return {
    ...venue,
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close: async () => {
      for (const part of running) part.stop()
      const impatience = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
      await app.close()
      clearTimeout(impatience)
      await engine.close()
    },
  }
}
