/** 64-bit integers and their halves. */

/** A signed 64-bit integer from its halves, through memory: `BigInt(number)` takes twice as long. */
export const halves = new Int32Array(2)
export const whole = new BigInt64Array(halves.buffer)
export const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1

export function joined(low: number, high: number): bigint {
  halves[LOW] = low
  halves[1 - LOW] = high
  return whole[0] as bigint
}

export function extended(low: number): bigint {
  return joined(low, low >> 31)
}
