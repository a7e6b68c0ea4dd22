// Putting a mistake into a text.

import type { Edit } from './mutant.ts'

/** The text with every edit made; null where the text to replace is not there exactly once. */
export function mutate(text: string, edits: readonly Edit[]): string | null {
  let mutated = text
  for (const [find, replace] of edits) {
    const parts = mutated.split(find)
    if (parts.length !== 2) return null
    mutated = parts.join(replace)
  }
  return mutated
}
