/** What every answer holds that is not the one asked for. */

/**
 * The documented error body (I16). `error` is the code to branch on.
 *
 * ```ts
 * const body: ErrorBody = { statusCode: 409, message: 'The price is old.', error: 'market_price_stale' }
 * body.error in ERRORS // → true
 * ```
 */
export interface ErrorBody {
  /** Of HTTP, said again. */
  readonly statusCode: number
  readonly message: string
  readonly error: string
  /** With `validation_failed`: the paths of the fields at fault. */
  readonly details?: readonly string[]
  /** With `invalid_leverage`: what was asked for and the bound it broke, fp9. */
  readonly leverage?: string
  readonly minLeverage?: string
  readonly maxLeverage?: string
  /** With `api_key_rate_limit_exceeded`: the window that tripped. */
  readonly bucket?: 'read' | 'write'
  readonly window?: 'second' | 'minute'
  /** Requests it allows. */
  readonly limit?: number
  readonly retryAt?: string
}
