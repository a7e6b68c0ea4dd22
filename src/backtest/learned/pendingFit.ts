/**
 * A fit on its way: begun of what was known at an instant, and used from a later one on. Between the two it may be made beside everything else;
 * whoever comes to the later one before it is done waits for it, so that which model foretells a bar never hangs on how fast it was made.
 */
import type { LearnedRow, Model } from './learning.ts'

/** What a fit is made of. */
export interface FitOfRows {
  /** The last millisecond of the bar with which it was begun, epoch ms. */
  readonly at: number
  /** The first bar that ends then or later is foretold by it; epoch ms. */
  readonly takesEffectAt: number
  /** Last millisecond of the last bar that a label of its rows knows, epoch ms: never after `at`. */
  readonly knownTo: number
  readonly rows: readonly LearnedRow[]
}

export class PendingFit {
  readonly of: FitOfRows
  readonly #stop = new AbortController()
  /** Null while it is under way, and for good once it was left. */
  #outcome: { readonly model: Model } | { readonly thrown: unknown } | null = null
  #isLeft = false
  readonly #over: Promise<boolean>
  #leave: () => void = () => {}

  /** @throws what `begin` throws at once; what its promise is rejected with is thrown by {@link model}. */
  constructor(of: FitOfRows, begin: (signal: AbortSignal) => Model | Promise<Model>) {
    this.of = of
    const begun = begin(this.#stop.signal)
    if (begun instanceof Promise)
      this.#over = new Promise((resolve) => {
        this.#leave = () => resolve(false)
        const end = (outcome: { readonly model: Model } | { readonly thrown: unknown }) => {
          if (!this.#isLeft) this.#outcome = outcome
          resolve(true)
        }
        begun.then(
          (model) => end({ model }),
          (thrown: unknown) => end({ thrown }),
        )
      })
    else {
      this.#outcome = { model: begun }
      this.#over = Promise.resolve(true)
    }
  }

  get isUnderWay(): boolean {
    return this.#outcome === null
  }

  /** Whether a bar that ends at a time, epoch ms, is foretold by it. */
  isUsedAt(closeTime: number): boolean {
    return closeTime >= this.of.takesEffectAt
  }

  /** True once it is made or has failed, false once it was left. */
  get over(): Promise<boolean> {
    return this.#over
  }

  /** What it came to; only where it is no longer under way. @throws what it has failed with. */
  get model(): Model {
    if (this.#outcome === null)
      throw new Error(
        'it was kept while it was under way, and can be waited for where the model is made in onStart',
      )
    if ('thrown' in this.#outcome) throw this.#outcome.thrown
    return this.#outcome.model
  }

  /** Nobody will wait for it any more: where it is under way it is told so, and whoever waits is let go. */
  leave(): void {
    if (this.#outcome !== null) return
    this.#isLeft = true
    this.#leave()
    this.#stop.abort()
  }
}
