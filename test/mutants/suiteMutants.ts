// Mistakes that lived for a while without a test that noticed, in the backtester and in what accounts show.

import type { Mutant } from './mutants.ts'

export const SUITE_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'the loss remaining is negative below the floor',
    file: 'src/projections/accountRecord.ts',
    edits: [['return equity > floor ? equity - floor : 0n', 'return equity - floor']],
    tests: ['unit/projections/accountRecord.test.ts'],
  },
  {
    breaks: 'every bootstrapped path of an evaluation is the same',
    file: 'src/backtest/evaluate/paths.ts',
    edits: [['      startTime: START,', '      ...{ seed },\n      startTime: START,']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a quantile’s rank is off where n·p is whole',
    file: 'src/backtest/evaluate/proportion.ts',
    edits: [['value: at(Math.ceil(middle - ROUNDING))', 'value: at(Math.floor(middle) + 1)']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a quantile’s rank is off where the product of n and p is not exact',
    file: 'src/backtest/evaluate/proportion.ts',
    edits: [['Math.ceil(middle - ROUNDING)', 'Math.ceil(middle)']],
    tests: ['unit/backtest/evaluate/evaluate.test.ts'],
  },
  {
    breaks: 'a stale funding rate is charged through a hole in the funding file',
    file: 'src/backtest/feed/fundingSchedule.ts',
    edits: [['index + 1 >= rates.length || next !== instant + intervalMs', 'index + 1 >= rates.length']],
    tests: ['unit/backtest/run/funding.test.ts'],
  },
  {
    breaks: 'a later failure overrides a pass',
    file: 'src/backtest/run/verdict.ts',
    edits: [["event.breach !== null && this.verdict.outcome === 'undecided'", 'event.breach !== null']],
    tests: ['unit/backtest/run/verdict.test.ts'],
  },
  {
    breaks: 'a funding rate is known long before its instant',
    file: 'src/backtest/feed/fundingSchedule.ts',
    edits: [['changes.push({ at: instant - 1,', 'changes.push({ at: instant - intervalMs + 1,']],
    tests: ['unit/backtest/run/lookAhead.test.ts'],
  },
  {
    breaks: 'half of the kept outcomes are lost: a retry acts again',
    file: 'src/engine/idempotency.ts',
    edits: [
      [
        '    this.#byKey.set(scope(outcome.userId, outcome.key), outcome)',
        '    if (outcome.seq % 2 === 0) this.#byKey.set(scope(outcome.userId, outcome.key), outcome)',
      ],
    ],
    tests: ['crash/engine.test.ts'],
  },
]
