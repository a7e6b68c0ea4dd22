/** One fit: what it learned from, and what became of the predictions of its model. */
import type { LearnedRow, Model } from './learning.ts'
import type { FitOfRows } from './pendingFit.ts'
import type { Score } from './scores.ts'

/** A fit as it was made. */
export interface MadeFit {
  /** The last millisecond of the bar with which it was made, epoch ms. */
  readonly at: number
  /** The last millisecond of the first bar that was foretold by it, epoch ms; only of a model whose fits are used later than they are made. */
  readonly usedFrom?: number
  /** Rows it learned from. */
  readonly rows: number
  /** Last millisecond of the bar of its first row, epoch ms. */
  readonly from: number
  /** Last millisecond of the bar of its last row, epoch ms. */
  readonly to: number
  /** Last millisecond of the last bar that a label of its rows knows, epoch ms: never after `at`. */
  readonly knownTo: number
  /** Scores of its own rows, any number each, by name: what the model fits, not what it knows. */
  readonly inSample: Readonly<Record<string, number | null>>
}

/** A fit of a run, for its result. */
export interface LearnedFit extends MadeFit {
  /** How many predictions it made of which the label became known: of as many bars. */
  readonly predictions: number
  /** Scores of these, any number each, by name. */
  readonly outOfSample: Readonly<Record<string, number | null>>
  /** How long a live run waited for it when it was to be used, ms; only where it did. */
  readonly waitedMs?: number
}

type Scores = Readonly<Record<string, Score>>

export class FitRecord {
  readonly model: Model
  readonly #scores: Scores
  /** Of the labels that it learned from. */
  readonly mean: number
  readonly made: MadeFit
  readonly #onSettled: (fit: LearnedFit) => void
  #predictions: number[] = []
  #labels: number[] = []
  /** Predictions whose label is still to come. */
  #open = 0
  #isReplaced = false
  /** What it came to, once nothing is to come. */
  #told: LearnedFit | null = null

  /** `onSettled` is told once nothing of it is to come; `mean` is that of the labels that it learned from. */
  constructor(
    model: Model,
    scores: Scores,
    made: MadeFit,
    mean: number,
    onSettled: (fit: LearnedFit) => void = () => {},
  ) {
    this.#onSettled = onSettled
    this.model = model
    this.#scores = scores
    this.mean = mean
    this.made = made
  }

  predicted(): void {
    this.#open += 1
  }

  /** What a prediction of its was to foretell; null where that is to count for nothing. */
  came(prediction: number, label: number | null): void {
    this.#open -= 1
    if (label !== null) {
      this.#predictions.push(prediction)
      this.#labels.push(label)
    }
    this.#settle()
  }

  /** Another fit takes its place. */
  replaced(): void {
    this.#isReplaced = true
    this.#settle()
  }

  /** Whether nothing of it is to come. */
  get isSettled(): boolean {
    return this.#told !== null
  }

  /** As of now. */
  get told(): LearnedFit {
    return (
      this.#told ?? {
        ...this.made,
        predictions: this.#labels.length,
        outOfSample: scored(this.#scores, this.#predictions, this.#labels, this.mean),
      }
    )
  }

  /** What is scored need not be kept. */
  #settle(): void {
    if (!this.#isReplaced || this.#open > 0) return
    this.#told = this.told
    this.#onSettled(this.#told)
    this.#predictions = []
    this.#labels = []
  }
}

/** A fit of rows, with what its model says of them; `usedFrom` is null where it is used at once. */
export function madeFit(
  scores: Scores,
  { at, knownTo, rows }: FitOfRows,
  inSample: readonly number[],
  usedFrom: number | null = null,
): { readonly made: MadeFit; readonly mean: number } {
  const labels = rows.map(({ label }) => label)
  const mean = labels.reduce((sum, label) => sum + label, 0) / rows.length
  const made = {
    at,
    ...(usedFrom === null ? {} : { usedFrom }),
    rows: rows.length,
    from: (rows[0] as LearnedRow).closeTime,
    to: (rows[rows.length - 1] as LearnedRow).closeTime,
    knownTo,
    inSample: scored(scores, inSample, labels, mean),
  }
  return { made, mean }
}

function scored(
  scores: Scores,
  predictions: readonly number[],
  labels: readonly number[],
  mean: number,
): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [name, score(predictions, labels, mean)]),
  )
}
