// Mistakes about the command bus and the clock.

import type { Edit, Mutant } from './mutants.ts'

function mutant(breaks: string, file: string, edit: Edit, ...tests: string[]): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests }
}

const CAUSED_BY = 'unit/engine/causedBy.test.ts'

export const ENGINE_MUTANTS: readonly Mutant[] = [
  mutant(
    'what falls due before a command is put down to its sender (K10)',
    'engine/engine.ts',
    ['this.#commit(step, due, undefined)', "this.#commit(step, due, { type: 'operator', name: 'time' })"],
    CAUSED_BY,
  ),
  mutant(
    'a tick an operator sent loses their name when it is kept as a row of columns (K10)',
    'events/tickColumns.ts',
    ['if (by !== undefined || command.type', 'if (command.type'],
    CAUSED_BY,
  ),
  mutant(
    'a session is put down to the key a caller had before (K10)',
    'engine/commandOptions.ts',
    ['keyId: caller.keyId ?? null', 'keyId: caller.keyId ?? caller.userId'],
    CAUSED_BY,
  ),
]
