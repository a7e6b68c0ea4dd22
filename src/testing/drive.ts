/** Drives a bus through a program, checking every law on the way. */
import type { Commit } from '../events/commit.ts'
import type { Input, Memory } from './aim/scene.ts'
import { nextInstant } from './aim/time.ts'
import { Dice } from './dice.ts'
import { interpret, type Program } from './kinds.ts'
import type { Bus } from './law.ts'
import { type LawfulBus, type LawfulOptions, lawful } from './lawful.ts'

/** How {@link drive} goes about it. */
export interface DriveOptions extends LawfulOptions {
  /** Is given every command as it is about to be dispatched. */
  readonly trace?: (input: Input) => void
}

/**
 * Runs a program against a bus whose whole log so far is `history`.
 *
 * ```ts
 * const fresh = createEngine(venue())
 * const history = []
 * for await (const commit of fresh.commits({ from: 1 })) history.push(commit)
 * const [program] = fc.sample(aProgram(5, 10), 1)
 * drive(fresh, history, program).commits.length > 0 // → true
 * ```
 *
 * @throws LawBroken when a law does not hold, and what the bus throws.
 */
export function drive(
  bus: Bus,
  history: readonly Commit[],
  program: Program,
  options: DriveOptions = {},
): LawfulBus {
  const watched = lawful(bus, history, options)
  const { model } = watched
  const home = [...model.markets.values()].map(({ id, indexPrice }) => [id, indexPrice] as const)
  const memory: Memory = { keyed: [], home: new Map(home) }
  for (const intent of program) {
    const dice = new Dice(intent.dice)
    const at = nextInstant(model, dice, memory)
    for (const input of interpret(intent, { model, dice, memory, at })) {
      const { command, caller } = input
      options.trace?.(input)
      watched.dispatch(command, { at: input.at, ...(caller && { caller }) })
    }
  }
  watched.end()
  return watched
}
