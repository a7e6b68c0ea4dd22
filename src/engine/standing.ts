/**
 * How an engine stands: it takes commands; or only reads, because nothing can be written; or has stopped, after which
 * nothing is served from a state that half a commit may have been applied to.
 */
import { EngineStopped } from './engineStopped.ts'
import { type Notify, reasonOf } from './notices.ts'

export class Standing {
  /** Why nothing can be written, in a sentence; null where it can. */
  readonly unwritable: string | null
  readonly #notify: Notify
  #failure: { readonly error: unknown } | null = null

  constructor(unwritable: string | null, notify: Notify) {
    this.unwritable = unwritable
    this.#notify = notify
  }

  get hasStopped(): boolean {
    return this.#failure !== null
  }

  /** Why it has stopped; null while it has not. */
  get failure(): unknown {
    return this.#failure?.error ?? null
  }

  get takesCommands(): boolean {
    return this.#failure === null && this.unwritable === null
  }

  /** The first reason stands, and is told. */
  stop(error: unknown): void {
    if (this.#failure !== null) return
    this.#failure = { error }
    this.#notify(`the engine has stopped: ${reasonOf(error)}`)
  }

  /** The engine is closed: nobody needs to be told. */
  end(): void {
    this.#failure ??= { error: new Error('the engine was closed') }
  }

  /** @throws EngineStopped when it has stopped. */
  mustRead(): void {
    if (this.#failure !== null)
      throw new EngineStopped('the engine has stopped', { cause: this.#failure.error })
  }

  /** @throws EngineStopped when it has stopped, or only reads. */
  mustTakeCommands(): void {
    this.mustRead()
    if (this.unwritable !== null) throw new EngineStopped(`the engine only reads: ${this.unwritable}`)
  }
}
