/** Programs as fast-check makes and shrinks them. */
import fc from 'fast-check'
import { DICE_SIDES } from './dice.ts'
import { type Intent, type IntentKind, KINDS, type Program, ROLLS } from './kinds.ts'

/**
 * An intent; kinds by their weight, dice without bias, so that every weight means what it says.
 *
 * ```ts
 * fc.sample(anIntent(), 3).length // → 3
 * ```
 */
export function anIntent(): fc.Arbitrary<Intent> {
  const kinds = Object.entries(KINDS) as [IntentKind, readonly [number, unknown]][]
  return fc.record({
    kind: fc.oneof(...kinds.map(([kind, [weight]]) => ({ weight, arbitrary: fc.constant(kind) }))),
    dice: fc.noBias(fc.array(fc.nat(DICE_SIDES - 1), { minLength: ROLLS, maxLength: ROLLS })),
  })
}

/**
 * A run of so many intents: `least` to `most`, a count. `size: 'max'`, because fast-check otherwise prefers short lists.
 *
 * ```ts
 * fc.assert(
 *   fc.property(aProgram(5, 10), (program) => program.length >= 5),
 *   { numRuns: 3 },
 * )
 * ```
 */
export function aProgram(least = 100, most = 400): fc.Arbitrary<Program> {
  return fc.array(anIntent(), { minLength: least, maxLength: most, size: 'max' })
}
