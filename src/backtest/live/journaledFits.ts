/** The fits of a live run on their way into its journal. */
import type { LearnedFit, MadeFit } from '../learned/fitRecord.ts'
import type { FitWatch, Learned } from '../learned/learned.ts'
import type { JournalEntry } from './journal.ts'

export class JournaledFits implements FitWatch {
  readonly #onEntry: (entry: JournalEntry) => void
  readonly #learned: Learned[] = []

  constructor(onEntry: (entry: JournalEntry) => void) {
    this.#onEntry = onEntry
  }

  /** Its fits are told from now on. */
  watch(learned: Learned): void {
    learned.watch = this
    this.#learned.push(learned)
    // It goes on from one that was kept.
    const { made } = learned
    if (made !== null) this.fitted(learned, made.at, made)
  }

  fitted(learned: Learned, at: number, fit: MadeFit | null): void {
    const { asset, name: model, horizon, window, every, skipped } = learned
    const scores = Object.keys(learned.scores)
    this.#onEntry({ type: 'fit', at, asset, model, horizon, window, every, skipped, scores, fit })
  }

  foretold({ asset, name: model }: Learned, at: number, fit: LearnedFit): void {
    const { at: fittedAt, predictions, outOfSample } = fit
    this.#onEntry({ type: 'foretold', at, asset, model, fittedAt, predictions, outOfSample })
  }

  /** The run ends: what is known of fits whose predictions are still to come true. */
  end(): void {
    for (const learned of this.#learned) learned.end()
  }
}
