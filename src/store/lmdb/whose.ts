/** Whose records are: those of another venue are sound, and say nothing of this one (K8). */
import type { About } from './about.ts'

/** What a directory is known by; see `directoryMark.ts`. */
export interface Whose {
  /** What the directory said before it was opened: what is derived has to say the same. 0: it said nothing, and anybody's are taken. */
  readonly said: number
  /** What it says from now on, and so do its records. */
  readonly venue: number
}

/** Of records outside of a directory that says whose it is. */
export const ANYBODY: Whose = { said: 0, venue: 0 }

/** Why records are none of this venue; null: they are, or nothing says that they are not. */
export function whyForeign(about: About | null, { said }: Pick<Whose, 'said'>): string | null {
  return about === null || said === 0 || about.venue === said ? null : 'they are those of another venue'
}
