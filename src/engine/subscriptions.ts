/** Who is told of commits. A listener that throws or rejects is blocked and shown as such; it never stops the bus. */
import type { Commit } from '../events/commit.ts'
import { type Notify, reasonOf, whenRejected } from './notices.ts'
import { sealed } from './sealedCommit.ts'

/** Nobody waits for a promise it gives, but one that rejects blocks it. The commit is everybody's, and frozen. */
export type Listener = (commit: Commit) => unknown

/** Somebody who is told of commits. */
export interface Subscription {
  readonly name: string
  /** The commit it threw at, and what it threw; null while it runs. */
  readonly blocked: Blocked | null
  unsubscribe(): void
}

export interface Blocked {
  /** Sequence of the commit it threw at. */
  readonly seq: number
  /** What it threw, or rejected with. */
  readonly error: unknown
}

export class Subscriptions {
  readonly #notify: Notify
  readonly #entries = new Set<Entry>()
  /** Those of the entries that may do anything with what they are told. */
  readonly #others = new Set<Subscription>()
  readonly #published: Commit[] = []
  #delivering = false
  #count = 0

  /** `notify` is told of each that is blocked. */
  constructor(notify: Notify) {
    this.#notify = notify
  }

  add(listener: Listener, name?: string): Subscription {
    const subscription = this.addReader((commit) => listener(sealed(commit)), name)
    this.#others.add(subscription)
    return subscription
  }

  /** One that changes nothing of a commit and keeps none: for it alone none is frozen, which costs as much as encoding it. */
  addReader(listener: Listener, name?: string): Subscription {
    this.#count += 1
    const entry = new Entry(listener, name ?? `subscription ${this.#count}`, this.#notify, () => {
      this.#entries.delete(entry)
      this.#others.delete(entry)
    })
    this.#entries.add(entry)
    return entry
  }

  /** Whether nobody is to be told of anything. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Puts a commit in line; {@link deliver} tells of it. */
  publish(commit: Commit): void {
    if (this.#entries.size > 0) this.#published.push(this.#others.size > 0 ? sealed(commit) : commit)
  }

  /**
   * Tells everyone of what was published, in order. A listener may dispatch: what that causes is told after the commit
   * it was told of, to every listener.
   */
  deliver(): void {
    if (this.#delivering || this.#published.length === 0) return
    this.#delivering = true
    for (const commit of this.#published) for (const entry of this.#entries) entry.tell(commit)
    this.#published.length = 0
    this.#delivering = false
  }

  get blocked(): readonly Subscription[] {
    return [...this.#entries].filter((entry) => entry.blocked !== null)
  }
}

class Entry implements Subscription {
  readonly name: string
  readonly unsubscribe: () => void
  readonly #listener: Listener
  readonly #notify: Notify
  #blocked: Blocked | null = null

  constructor(listener: Listener, name: string, notify: Notify, unsubscribe: () => void) {
    this.#listener = listener
    this.name = name
    this.#notify = notify
    this.unsubscribe = unsubscribe
    Object.freeze(this)
  }

  get blocked(): Blocked | null {
    return this.#blocked
  }

  tell(commit: Commit): void {
    if (this.#blocked !== null) return
    try {
      whenRejected(this.#listener(commit), (error) => this.#block(commit, error))
    } catch (error) {
      this.#block(commit, error)
    }
  }

  /** Of several promises that reject, the first one to do so is shown. */
  #block({ seq }: Commit, error: unknown): void {
    if (this.#blocked !== null) return
    this.#blocked = Object.freeze({ seq, error })
    this.#notify(`${this.name} was blocked at commit ${seq}: ${reasonOf(error)}`)
  }
}
