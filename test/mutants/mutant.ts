/** A text, which must occur exactly once in its file, and what stands there instead. */
export type Edit = readonly [find: string, replace: string]

export interface Mutant {
  /** The mistake, in a sentence. */
  readonly breaks: string
  readonly file: string
  readonly edits: readonly Edit[]
  /** The test files, from `test/`, most likely to notice. */
  readonly tests: readonly string[]
}

/** One edit in a file of `src`. */
export function mutant(breaks: string, file: string, edit: Edit, ...tests: string[]): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests }
}
