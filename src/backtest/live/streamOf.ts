/** The stream of an account, where its venue has one: it is an extension of the interface. */
import {
  ApiError,
  type MarginTradingClient,
  type StreamOptions,
  type VenueStream,
} from '../../client/index.ts'

/**
 * A stream that has not begun, for `runLive`; null where the venue knows none.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const served = await serveVenue({ configuration: { ...configuration, rateLimit: null }, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: served.url, token: apiKey })
 * const context = await LiveContext.open(client, () => Date.now())
 * const stream = await streamOf(client, context.accountId, new AbortController().signal)
 * await served.close()
 * stream === null // → false
 * ```
 *
 * @throws ApiError for every other refusal.
 */
export async function streamOf(
  client: MarginTradingClient,
  accountId: string,
  signal: AbortSignal,
  options: Pick<StreamOptions, 'onConnection'> = {},
): Promise<VenueStream | null> {
  const asking = new AbortController()
  try {
    for await (const _ of client.stream({ accountIds: [accountId], signal: asking.signal })) break
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 404) return null
    throw error
  } finally {
    asking.abort()
  }
  return client.stream({ ...options, accountIds: [accountId], signal })
}
