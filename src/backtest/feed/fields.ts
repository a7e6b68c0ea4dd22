/** The fields of a delimited line, found and converted in one pass over its bytes. */

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const DOT = 46
const ZERO = 48
const MOST_FIELDS = 64

/**
 * Splits lines into fields. Field `i` is `bytes[starts[i], ends[i])`; where it is a plain decimal (digits with at most
 * one dot, at most 2^53 − 1 without it) its value is `digits[i] / 10^decimals[i]`, exactly, and `decimals[i]` is −1
 * for any other text.
 */
export class Fields {
  readonly starts = new Int32Array(MOST_FIELDS)
  readonly ends = new Int32Array(MOST_FIELDS)
  readonly digits = new Float64Array(MOST_FIELDS)
  readonly decimals = new Int32Array(MOST_FIELDS)
  /** Fields of the line; those beyond the 64th are counted and not kept. */
  count = 0

  /**
   * Reads the line that starts at `start`; `bytes` must hold a line feed at or behind it.
   *
   * @returns where the next line starts.
   */
  scan(bytes: Uint8Array, start: number, delimiter: number): number {
    let at = start
    let field = 0
    for (;;) {
      const from = at
      let digits = 0
      let dot = -1
      let plain = true
      let byte = bytes[at] as number
      for (;;) {
        const digit = byte - ZERO
        if (digit >= 0 && digit <= 9) digits = digits * 10 + digit
        else if (byte === delimiter || byte === LINE_FEED) break
        else if (byte === DOT && dot < 0) dot = at
        else if (byte === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) break
        else plain = false
        byte = bytes[++at] as number
      }
      if (field < MOST_FIELDS) {
        const decimals = dot < 0 ? 0 : at - dot - 1
        const digitCount = at - from - (dot < 0 ? 0 : 1)
        this.starts[field] = from
        this.ends[field] = at
        this.digits[field] = digits
        // Beyond 2^53 a sum in doubles may be off, but it never falls back to 2^53 − 1 or less.
        this.decimals[field] = plain && digitCount > 0 && digits <= Number.MAX_SAFE_INTEGER ? decimals : -1
      }
      field += 1
      if (byte === delimiter) {
        at += 1
        continue
      }
      this.count = field
      return byte === CARRIAGE_RETURN ? at + 2 : at + 1
    }
  }

  /** A field as text. */
  text(bytes: Buffer, field: number): string {
    return bytes.toString('latin1', this.starts[field], this.ends[field])
  }
}
