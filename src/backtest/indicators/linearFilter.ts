/** Filters whose next value is a sum of the last inputs and the last values, and what follows one another. */
import type { Calculation } from '../strategy/indicator.ts'

/**
 * y = Σ inputs[i]·x[i] + Σ values[j]·y[j+1], where x[0] is the newest input and y[1] the value before. It begins as if the first input had always
 * been, and says nothing before there are `needed`.
 */
export function linearFilter(
  needed: number,
  inputs: readonly number[],
  values: readonly number[],
): Calculation<number, number> {
  const [x, y]: [number[], number[]] = [[], []]
  const gain = sum(inputs) / (1 - sum(values))
  let told = 0
  return {
    add(input) {
      while (x.length < inputs.length) x.push(input)
      while (y.length < values.length) y.push(gain * input)
      x.pop()
      x.unshift(input)
      const value = products(inputs, x) + products(values, y)
      y.pop()
      y.unshift(value)
      told = Math.min(told + 1, needed)
      return told < needed ? null : value
    },
    getRequiredInputs: () => needed,
  }
}

/** An exponential average that begins with the first value. */
export function exponential(bars: number): Calculation<number, number> {
  mustBeBars(bars)
  return linearFilter(1, [2 / (bars + 1)], [1 - 2 / (bars + 1)])
}

/** Each is told what the one before it says, once that says something. */
export function chained(...parts: readonly Calculation<number, number>[]): Calculation<number, number> {
  return {
    add(input) {
      let value: number | null = input
      for (const part of parts) if (value !== null) value = part.add(value)
      return value
    },
    getRequiredInputs: () => requiredOf(parts),
  }
}

/** Of parts that are told one after the other. */
export function requiredOf(parts: readonly Calculation<never, unknown>[]): number {
  return parts.reduce((needed, part) => needed + (part.getRequiredInputs?.() ?? 1) - 1, 1)
}

/** @throws RangeError for what is no number of bars. */
export function mustBeBars(bars: number, least = 1): void {
  if (!Number.isSafeInteger(bars) || bars < least) throw new RangeError(`${bars} is no number of bars`)
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** Of all of them, not of a sample. */
export function deviationOf(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))
}

/** The middle one, or the middle of the two. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, another) => one - another)
  const half = (sorted.length - 1) / 2
  return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2
}

function products(factors: readonly number[], values: readonly number[]): number {
  return factors.reduce((total, factor, index) => total + factor * (values[index] ?? 0), 0)
}
