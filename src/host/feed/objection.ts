/** What an exchange says that is no price and no good news. */

/** As Binance, Coinbase, Kraken, Bybit and OKX refuse what they are asked, and announce that they are about to leave. */
const OBJECTING = /"error"\s*(?:[,}\]]|:\s*(?!null\b))|"success"\s*:\s*false|"msg"\s*:/i
const MOST_CHARACTERS = 200
const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** What a frame without a ticker objects to, in its own words; null: it is an acknowledgement or a heartbeat. */
export function objectionIn(frame: string): string | null {
  return OBJECTING.test(frame) ? `it says ${printable(frame)}` : null
}

/** `code` and `reason` of a WebSocket that was closed (RFC 6455, 7.4). */
export function leavingOf(code: number, reason: string): string {
  if (code === 1006) return 'the connection was lost'
  if (code === 1005) return 'it left without a reason'
  return `it left, with ${code}${reason === '' ? '' : `: ${printable(reason)}`}`
}

/** Stands in a line of a terminal, whoever wrote it. */
function printable(text: string): string {
  return text.replace(UNPRINTABLE, ' ').slice(0, MOST_CHARACTERS)
}
