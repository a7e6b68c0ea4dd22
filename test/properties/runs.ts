// How many runs, from which seed, and what one run is. In CI the seed is fixed, `npm test` has a share of the runs and
// `npm run test:long` all, and a second pass at another share has a fresh seed; `MARGIN_CORE_NIGHTLY=1` takes a new one and runs ten times as long. fast-check prints seed and path of
// what failed: MARGIN_CORE_SEED repeats it.

import { type Commit, createEngine, type Engine, type EngineOptions } from '../../src/index.ts'
import { drive, type LawfulBus, type LawfulOptions, type Program, venue } from '../../src/testing/index.ts'
import { BRIEF_SHARE, IS_BRIEF } from '../atLength.ts'

export const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'

const chosen = process.env.MARGIN_CORE_SEED

export const SEED = chosen !== undefined ? Number(chosen) : NIGHTLY ? Date.now() | 0 : 20_240_101

const SHARE = Number(process.env.MARGIN_CORE_SHARE ?? (IS_BRIEF ? BRIEF_SHARE : 1))

/** Whether there are enough runs to ask what they have reached together. */
export const ALL_RUNS = SHARE >= 1

/** Run counts are those of CI, in both halves; the nightly runs are ten times as many. */
export const runs = (numRuns: number) => ({
  numRuns: NIGHTLY ? numRuns * 10 : Math.ceil(numRuns * SHARE),
  seed: SEED,
})

export async function logOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

/** A fresh engine of the venue, driven through a program under the laws. */
export async function run(
  program: Program,
  options: LawfulOptions & { readonly engine?: EngineOptions } = {},
): Promise<{ readonly engine: Engine; readonly watched: LawfulBus }> {
  const engine = createEngine({ ...venue(), ...options.engine })
  return { engine, watched: drive(engine, await logOf(engine), program, options) }
}
