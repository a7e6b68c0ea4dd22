// Mistakes that show when the machine under the host fails, or the host is ended in the middle of something.

import type { Edit, Mutant } from './mutants.ts'

const FAULTS = 'crash/faults.test.ts'

function mutant(breaks: string, file: string, edit: Edit): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests: [FAULTS] }
}

export const FAULT_MUTANTS: readonly Mutant[] = [
  mutant('an answer does not wait until its commit is durable (K5)', 'engine/journal.ts', [
    'if (seq <= this.durableHead) return Promise.resolve()',
    'if (seq >= 0) return Promise.resolve()',
  ]),
  mutant('a write that failed counts as durable (K6)', 'engine/journal.ts', [
    'await this.#store.append(group.commits, this.durableHead, this.#epoch)',
    'await this.#store.append(group.commits, this.durableHead, this.#epoch).catch(() => {})',
  ]),
  mutant('a short write counts as a whole one', 'store/lmdb/nodeDisk.ts', [
    'while (length < bytes.length)\n      length += (await',
    'if (length < bytes.length)\n      length += (await',
  ]),
  mutant('a snapshot forgets what was answered under which key (I4)', 'engine/snapshot.ts', [
    'for (const outcome of records.idempotency) idempotency.keep(outcome)',
    'for (const outcome of records.idempotency.slice(1_000_000)) idempotency.keep(outcome)',
  ]),
]
