/**
 * e^x and ln x from additions, multiplications, divisions and nothing else. IEEE 754 rounds those (and the square root)
 * exactly, so a simulation has the same bytes everywhere, while `Math.exp`, `Math.log`, `Math.sin` may differ in the
 * last bit from one engine or version to the next. Accurate to within 2 units in the last place of a double.
 */

/** ln 2 in two parts; the first has 32 trailing zero bits, so that its product with a small integer is exact. */
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const TERMS = 14
const LARGEST = 709
const SMALLEST = -708

/** 1/n! for the Taylor series. */
const RECIPROCAL_FACTORIALS = Array.from({ length: TERMS + 1 }, (_, n) => {
  let factorial = 1
  for (let k = 2; k <= n; k++) factorial *= k
  return 1 / factorial
})

/**
 * e^x; infinite above 709 and zero below −708, where the result would not be a normal double. x = k·ln 2 + r with
 * |r| <= ln 2 / 2, e^x = 2^k·e^r, and e^r by its Taylor series.
 */
export function exp(x: number): number {
  if (x > LARGEST) return Number.POSITIVE_INFINITY
  if (x < SMALLEST) return 0
  const k = Math.round(x * Math.LOG2E)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  let sum = RECIPROCAL_FACTORIALS[TERMS] as number
  for (let n = TERMS - 1; n >= 0; n--) sum = sum * r + (RECIPROCAL_FACTORIALS[n] as number)
  return sum * powerOfTwo(k)
}

/** ln x for normal x > 0. x = 2^k·m with √½ <= m < √2, ln x = k·ln 2 + ln m, ln m = 2·artanh((m − 1)/(m + 1)). */
export function ln(x: number): number {
  float[0] = x
  let k = ((words[HIGH_WORD] as number) >>> 20) - 1022
  words[HIGH_WORD] = ((words[HIGH_WORD] as number) & 0x000fffff) | 0x3fe00000
  let m = float[0] as number
  if (m < Math.SQRT1_2) {
    m *= 2
    k -= 1
  }
  return k * LN2_HIGH + (twiceArtanh((m - 1) / (m + 1)) + k * LN2_LOW)
}

/** ln(1 + x) for x > −1, accurate near 0, where 1 + x would lose the digits of x. */
export function ln1p(x: number): number {
  return x > -0.25 && x < 0.4 ? twiceArtanh(x / (2 + x)) : ln(1 + x)
}

/** 2·artanh s = 2·(s + s³/3 + s⁵/5 + …) for |s| <= 0.172, where 12 terms are enough. */
function twiceArtanh(s: number): number {
  const square = s * s
  let sum = 0
  for (let n = 23; n >= 3; n -= 2) sum = (sum + 1 / n) * square
  return 2 * s + 2 * s * sum
}

/** 2^k for −1022 <= k <= 1023, from its bits. */
function powerOfTwo(k: number): number {
  words[HIGH_WORD] = (k + 1023) << 20
  words[1 - HIGH_WORD] = 0
  return float[0] as number
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0
