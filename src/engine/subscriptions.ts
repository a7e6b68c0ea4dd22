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
  #count = 0

  add(listener: Listener, name?: string): Subscription {
    this.#count += 1
    const entry = new Entry(listener, name ?? `subscription ${this.#count}`, () =>
      this.#entries.delete(entry),
    )
    this.#entries.add(entry)
    return entry
  }

  publish(commit: Commit): void {
    for (const entry of this.#entries) entry.tell(commit)
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
