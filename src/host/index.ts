/** margin-core/host: the Margin Trading API over HTTP, as a Fastify plugin and as a whole venue. */

export * from '../client/index.ts'
export type { OperatorRole } from './access.ts'
export type { Session } from './authentication.ts'
export { type Clock, manualClock, type SystemClockOptions, systemClock } from './clock.ts'
export { type NodeServeOptions, type ServedNode, serveNode } from './cluster/serveNode.ts'
export {
  ConfigurationError,
  type FeedConfiguration,
  type ListenAddress,
  readConfiguration,
  type UserConfiguration,
  type VenueConfiguration,
} from './configuration.ts'
export { DEMO, demoVenue } from './demo.ts'
export { DueInstants } from './dueInstants.ts'
export { LogBehind } from './gap.ts'
export { type MarginTradingApiOptions, marginTradingApi, type Surface } from './marginTradingApi.ts'
export type { OperatorToken } from './operators.ts'
export { readInPortions } from './portionedSocket.ts'
export { DEFAULT_RATE_LIMITS, type RateLimits } from './rateLimit.ts'
export { runSchedule } from './schedule.ts'
export { createServer, type LogOptions } from './server.ts'
export { type ServedVenue, type ServeOptions, serveVenue } from './serveVenue.ts'
export { openVenue, type Venue, type VenueOptions } from './venue.ts'
