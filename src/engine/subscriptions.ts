/** Who is told of commits. A listener that throws is blocked and shown as such; it never stops the bus. */
import type { Commit } from '../events/commit.ts'

export type Listener = (commit: Commit) => void

export interface Subscription {
  readonly name: string
  /** The commit it threw at, and what it threw; null while it runs. */
  readonly blocked: { readonly seq: number; readonly error: unknown } | null
  unsubscribe(): void
}

export class Subscriptions {
  readonly #entries = new Set<Entry>()
  readonly #published: Commit[] = []
  #delivering = false
  #count = 0

  add(listener: Listener, name?: string): Subscription {
    this.#count += 1
    const entry = new Entry(listener, name ?? `subscription ${this.#count}`, () =>
      this.#entries.delete(entry),
    )
    this.#entries.add(entry)
    return entry
  }

  /** Whether nobody is to be told of anything. */
  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Puts a commit in line; {@link deliver} tells of it. */
  publish(commit: Commit): void {
    if (this.#entries.size > 0) this.#published.push(commit)
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
  blocked: { readonly seq: number; readonly error: unknown } | null = null

  constructor(listener: Listener, name: string, unsubscribe: () => void) {
    this.#listener = listener
    this.name = name
    this.unsubscribe = unsubscribe
  }

  tell(commit: Commit): void {
    if (this.blocked !== null) return
    try {
      this.#listener(commit)
    } catch (error) {
      this.blocked = { seq: commit.seq, error }
    }
  }
}
