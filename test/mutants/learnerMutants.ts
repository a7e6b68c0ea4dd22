// Mistakes in what learners and the steps before them make of rows.

import { type Mutant, mutant } from './mutant.ts'

const LAWS = 'unit/backtest/learned/learnerLaws.test.ts'
const CALIBRATED = 'unit/backtest/learned/calibrated.test.ts'

export const LEARNER_MUTANTS: readonly Mutant[] = [
  mutant(
    'what rounding makes of a feature that never changes tells ones from zeros',
    'backtest/learned/naiveBayes.ts',
    ['changes(mean, Math.sqrt(variance)) &&', 'variance > 0 &&'],
    LAWS,
  ),
  mutant(
    'a bell curve of one label is as narrow as that label alone says',
    'backtest/learned/naiveBayes.ts',
    ['const ADDED = 1e-9', 'const ADDED = 0'],
    LAWS,
  ),
  mutant(
    'of rows that lie as near the newer ones are the neighbours',
    'backtest/learned/nearestNeighbours.ts',
    ['?.distance as number) > distance)', '?.distance as number) >= distance)'],
    LAWS,
  ),
  mutant(
    'rows whose labels share bars with those that are learned from bend the probabilities',
    'backtest/learned/calibrated.ts',
    ['.slice(rows.length - held)\n', '.slice(first)\n'],
    CALIBRATED,
  ),
  mutant(
    'a probability that is bent by steps jumps',
    'backtest/learned/calibrated.ts',
    ['return atBegin + ((atEnd - atBegin) * (said - begin)) / (end - begin)', 'return atEnd'],
    LAWS,
  ),
  mutant(
    'a learner that says no number is given a probability',
    'backtest/learned/calibrated.ts',
    ['return Number.isFinite(said) ? bent(said) : said', 'return bent(said)'],
    LAWS,
  ),
  mutant(
    'the learner behind steps goes on from the steps',
    'backtest/learned/pipeline.ts',
    ['{ ...about, previous })', 'about)'],
    LAWS,
  ),
]
