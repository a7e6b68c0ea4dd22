// Mistakes in what learners and the steps before them make of rows.

import { type Mutant, mutant } from './mutant.ts'

const LAWS = 'unit/backtest/learned/learnerLaws.test.ts'
const KEPT = 'unit/backtest/learned/keptModels.test.ts'
const LATER = 'unit/backtest/learned/laterFits.test.ts'
const LATER_LIVE = 'unit/backtest/live/laterFits.test.ts'
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
    ['return Number.isFinite(said) ? bent(said, curve) : said', 'return bent(said, curve)'],
    LAWS,
  ),
  mutant(
    'the learner behind steps goes on from the steps',
    'backtest/learned/pipeline.ts',
    ['{ ...about, previous })', 'about)'],
    LAWS,
  ),
  mutant(
    'a step of Platt scaling that goes too far is not made shorter',
    'backtest/learned/calibrated.ts',
    ['      part /= 2\n', '      part /= 1\n'],
    CALIBRATED,
  ),
  mutant(
    'a kept model is asked of bars from before it was fitted',
    'backtest/learned/keptPast.ts',
    [
      'this.kept.fits.findLastIndex(({ at, usedFrom = at }) => usedFrom <= closeTime)',
      'this.kept.fits.length - 1',
    ],
    KEPT,
  ),
  mutant(
    'a model that goes on has lost the bars whose labels were still to come',
    'backtest/learned/learned.ts',
    ['this.#told.push(...kept.told.map((told) => ({ ...told, prediction: null })))', ''],
    KEPT,
  ),
  mutant(
    'a model that goes on learns twice of bars that it is told again',
    'backtest/learned/keptPast.ts',
    ['return closeTime <= this.kept.to', 'return closeTime < this.kept.to'],
    KEPT,
  ),
  mutant(
    'a model that goes on has forgotten its rows',
    'backtest/learned/learned.ts',
    ['    this.#rows.push(...kept.rows)\n', ''],
    KEPT,
  ),
  mutant(
    'a model that goes on fits at once, and not at its next instant',
    'backtest/learned/fitSchedule.ts',
    ['    this.#instant = this.instantOf(to)\n', '    this.#instant = 0 * to\n'],
    KEPT,
  ),
  mutant(
    'a model that goes on has forgotten the fit that was under way',
    'backtest/learned/learned.ts',
    ['    for (const fit of kept.pending) this.#begin(fit, past.modelAt(fit.at))\n', ''],
    LATER,
  ),
  mutant(
    'of bars that are told again the model answers that was made by then and not used yet',
    'backtest/learned/keptPast.ts',
    ['usedFrom = at }) => usedFrom <= closeTime', 'usedFrom = at }) => Math.min(at, usedFrom) <= closeTime'],
    LATER,
  ),
  mutant(
    'a fit that is used later is used as soon as it is done',
    'backtest/learned/pendingFit.ts',
    ['return closeTime >= this.of.takesEffectAt', 'return closeTime >= this.of.at'],
    LATER,
  ),
  mutant(
    'a fit is used a bar after the one that ends when it is to be',
    'backtest/learned/pendingFit.ts',
    ['return closeTime >= this.of.takesEffectAt', 'return closeTime > this.of.takesEffectAt'],
    LATER,
  ),
  mutant(
    'a fit of a longer bar that closed late has its time from the end of that bar',
    'backtest/learned/learned.ts',
    ['this.#schedule.takesEffectAt(toldAt)', 'this.#schedule.takesEffectAt(at)'],
    LATER,
  ),
  mutant(
    'of several fits that are waited for one is enough',
    'backtest/strategy/heardBars.ts',
    ['(this.ready(bar) ?? true)', 'true'],
    LATER,
  ),
  mutant(
    'a live run that waits for a fit does not say so',
    'backtest/live/journaledFits.ts',
    ["      this.#tell({ type: 'waited', at: begun, ms, why })\n", ''],
    LATER_LIVE,
  ),
  mutant(
    'a run that is ended while it waits tells the bar all the same',
    'backtest/live/liveTold.ts',
    ['if (ready !== undefined && !(await ready)) return', 'if (ready !== undefined) await ready'],
    LATER_LIVE,
  ),
  mutant(
    'a run that has ended leaves the fits that are under way going',
    'backtest/run/audience.ts',
    ['for (const learned of context.learned) learned.leave()', 'for (const _ of context.learned) continue'],
    LATER,
  ),
  mutant(
    'a zero below zero is read as one above',
    'backtest/learned/plainText.ts',
    ['if (Object.is(value, -0))', 'if (value === Number.NaN)'],
    KEPT,
  ),
  mutant(
    'a kept model is taken for one of other parameters',
    'backtest/learned/keptModel.ts',
    ["'featureNames',\n    'learner',\n", "'featureNames',\n"],
    KEPT,
  ),
  mutant(
    'a file of a kept model is taken as it is',
    'backtest/learned/modelFolder.ts',
    ['if (hashOf(text) !== sha256)', 'if (text === sha256)'],
    KEPT,
  ),
  mutant(
    'models of another version are gone on with',
    'backtest/learned/modelFolder.ts',
    ['if (list.software !== SOFTWARE)', 'if (list.software === undefined)'],
    KEPT,
  ),
  mutant(
    'other features of the bar at which a model was kept go unnoticed',
    'backtest/learned/keptPast.ts',
    [
      'if (closeTime !== to || known === null) return',
      'if (closeTime > to || closeTime < to || known !== null) return',
    ],
    KEPT,
  ),
  mutant(
    'boosted trees say less of their parameters than they have',
    'backtest/learned/boostedTrees.ts',
    [
      "name: 'boostedTrees', rounds, depth, rate, leastShare",
      "name: 'boostedTrees', rounds, rate, leastShare",
    ],
    KEPT,
  ),
]
