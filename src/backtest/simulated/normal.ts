/**
 * Normal deviates by inversion: one uniform number each, in the order drawn. The inverse of the normal distribution is
 * algorithm AS 241 (PPND16) of M. J. Wichura, Applied Statistics 37 (1988) 477–484, with a relative error of about
 * 10^−16; it needs a logarithm and a square root in the tails only.
 */
import { exp, ln } from './exponential.ts'
import type { Random } from './random.ts'

/** Numerator and denominator by rising powers. */
type Rational = readonly [readonly number[], readonly number[]]

const CENTRE: Rational = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
]
const MIDDLE: Rational = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
]
const TAIL: Rational = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
]

/** The value that a standard normal deviate stays below with probability `p`, 0 < p < 1. */
export function normalQuantile(p: number): number {
  const q = p - 0.5
  if (q >= -0.425 && q <= 0.425) return q * ratio(CENTRE, 0.180625 - q * q)
  const r = Math.sqrt(-ln(q < 0 ? p : 1 - p))
  const tail = r <= 5 ? ratio(MIDDLE, r - 1.6) : ratio(TAIL, r - 5)
  return q < 0 ? -tail : tail
}

/**
 * The probability that a standard normal deviate stays below `x`: ½ + φ(x)·(x + x³/3 + x⁵/15 + …), G. Marsaglia,
 * "Evaluating the Normal Distribution", J. Statistical Software 11 (4), 2004. Absolute error about 10^−15.
 */
export function normalProbability(x: number): number {
  if (Math.abs(x) > 8) return x < 0 ? 0 : 1
  let [sum, term] = [x, x]
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + (sum * exp(-(x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

/** A standard normal deviate. */
export function normal(random: Random): number {
  return normalQuantile(random.uniform())
}

function ratio([numerator, denominator]: Rational, r: number): number {
  return polynomial(numerator, r) / polynomial(denominator, r)
}

function polynomial(coefficients: readonly number[], r: number): number {
  let sum = 0
  for (let power = coefficients.length - 1; power >= 0; power--)
    sum = sum * r + (coefficients[power] as number)
  return sum
}
