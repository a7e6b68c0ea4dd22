// Time, chance and processes of a simulation: everything that happens is an entry of one queue, and one number says what does.

/**
 * Resolves when everything is done that follows from what has just happened: whatever waits for a promise goes before the next tick.
 */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

/** Something that is to happen. */
export interface Due {
  readonly at: number
  readonly run: () => void
  isCancelled: boolean
}

export class World {
  now = 0
  /** The next to happen is the last. */
  readonly #queue: Due[] = []
  #state: number
  #happened = 0

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** What has happened so far, in a word: two runs that differ anywhere have another one. */
  get trace(): string {
    return `${this.#happened} until ${this.now}, then ${this.#state}`
  }

  /** From 0 up to 1. */
  chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(low: number, high: number): number {
    return low + this.chance() * (high - low)
  }

  below(count: number): number {
    return Math.floor(this.chance() * count)
  }

  pick<T>(among: readonly T[]): T {
    return among[this.below(among.length)] as T
  }

  /** Of two that are due at once the one that was asked for first. */
  after(ms: number, run: () => void): Due {
    const due: Due = { at: this.now + ms, run, isCancelled: false }
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#queue[middle] as Due).at > due.at) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, due)
    return due
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  async runUntil(end: number): Promise<void> {
    await settled()
    for (let next = this.#queue.at(-1); next !== undefined && next.at <= end; next = this.#queue.at(-1)) {
      this.#queue.pop()
      if (next.isCancelled) continue
      this.now = next.at
      this.#happened += 1
      next.run()
      await settled()
    }
    this.now = end
  }
}

/** A process: frozen it does nothing and hears everything later, dead it never hears of anything. */
export class Process {
  readonly #world: World
  readonly #clockRate: number
  readonly #clockStart: number
  #frozenUntil = 0
  isDead = false

  constructor(world: World) {
    this.#world = world
    this.#clockRate = world.between(0.995, 1.005)
    this.#clockStart = world.between(0, 1e7)
  }

  /** A clock of its own: it starts anywhere within hours, and drifts. */
  monotonic(): number {
    return this.#clockStart + this.#world.now * this.#clockRate
  }

  freeze(ms: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.#world.now + ms)
  }

  /** Whether it has done nothing for a while since. */
  wasFrozenSince(at: number): boolean {
    return this.#frozenUntil > at
  }

  after(ms: number, run: () => void): Due {
    const due = this.#world.after(ms, () => {
      if (this.isDead) return
      const left = this.#frozenUntil - this.#world.now
      // Whoever called it off meanwhile has nothing to hear when it wakes.
      if (left > 0) this.after(left, () => due.isCancelled || run())
      else run()
    })
    return due
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms / this.#clockRate, resolve))
  }
}
