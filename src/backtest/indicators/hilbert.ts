/**
 * What the Hilbert transform says of the wave that prices move in: J. F. Ehlers, "Rocket Science for Traders" (2001), with the begin and the lookback of
 * TA-Lib's `HT_*`, which their values are held to.
 */
import type { Calculation } from '../strategy/indicator.ts'
import { sum } from './linearFilter.ts'

type OfNumbers<Result = number> = Calculation<number, Result>

/** What is known of the wave at a bar. */
interface Wave {
  /** How long it is, in bars. */
  readonly period: number
  /** Of its phasor: the part in phase, and the part a quarter of it later. */
  readonly inPhase: number
  readonly quadrature: number
  /** The closes of four bars, weighed 4, 3, 2, 1. */
  readonly smooth: number
}

/** The transform is a difference of what is 0, 2, 4 and 6 bars old. */
class Transform {
  readonly #last = new Array<number>(7).fill(0)

  add(value: number, gain: number): number {
    this.#last.pop()
    this.#last.unshift(value)
    const [now = 0, , two = 0, , four = 0, , six = 0] = this.#last
    return (0.0962 * (now - six) + 0.5769 * (two - four)) * gain
  }
}

const [SHORTEST, LONGEST] = [6, 50]

/** The homodyne discriminator: the angle between phasors of two bars gives the length of the wave. */
class Discriminator {
  readonly #closes: number[] = []
  readonly #detrended = [0, 0, 0]
  readonly #transforms = [new Transform(), new Transform(), new Transform(), new Transform()] as const
  readonly #skipped: number
  #told = 0
  #period = 0
  #smoothPeriod = 0
  #i2 = 0
  #q2 = 0
  #real = 0
  #imaginary = 0

  /** It begins after so many bars. */
  constructor(skipped: number) {
    this.#skipped = skipped
  }

  add(close: number): Wave | null {
    this.#closes.unshift(close)
    if (this.#closes.length > 4) this.#closes.pop()
    this.#told = Math.min(this.#told + 1, this.#skipped + 1)
    if (this.#told <= this.#skipped) return null
    const smooth = sum(this.#closes.map((value, age) => (value * (4 - age)) / 10))
    const gain = 0.075 * this.#period + 0.54
    const [trend, ofTrend, ofInPhase, ofQuadrature] = this.#transforms
    const detrended = trend.add(smooth, gain)
    const quadrature = ofTrend.add(detrended, gain)
    const inPhase = this.#detrended.pop() ?? 0
    this.#detrended.unshift(detrended)
    this.#turn(inPhase - ofQuadrature.add(quadrature, gain), quadrature + ofInPhase.add(inPhase, gain))
    this.#smoothPeriod = 0.33 * this.#period + 0.67 * this.#smoothPeriod
    return { period: this.#smoothPeriod, inPhase, quadrature, smooth }
  }

  #turn(inPhase: number, quadrature: number): void {
    const [i2, q2] = [0.2 * inPhase + 0.8 * this.#i2, 0.2 * quadrature + 0.8 * this.#q2]
    this.#real = 0.2 * (i2 * this.#i2 + q2 * this.#q2) + 0.8 * this.#real
    this.#imaginary = 0.2 * (i2 * this.#q2 - q2 * this.#i2) + 0.8 * this.#imaginary
    this.#i2 = i2
    this.#q2 = q2
    const before = this.#period
    const isTurning = this.#imaginary !== 0 && this.#real !== 0
    const turned = isTurning ? (2 * Math.PI) / Math.atan(this.#imaginary / this.#real) : before
    const limited = Math.max(Math.min(turned, 1.5 * before), 0.67 * before)
    this.#period = 0.2 * Math.min(Math.max(limited, SHORTEST), LONGEST) + 0.8 * before
  }
}

/** From where on it is told: the first values of a recursion are those of its begin. */
function from<Result>(needed: number, of: (close: number) => Result | null): OfNumbers<Result> {
  let told = 0
  return {
    add(close) {
      told = Math.min(told + 1, needed)
      const value = of(close)
      return told < needed ? null : value
    },
    getRequiredInputs: () => needed,
  }
}

const SKIPPED_OF_PERIOD = 12
const SKIPPED_OF_PHASE = 37

/** How many bars long the wave is that prices move in: 6 to 50. */
export const dominantCyclePeriod = (): OfNumbers => {
  const waves = new Discriminator(SKIPPED_OF_PERIOD)
  return from(33, (close) => waves.add(close)?.period ?? null)
}

/** The phasor of the wave. */
export const phasor = (): OfNumbers<{ inPhase: number; quadrature: number }> => {
  const waves = new Discriminator(SKIPPED_OF_PERIOD)
  return from(33, (close) => {
    const wave = waves.add(close)
    return wave === null ? null : { inPhase: wave.inPhase, quadrature: wave.quadrature }
  })
}

/** Where in its wave a bar is, and what it was found from. */
interface Phase extends Wave {
  /** Degrees, −45 to 315. */
  readonly phase: number
}

class Phases {
  readonly #waves = new Discriminator(SKIPPED_OF_PHASE)
  readonly #smooth: number[] = []
  #phase = 0

  add(close: number): Phase | null {
    const wave = this.#waves.add(close)
    if (wave === null) return null
    this.#smooth.unshift(wave.smooth)
    if (this.#smooth.length > LONGEST) this.#smooth.pop()
    this.#phase = this.#turned(wave.period)
    return { ...wave, phase: this.#phase }
  }

  /** The angle of the last whole wave, without the lag of the four bars' average. */
  #turned(period: number): number {
    const length = Math.floor(period + 0.5)
    let [real, imaginary] = [0, 0]
    for (let age = 0; age < length; age++) {
      const [angle, value] = [(2 * Math.PI * age) / length, this.#smooth[age] ?? 0]
      real += Math.sin(angle) * value
      imaginary += Math.cos(angle) * value
    }
    const angle = imaginary === 0 ? this.#phase + 90 * Math.sign(real) : degrees(Math.atan(real / imaginary))
    const phase = angle + 90 + (period === 0 ? 0 : 360 / period) + (imaginary < 0 ? 180 : 0)
    return phase > 315 ? phase - 360 : phase
  }
}

const degrees = (angle: number) => (angle * 180) / Math.PI
const sineOf = (phase: number) => Math.sin((phase * Math.PI) / 180)

/** Where in its wave the bar is, in degrees. */
export const dominantCyclePhase = (): OfNumbers => {
  const phases = new Phases()
  return from(64, (close) => phases.add(close)?.phase ?? null)
}

/** The sine of the phase, and the same an eighth of a wave later: they cross before a wave turns. */
export const cycleSine = (): OfNumbers<{ sine: number; lead: number }> => {
  const phases = new Phases()
  return from(64, (close) => {
    const known = phases.add(close)
    return known === null ? null : { sine: sineOf(known.phase), lead: sineOf(known.phase + 45) }
  })
}

/** 1 where prices go in a trend, 0 where they go in waves. */
export const trendMode = (): OfNumbers => {
  const phases = new Phases()
  const [closes, means]: [number[], number[]] = [[], [0, 0, 0]]
  let [phase, ahead, inTrend] = [0, 0, 0]
  return from(64, (close) => {
    closes.unshift(close)
    if (closes.length > LONGEST) closes.pop()
    const known = phases.add(close)
    if (known === null) return null
    const length = Math.floor(known.period + 0.5)
    const mean = length === 0 ? 0 : sum(closes.slice(0, length)) / length
    const [one = 0, two = 0, three = 0] = means
    const trend = (4 * mean + 3 * one + 2 * two + three) / 10
    means.pop()
    means.unshift(mean)
    const aheadNow = sineOf(known.phase) - sineOf(known.phase + 45)
    const hasCrossed = (aheadNow > 0 && ahead <= 0) || (aheadNow < 0 && ahead >= 0)
    inTrend = hasCrossed ? 1 : inTrend + 1
    const turned = (known.phase - phase) / (360 / known.period)
    const isWave = hasCrossed || inTrend < 0.5 * known.period || (turned > 0.67 && turned < 1.5)
    ahead = aheadNow
    phase = known.phase
    const isFar = trend !== 0 && Math.abs((known.smooth - trend) / trend) >= 0.015
    return isFar || !isWave ? 1 : 0
  })
}
