/** Numbers and patterns in bytes, little-endian. */

const TWO_32 = 4_294_967_296

export function uint32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  )
}

export function uint48(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 4] as number) | ((bytes[at + 5] as number) << 8)) * TWO_32 + uint32(bytes, at)
}

export function putUint48(bytes: Uint8Array, at: number, value: number): void {
  let rest = value
  for (let index = 0; index < 6; index++) {
    bytes[at + index] = rest % 256
    rest = Math.floor(rest / 256)
  }
}

export function putUint32(bytes: Uint8Array, at: number, value: number): void {
  for (let index = 0; index < 4; index++) bytes[at + index] = value >>> (8 * index)
}

/** Where a pattern begins first, in `bytes[from, to)`; −1 when nowhere. */
export function find(bytes: Uint8Array, pattern: Uint8Array, from: number, to = bytes.length): number {
  const first = pattern[0] as number
  const last = to - pattern.length
  for (let at = bytes.indexOf(first, from); at !== -1 && at <= last; at = bytes.indexOf(first, at + 1))
    if (holds(bytes, pattern, at)) return at
  return -1
}

/** Whether a pattern stands at a place. */
export function holds(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  for (let index = 0; index < pattern.length; index++) if (bytes[at + index] !== pattern[index]) return false
  return true
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && holds(a, b, 0)
}

/**
 * Bytes as hexadecimal digits, lower case: how chains and hashes are printed.
 *
 * ```ts
 * hexOf(Uint8Array.of(255, 0)) // → ff00
 * ```
 */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
