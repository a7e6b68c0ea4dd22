/**
 * Who follows the log from a sequence on, each at their own pace: what is stored is read, what becomes durable is told,
 * and where the two meet nothing is left out and nothing comes twice.
 */
import type { Commit } from '../events/commit.ts'
import { sealed } from './sealedCommit.ts'

/** From where a log is followed, and until when. */
export interface FollowOptions {
  /** Sequence of the first commit, from 1; one that has not happened yet is waited for. */
  readonly from: number
  /** Ends it, as `return()` does. */
  readonly signal?: LeaveSignal
}

/** An `AbortSignal`, as far as it is needed here. */
export interface LeaveSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The log as far as it is durable. */
export interface DurableLog {
  readonly durableHead: number
  /** As in {@link Store}. */
  read(from: number): AsyncIterable<readonly Commit[]>
}

/** Events, and commits, that are held at most for one who is slow: beyond it they read them where they are stored. */
const HELD = 4_096

export class Followers {
  readonly #log: DurableLog
  readonly #followers = new Set<Follower>()
  #end: Ended | null = null

  constructor(log: DurableLog) {
    this.#log = log
  }

  /** A follower is registered when it asks for its first commit: one that never asks costs nothing. */
  follow({ from, signal }: FollowOptions): AsyncIterableIterator<Commit, undefined> {
    const begin = () => {
      if (this.#end === null) this.#followers.add(follower)
      else follower.end(this.#end)
    }
    const leave = () => {
      this.#followers.delete(follower)
      signal?.removeEventListener('abort', follower.leave)
    }
    const follower = new Follower(this.#log, from, begin, leave)
    if (signal?.aborted === true) follower.leave()
    else signal?.addEventListener('abort', follower.leave)
    return follower
  }

  /** A commit is durable. */
  tell(commit: Commit): void {
    if (this.#followers.size === 0) return
    sealed(commit)
    for (const follower of this.#followers) follower.tell(commit)
  }

  /** Commits are durable that nobody is told one by one. */
  advanced(): void {
    for (const follower of this.#followers) follower.wake()
  }

  /** Nothing comes any more: everyone ends after what they were told, with the error that is the reason, if one is. */
  end(failure: Error | null): void {
    this.#end ??= { failure }
    for (const follower of this.#followers) follower.end(this.#end)
  }
}

interface Ended {
  readonly failure: Error | null
}

class Follower implements AsyncIterableIterator<Commit, undefined> {
  readonly #log: DurableLog
  readonly #begin: () => void
  readonly #leave: () => void
  readonly #commits: AsyncGenerator<Commit, undefined, void>
  /** The commit that is due. */
  #next: number
  /** Commits that were told and not taken yet: without gaps, the last one told at the end. */
  #told: Commit[] = []
  #held = 0
  #left = false
  #end: Ended | null = null
  #wake: () => void = () => {}

  constructor(log: DurableLog, from: number, begin: () => void, leave: () => void) {
    this.#log = log
    this.#next = from
    this.#begin = begin
    this.#leave = leave
    this.#commits = this.#follow()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Commit, undefined>> {
    return this.#commits.next()
  }

  /** Also ends a `next` that is waiting: a generator alone would look at its end only after the next commit. */
  return(): Promise<IteratorResult<Commit, undefined>> {
    this.leave()
    return this.#commits.return(undefined)
  }

  readonly leave = (): void => {
    this.#left = true
    this.#leave()
    this.wake()
  }

  tell(commit: Commit): void {
    const last = this.#told.at(-1)
    if (this.#held > HELD || (last !== undefined && last.seq + 1 !== commit.seq)) this.#drop()
    this.#told.push(commit)
    this.#held += 1 + commit.events.length
    this.wake()
  }

  wake(): void {
    this.#wake()
  }

  end(end: Ended): void {
    this.#end = end
    this.wake()
  }

  async *#follow(): AsyncGenerator<Commit, undefined, void> {
    this.#begin()
    try {
      // Where no log is kept this says so, whether or not anything would have to be read.
      yield* this.#stored()
      while (!this.#left) {
        if (this.#hasNext) yield* this.#taken()
        else if (this.#end !== null) return this.#ended(this.#end)
        else if (this.#next <= this.#log.durableHead) yield* this.#stored()
        else await this.#news()
      }
    } finally {
      this.#leave()
    }
    return undefined
  }

  /** Whether what was told begins with the commit that is due, or before it. */
  get #hasNext(): boolean {
    const [first] = this.#told
    return first !== undefined && first.seq <= this.#next && (this.#told.at(-1) as Commit).seq >= this.#next
  }

  *#taken(): Generator<Commit, void, void> {
    const told = this.#told
    this.#drop()
    for (const commit of told) {
      if (this.#left) return
      if (commit.seq < this.#next) continue
      this.#next += 1
      yield commit
    }
  }

  /** What is stored, up to what was told, or as far as it is durable. */
  async *#stored(): AsyncGenerator<Commit, void, void> {
    for await (const run of this.#log.read(this.#next))
      for (const commit of run) {
        if (this.#left || this.#end !== null || this.#hasNext) return
        if (commit.seq > this.#log.durableHead) return
        this.#next += 1
        yield sealed(commit)
      }
  }

  #ended({ failure }: Ended): undefined {
    if (failure !== null) throw failure
  }

  #drop(): void {
    this.#told = []
    this.#held = 0
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
