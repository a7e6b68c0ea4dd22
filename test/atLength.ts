// What a change has to pass is run in two halves: `npm test`, and beside other steps what takes long, `npm run test:long`.
// Whoever names a file, or runs vitest by itself, has all of it, and so has the night.

const half = process.env.MARGIN_CORE_TESTS

/** `npm test`: where the other half takes a file as well, counts that its reach needs and no more. */
export const IS_BRIEF = half === 'brief'
export const IS_LONG = half === 'long'

/** Whole clusters and hosts at everything that may happen to them, more than 15 s of a processor each: the other half alone. */
export const AT_LENGTH_ALONE = [
  'test/cluster/{nodes,besideLoad,operating}.test.ts',
  'test/crash/{faults,historyFlips}.test.ts',
]

/** Brief in `npm test`, whole in the other half. What `npm run exhaustive` does is not among them. */
export const AT_LENGTH_AS_WELL = [
  'test/browser/{consoleForms,consoleJourneys}.test.ts',
  'test/cluster/simulation.test.ts',
  'test/crash/{archive,engine,host,log}.test.ts',
  'test/host/{access,durableAnswers,steadyTime}.test.ts',
  'test/package/package.test.ts',
  'test/postgres/worker.test.ts',
  'test/{properties,history,oracle}/**/*.test.ts',
]

/** Of the runs of a law that is drawn by `test/properties/runs.ts`. */
export const BRIEF_SHARE = 0.4
