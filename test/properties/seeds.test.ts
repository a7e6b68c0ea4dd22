// The seeds of the suite: a failure is repeated by the seed that was printed, so that has to be the one that was drawn from.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FRESH_SEED } from '../freshSeed.ts'

const { MARGIN_CORE_SEED: given, MARGIN_CORE_SHARE: share, MARGIN_CORE_NIGHTLY: nightly } = process.env

test.skipIf(nightly === '1')(
  'the pass with a fresh seed draws from the one that is printed, the others from the fixed one',
  () => {
    expect(fc.readConfigureGlobal().seed).toBe(share === undefined ? Number(given ?? 20_240_101) : FRESH_SEED)
  },
)
