/**
 * The choices an intent leaves open, as a short list of small numbers. A 0 is always the plainest choice, and so is
 * everything after the end of the list: what shrinks, gets plainer.
 *
 * ```ts
 * const dice = new Dice([49152])
 * dice.pick(['market', 'limit', 'stop']) // → stop
 * dice.pick(['market', 'limit', 'stop']) // → market
 * ```
 */
export class Dice {
  readonly #rolls: readonly number[]
  #used = 0

  /** @param rolls counts from 0; those beyond the list are 0. */
  constructor(rolls: readonly number[]) {
    this.#rolls = rolls
  }

  /** A whole number from 0 up to, not including, as many as `sides`. */
  below(sides: number): number {
    const roll = this.#rolls[this.#used++] ?? 0
    return Math.floor((roll / DICE_SIDES) * sides)
  }

  /** True in so many of a hundred; never on a 0. */
  chance(percent: number): boolean {
    return this.below(1_000) >= 1_000 - 10 * percent
  }

  pick<T>(choices: readonly [T, ...T[]]): T
  pick<T>(choices: readonly T[]): T | undefined
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)]
  }

  /** One of the choices, each as often as its `weight` says, a count. @throws RangeError without any that weighs something. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let roll = this.below(choices.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, choice] of choices) {
      if (roll < weight) return choice
      roll -= weight
    }
    throw new RangeError('nothing to choose from')
  }

  /** A whole number, fp9 or not: from as many as `least` to as many as `most`, both included. */
  between(least: bigint, most: bigint): bigint {
    return most <= least ? least : least + (BigInt(this.below(10_000)) * (most - least)) / 9_999n
  }

  /** −1, 0 or 1; 0 first. */
  nudge(): bigint {
    return this.pick([0n, 1n, -1n] as const)
  }
}

/** Each roll is a whole number below this. */
export const DICE_SIDES = 65_536
