/** What the models of a live run learned, as its journal tells it: what a backtest says of its own. */
import type { LearnedFit } from '../learned/fitRecord.ts'
import { type LearnedResult, scoresOverFits } from '../learned/learnedResult.ts'
import type { JournalEntry, JournalFit } from './journal.ts'

interface LoggedModel {
  /** As it was told last. */
  about: JournalFit
  /** By the time at which each was made: a run that is warmed up again makes the same ones again. */
  readonly fits: Map<number, LearnedFit>
}

export class LearnedLog {
  readonly #models = new Map<string, LoggedModel>()

  /** Call with every entry, in their order. */
  add(entry: JournalEntry): void {
    if (entry.type !== 'fit' && entry.type !== 'foretold') return
    const key = `${entry.asset} ${entry.model}`
    const model = this.#models.get(key)
    if (entry.type === 'foretold') {
      const { fittedAt, predictions, outOfSample } = entry
      const fit = model?.fits.get(fittedAt)
      if (fit !== undefined) model?.fits.set(fittedAt, { ...fit, predictions, outOfSample })
      return
    }
    const logged = model ?? { about: entry, fits: new Map() }
    this.#models.set(key, logged)
    logged.about = entry
    // Until its predictions have come true nothing is known of them.
    const outOfSample = Object.fromEntries(entry.scores.map((score) => [score, null]))
    if (entry.fit !== null) logged.fits.set(entry.fit.at, { ...entry.fit, predictions: 0, outOfSample })
  }

  /** In the order in which the models were told of; none where nothing was learned. */
  get results(): LearnedResult[] {
    return [...this.#models.values()].map(({ about, fits: byTime }) => {
      const { model: name, asset, horizon, window, every, skipped } = about
      const fits = [...byTime.values()].sort((one, other) => one.at - other.at)
      return {
        name,
        asset,
        horizon,
        window,
        every,
        skipped,
        scores: scoresOverFits(about.scores, fits),
        fits,
      }
    })
  }
}
