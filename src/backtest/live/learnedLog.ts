/** What the models of a live run learned, as its journal tells it: what a backtest says of its own. */
import type { LearnedFit, MadeFit } from '../learned/fitRecord.ts'
import { type LearnedResult, laterFits, scoresOverFits } from '../learned/learnedResult.ts'
import type { JournalEntry, JournalFit, JournalFitting } from './journal.ts'

interface LoggedModel {
  /** As it was told last. */
  about: JournalFit | JournalFitting
  /** By the time at which each was made: a run that is warmed up again makes the same ones again. */
  readonly fits: Map<number, LearnedFit>
  /** When those were begun that are not used yet: what was begun before one that is used was lost with the run that began it. */
  pending: number[]
}

export class LearnedLog {
  readonly #models = new Map<string, LoggedModel>()

  /** Call with every entry, in their order. */
  add(entry: JournalEntry): void {
    if (entry.type !== 'fitting' && entry.type !== 'fit' && entry.type !== 'foretold') return
    const key = `${entry.asset} ${entry.model}`
    const model = this.#models.get(key)
    if (entry.type === 'foretold') {
      const { fittedAt, predictions, outOfSample } = entry
      const fit = model?.fits.get(fittedAt)
      if (fit !== undefined) model?.fits.set(fittedAt, { ...fit, predictions, outOfSample })
      return
    }
    const logged = model ?? { about: entry, fits: new Map(), pending: [] }
    this.#models.set(key, logged)
    logged.about = entry
    if (entry.type === 'fitting') logged.pending = [...logged.pending.filter((at) => at < entry.at), entry.at]
    else if (entry.fit !== null) addFit(logged, entry, entry.fit)
  }

  /** In the order in which the models were told of; none where nothing was learned. */
  get results(): LearnedResult[] {
    return [...this.#models.values()].map(({ about, fits: byTime, pending }) => {
      const { model: name, asset, horizon, window, every, takesEffectAfter = null, skipped } = about
      const fits = [...byTime.values()].sort((one, other) => one.at - other.at)
      return {
        name,
        asset,
        horizon,
        window,
        every,
        ...laterFits(takesEffectAfter, pending.length),
        skipped,
        scores: scoresOverFits(about.scores, fits),
        fits,
      }
    })
  }
}

function addFit(logged: LoggedModel, { scores, waitedMs }: JournalFit, fit: MadeFit): void {
  // Until its predictions have come true nothing is known of them. A run that goes on tells the fit again that it goes on from.
  const outOfSample = Object.fromEntries(scores.map((score) => [score, null]))
  const waited = waitedMs === undefined ? {} : { waitedMs }
  logged.fits.set(fit.at, { ...fit, predictions: 0, outOfSample, ...waited, ...logged.fits.get(fit.at) })
  logged.pending = logged.pending.filter((at) => at > fit.at)
}
