// The seed that is another one in every run of the suite, and those kept because something failed under them.

import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface KeptSeed {
  /** The test file, from the root. */
  readonly file: string
  readonly seed: number
}

export const KEPT_SEEDS = path.join(import.meta.dirname, 'keptSeeds.json')

// The configuration and the reporter load this file each for itself: the first to do so draws for both.
process.env.MARGIN_CORE_FRESH_SEED ??= String(Date.now() % 2 ** 31)

/** `MARGIN_CORE_FRESH_SEED` repeats a run. */
export const FRESH_SEED = Number(process.env.MARGIN_CORE_FRESH_SEED)

/** Of the runs that the fixed seed gets; a failure under a kept seed needs as many runs as it was found with. */
export const SHARE_OF_FRESH = 0.15

export const keptSeeds = (): KeptSeed[] => JSON.parse(readFileSync(KEPT_SEEDS, 'utf8')) as KeptSeed[]
