// Random runs of the venue under every law at once, and what they have reached.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aProgram, EDGES, LAWS, LawBroken, Reach } from '../../src/testing/index.ts'
import { IS_BRIEF } from '../atLength.ts'
import { ALL_RUNS, NIGHTLY, run, runs, SEED } from './runs.ts'

/** At night ten times 500. */
const RUNS = NIGHTLY ? 500 : 250
const COMMANDS = IS_BRIEF ? 22_000 : 60_000

/** Comes once in 500 runs: test/exhaustive comes upon it in every run, under the same laws, and asserts that it did. */
const RARE = 'active → canceled_by_error stop_limit'

const reach = new Reach()
let failure: { readonly report: string; readonly error: unknown } | null = null

beforeAll(
  async () => {
    const property = fc.asyncProperty(aProgram(100, 400), async (program) => {
      await run(program, { witness: reach.witness() })
    })
    const details = await fc.check(property, runs(RUNS))
    if (details.failed)
      failure = {
        report: (await fc.asyncDefaultReportMessage(details)) ?? '',
        error: details.errorInstance,
      }
  },
  NIGHTLY ? 3_600_000 : 600_000,
)

afterAll(() => console.log(`seed ${SEED}\n${reach}`))

describe('every random run obeys the laws', () => {
  test.each(LAWS.map((law) => [law.name, law] as const))('%s', (_, law) => {
    if (failure?.error instanceof LawBroken && failure.error.law === law.name)
      expect.fail(`${law.statement}\n${failure.report}`)
  })

  test('nothing else goes wrong', () => {
    if (failure !== null && !(failure.error instanceof LawBroken)) expect.fail(failure.report)
  })
})

describe.runIf(ALL_RUNS || IS_BRIEF)('the random runs together have reached', () => {
  test(`${COMMANDS.toLocaleString('en')} commands, of which 80% are accepted`, () => {
    expect(reach.commands).toBeGreaterThanOrEqual(COMMANDS)
    expect(reach.acceptance).toBeGreaterThanOrEqual(80)
  })

  test('a liquidation in 3%, a fired trigger in 10% and a capped close in 5% of the runs', () => {
    expect(reach.share('liquidation')).toBeGreaterThanOrEqual(3)
    expect(reach.share('trigger')).toBeGreaterThanOrEqual(10)
    expect(reach.share('capped')).toBeGreaterThanOrEqual(5)
  })

  test('every code that the engine raises, but those that random commands cannot reach', () => {
    const elsewhere = [
      'order_validation_invariant',
      'idempotency_key_in_flight',
      'engine_stopped',
      'too_many_api_keys',
    ]
    expect(reach.missingCodes().filter((code) => !elsewhere.includes(code))).toEqual([])
  })

  test('every transition of the order and of the position table, but the rarest', () => {
    expect(reach.missingTransitions().filter((transition) => transition !== RARE)).toEqual([])
  })

  test(`both sides of ${EDGES.length / 2} edges`, () => {
    expect(reach.missingEdges()).toEqual([])
  })
})
