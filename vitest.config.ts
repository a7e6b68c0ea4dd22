import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { AT_LENGTH_ALONE, AT_LENGTH_AS_WELL, IS_BRIEF, IS_LONG } from './test/atLength.ts'
import { FRESH_SEED, keptSeeds, SHARE_OF_FRESH } from './test/freshSeed.ts'
import { innerNames } from './test/unit/answers/innerNames.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'

/** Files whose cases are drawn, and quick enough for a second pass. */
const DRAWN = [
  'test/properties/**/*.test.ts',
  'test/oracle/{formulas,sequences}.test.ts',
  'test/unit/quantity/**/*.test.ts',
  'test/unit/projections/{accountRecord,recordHeap}.test.ts',
  'test/store/codec.test.ts',
]

/**
 * Folders whose files run many in one process, one after the other: starting a process and loading the sources takes most of
 * them longer than their tests. The others start processes of their own, or take minutes.
 */
const TOGETHER = 'unit|oracle|properties|host|store|history'
/** Of the other folders, those that start nothing. */
const AS_WELL = [
  'test/cluster/{quotas,operatorFront,relay,share,silence,lease,hostileTargets,lineShare,shardOf,keys,quotaKeeper}.test.ts',
  'test/cluster/{promises,comesTo,priceSpread}.test.ts',
  'test/tidy/{links,rules,publicSurface,promises,reference,contributing}.test.ts',
  'test/{golden/resting,crash/sights,docs/model,docs/laws,docs/steps}.test.ts',
]
const APART = [
  // The longest: one of the processors should not wait for them at the end.
  'test/properties/{random,triggers,replay}.test.ts',
  'test/unit/engine/trialOfTime.test.ts',
  'test/unit/cli/interrupted.test.ts',
  'test/unit/backtest/feed/{barFormats,tickFormats,parquetBombs}.test.ts',
]
/** These leave modules waiting for timers that never ring, and have a process each. */
const ANSWERS = ['test/unit/answers/*.test.ts']
/** These put modules in the place of others, and have a process each. */
const ALONE = [
  'test/unit/backtest/feed/cachedFeed.test.ts',
  'test/unit/backtest/{progress,workers/{pool,taskServer},run/dataPeriod,evaluate/{evaluate,drawnTogether,pathFunding}}.test.ts',
  'test/host/authentication.test.ts',
  'test/unit/cli/{asked,clusterCommand,comparedRuns,serve,told,progress}.test.ts',
  'test/store/withoutLinks.test.ts',
  'test/oracle/positionsAsRows.test.ts',
]

/** Browsers, processes and databases share two processors with another file. Who passes on a second try is named; mistakes put in on purpose get none. */
const retry = process.env.CI && !process.env.MARGIN_CORE_UNSHRUNK ? 1 : 0

/** Another pass of some files, from a seed of its own, at a share of the runs. */
const pass = (name: string, include: readonly string[], seed: number) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    isolate: false,
    env: { MARGIN_CORE_SEED: String(seed), MARGIN_CORE_SHARE: String(SHARE_OF_FRESH) },
  },
})

const fresh = pass('fresh', DRAWN, FRESH_SEED)

/** What the other half has, and this one does without. */
const elsewhere = IS_BRIEF ? AT_LENGTH_ALONE : []
const suite: TestProjectConfiguration[] = [
  // Projects run in the order of their names.
  { extends: true, test: { name: 'alone', include: ALONE, retry } },
  { extends: true, plugins: [innerNames()], test: { name: 'answers', include: ANSWERS, retry } },
  {
    extends: true,
    test: {
      name: 'apart',
      include: [`test/!(${TOGETHER})/**/*.test.ts`, ...APART],
      exclude: [...AS_WELL, ...elsewhere],
      isolate: false,
      retry,
    },
  },
  {
    extends: true,
    test: {
      name: 'suite',
      include: [`test/@(${TOGETHER})/**/*.test.ts`, ...AS_WELL],
      exclude: [...APART, ...ALONE, ...ANSWERS],
      isolate: false,
    },
  },
  ...(NIGHTLY || IS_BRIEF ? [] : [fresh]),
  ...keptSeeds().map(({ file, seed }) => pass(`kept ${seed}`, [file], seed)),
]
const long: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'at length',
    include: [...AT_LENGTH_ALONE, ...AT_LENGTH_AS_WELL],
    exclude: [...ALONE, ...ANSWERS],
    isolate: false,
    retry,
  },
}

export default defineConfig({
  // Pages of the console and the workbench are asked what they show.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: ['./test/scratch.ts'],
    setupFiles: ['./test/seeds.ts', './test/realClock.ts'],
    // Commands that tests run leave nothing in the home of whoever runs them.
    env: { MARGIN_CORE_CACHE: 'off' },
    pool: 'forks',
    // One more than the processors of CI: files that wait for a lease, a browser or a database leave theirs to others.
    // What takes long has other steps beside it.
    maxWorkers: IS_LONG ? 2 : 3,
    // The nightly property runs take ten times as many runs as those of CI.
    testTimeout: NIGHTLY ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/freshSeedReporter.ts', './test/closingLine.ts'],
    projects: IS_LONG ? [long, fresh] : suite,
  },
})
