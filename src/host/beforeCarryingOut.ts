import type { PlatformCommand } from '../events/command.ts'

/**
 * What comes before a command of an operator is carried out: null where that is nothing, otherwise it resolves with what carries it out, in
 * one turn.
 */
export type BeforeCarryingOut = (
  command: PlatformCommand,
) => Promise<<Result>(carryOut: () => Result) => Result> | null
