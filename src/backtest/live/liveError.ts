/** The venue cannot be talked to: no connection, or an answer that is not the API's. */
export class LiveError extends Error {
  override readonly name = 'LiveError'
}
