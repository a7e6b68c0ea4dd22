/** The fits of a live run on their way into its journal, and how long it waits for one. */
import type { LearnedFit, MadeFit } from '../learned/fitRecord.ts'
import type { FitWatch, Learned } from '../learned/learned.ts'
import type { PendingFit } from '../learned/pendingFit.ts'
import { moment } from '../output/presentation.ts'
import type { JournalEntry } from './journal.ts'

interface JournaledFitsParts {
  readonly onEntry: (entry: JournalEntry) => void
  /** A fit of a model is waited for; null as that begins, and how long it was, ms, as it ends. */
  readonly onAwaited: (asset: string, model: string, ms: number | null) => void
  /** The venue's clock, epoch ms; null while the strategy is told what was before the run, where nobody minds a wait. */
  readonly clock: () => number | null
}

export class JournaledFits implements FitWatch {
  readonly #parts: JournaledFitsParts
  readonly #learned: Learned[] = []
  /** Of the fits that were waited for and are not told of yet, ms. */
  readonly #waited = new Map<Learned, number>()
  #isLeft = false

  constructor(parts: JournaledFitsParts) {
    this.#parts = parts
  }

  /** Its fits are told from now on. */
  watch(learned: Learned): void {
    learned.watch = this
    this.#learned.push(learned)
    // It goes on from one that was kept.
    const { made } = learned
    if (made !== null) this.fitted(learned, made.usedFrom ?? made.at, made)
    for (const fit of learned.pending) this.begun(learned, fit)
    if (this.#isLeft) learned.leave()
  }

  begun(learned: Learned, { of }: PendingFit): void {
    const { at, rows, takesEffectAt } = of
    this.#tell({ type: 'fitting', at, ...about(learned), rows: rows.length, takesEffectAt })
  }

  awaited(learned: Learned, { of }: PendingFit): () => void {
    const { asset, name } = learned
    const begun = this.#parts.clock()
    if (begun === null) return () => {}
    this.#parts.onAwaited(asset, name, null)
    return () => {
      const ms = (this.#parts.clock() ?? begun) - begun
      this.#parts.onAwaited(asset, name, ms)
      if (ms <= 0) return
      this.#waited.set(learned, (this.#waited.get(learned) ?? 0) + ms)
      const why = `the fit of ${name} of ${asset} that was begun with the bar at ${moment(of.at)} UTC was not done`
      this.#tell({ type: 'waited', at: begun, ms, why })
    }
  }

  fitted(learned: Learned, at: number, fit: MadeFit | null): void {
    const waitedMs = this.#waited.get(learned)
    const waited = waitedMs === undefined || fit === null ? {} : { waitedMs }
    if (fit !== null) this.#waited.delete(learned)
    this.#tell({ type: 'fit', at, ...about(learned), ...waited, fit })
  }

  foretold({ asset, name: model }: Learned, at: number, fit: LearnedFit): void {
    const { at: fittedAt, predictions, outOfSample } = fit
    this.#tell({ type: 'foretold', at, asset, model, fittedAt, predictions, outOfSample })
  }

  /** The run ends: what is known of fits whose predictions are still to come true. */
  end(): void {
    for (const learned of this.#learned) learned.end()
  }

  /** Whatever is under way is not waited for any more. */
  leave(): void {
    this.#isLeft = true
    for (const learned of this.#learned) learned.leave()
  }

  #tell(entry: JournalEntry): void {
    this.#parts.onEntry(entry)
  }
}

function about({ asset, name: model, horizon, window, every, takesEffectAfter, skipped, scores }: Learned) {
  const later = takesEffectAfter === null ? {} : { takesEffectAfter }
  return { asset, model, horizon, window, every, ...later, skipped, scores: Object.keys(scores) }
}
