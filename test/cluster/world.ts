// Time, chance and processes of a simulation: everything that happens is an entry of one queue, and one number says what does.

/** Waits for everything that follows from what has just happened. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

export class World {
  now = 0
  readonly #queue: { at: number; order: number; run: () => void }[] = []
  #order = 0
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
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

  pick<T>(among: readonly T[]): T {
    return among[Math.floor(this.chance() * among.length)] as T
  }

  after(ms: number, run: () => void): void {
    const entry = { at: this.now + ms, order: this.#order++, run }
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#queue[middle] as typeof entry).at > entry.at) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, entry)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  async runUntil(end: number): Promise<void> {
    await settled()
    for (let next = this.#queue.at(-1); next !== undefined && next.at <= end; next = this.#queue.at(-1)) {
      this.#queue.pop()
      this.now = next.at
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

  /** A clock of its own: it starts anywhere and drifts. */
  monotonic(): number {
    return this.#clockStart + this.#world.now * this.#clockRate
  }

  freeze(ms: number): void {
    this.#frozenUntil = Math.max(this.#frozenUntil, this.#world.now + ms)
  }

  after(ms: number, run: () => void): void {
    this.#world.after(ms, () => {
      if (this.isDead) return
      const left = this.#frozenUntil - this.#world.now
      if (left > 0) this.after(left, run)
      else run()
    })
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms / this.#clockRate, resolve))
  }
}
