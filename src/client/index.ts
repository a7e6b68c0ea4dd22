/** margin-core/client: the Margin Trading API as a program asks it, and what it streams. Runs in a browser too. */

export type { ErrorBody } from '../resources/errorBody.ts'
export { ApiError } from './apiError.ts'
export * from './client.ts'
export { type RetryOptions, VenueUnreachable } from './requests.ts'
export type { StreamSocket, StreamSocketClass } from './socketEvents.ts'
export {
  type ApiStreamedAccount,
  StreamEnded,
  type StreamMessage,
  type StreamOptions,
  VenueStream,
} from './venueStream.ts'
