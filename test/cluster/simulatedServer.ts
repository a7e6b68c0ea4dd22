// A database server and its synchronous standby, as a simulation has them: a state that statements change one after the
// other, behind connections that are slow, stall, are cut, and lose the answer more often than the question.
import type { Process, World } from './world.ts'

/** Before a client gives a statement up, ms. */
const TIMEOUT_MS = 2_500
/** How far a standby is behind that nobody waits for, ms. */
const BEHIND_MS = 400
/** How long a change that nobody waits for may be in memory alone, ms. */
const UNWRITTEN_MS = 600

/** How the primary changed, and when the standby has that. */
interface Change<State> {
  readonly state: State
  at: number
  /** Somebody is answered only then. */
  readonly isWaitedFor: boolean
}

interface Pending {
  readonly process: Process
  readonly fail: (reason: string) => void
  /** Cut, it may still arrive; lost with its server, it does not. */
  state: 'open' | 'cut' | 'lost'
}

/** One connection: what is sent over it arrives in its order, or not at all. */
export interface Lane {
  /** When the last of it arrives. */
  arrivesAt: number
}

/** What a statement makes of a state, and what it answers. States are never changed in place. */
export type Write<State, T> = (state: State) => readonly [State, T]

export class SimulatedServer<State> {
  readonly #world: World
  readonly #isSynchronous: boolean
  #state: State
  /** What the standby has. */
  #standby: State
  /** What it does not have yet, oldest first. */
  #behind: Change<State>[] = []
  /** Who was the primary before a failover, and still answers those that only look. */
  #deposed: { readonly state: State; readonly until: number } | null = null
  readonly #pending = new Set<Pending>()
  readonly #stalled = new Map<Process, number>()
  /** Part of what is sent, and of what is answered, that never comes. */
  loss = 0
  /** Whether some statements take seconds, and the standby falls behind. */
  isSlow = true
  isDown = false
  /** Changes that somebody had been answered and that a crash took back: nobody waits for them. */
  undoneAfterAnswer = 0
  readonly reached = {
    failovers: 0,
    restarts: 0,
    cuts: 0,
    stalls: 0,
    undone: 0,
    deposedLooks: 0,
  }

  /** Not `isSynchronous`: it acknowledges before the standby has it, as nothing real may. */
  constructor(world: World, state: State, isSynchronous = true) {
    this.#world = world
    this.#state = state
    this.#standby = state
    this.#isSynchronous = isSynchronous
  }

  get state(): State {
    return this.#state
  }

  /** Nothing fails from now on, but for what is on its way. */
  calm(): void {
    this.loss = 0
    this.isSlow = false
    this.#deposed = null
  }

  /**
   * A statement that changes something. One that fails may have been carried out, or may be later. Not `isWaitedFor`: it is
   * answered before it would outlive the server, which is so once anything behind it is.
   */
  write<T>(
    process: Process,
    work: Write<State, T>,
    lane: Lane = { arrivesAt: 0 },
    isWaitedFor = true,
  ): Promise<T> {
    return this.#statement(process, lane, (isDeposed) => {
      // Nobody follows it any more: it waits for ever.
      if (isDeposed) return null
      const [state, result] = work(this.#state)
      if (state === this.#state) return { result, at: this.#world.now }
      this.#state = state
      return { result, at: isWaitedFor ? this.#replicated(state) : this.#leftBehind(state) }
    })
  }

  /** A statement that only looks. */
  look<T>(process: Process, work: (state: State) => T): Promise<T> {
    return this.#statement(process, { arrivesAt: 0 }, (isDeposed) => {
      if (isDeposed) this.reached.deposedLooks += 1
      const state = isDeposed ? (this.#deposed as { state: State }).state : this.#state
      return { result: work(state), at: this.#world.now }
    })
  }

  /** Every statement of a process that is on its way fails; some of them are carried out all the same. */
  cut(process: Process): void {
    this.reached.cuts += 1
    for (const pending of this.#pending) if (pending.process === process) this.#cutOff(pending, 'cut')
  }

  /** Nothing comes through in either direction for so long, and then everything does. */
  stall(process: Process, ms: number): void {
    this.reached.stalls += 1
    this.#stalled.set(process, this.#world.now + ms)
  }

  /** Killed and started again: of what nobody was told it may have lost the latest. */
  restart(ms: number): void {
    this.reached.restarts += 1
    this.#receive()
    const kept = this.#world.below(this.#behind.length + 1)
    this.#loseFrom(kept)
    for (const change of this.#behind) change.at += ms
    this.#away(ms)
  }

  /** Killed, and its standby goes on with what it has, with another standby from then on. */
  failOver(ms: number): void {
    this.reached.failovers += 1
    this.#receive()
    if (this.#world.chance() < 0.5)
      this.#deposed = { state: this.#state, until: this.#world.now + ms + this.#world.between(0, 2_000) }
    this.#loseFrom(0)
    this.#away(ms)
  }

  /** When the standby has it. */
  #replicated(state: State): number {
    const { now } = this.#world
    this.#receive()
    const isLate = this.isSlow && this.#world.chance() < 0.005
    const waited = isLate ? this.#world.between(50, 1_500) : this.#world.between(0.1, 1)
    const lag = this.#isSynchronous ? waited : BEHIND_MS
    const at = Math.max(now + lag, this.#behind.findLast(({ isWaitedFor }) => isWaitedFor)?.at ?? 0)
    // It carries along what nobody has waited for.
    for (const change of this.#behind) change.at = Math.min(change.at, at)
    this.#behind.push({ state, at, isWaitedFor: true })
    return this.#isSynchronous ? at : now
  }

  /** Answered at once, whenever the standby has it. */
  #leftBehind(state: State): number {
    const { now } = this.#world
    this.#behind.push({ state, at: now + this.#world.between(1, UNWRITTEN_MS), isWaitedFor: false })
    return now
  }

  /** What has come to the standby by now. */
  #receive(): void {
    let received = 0
    while ((this.#behind[received]?.at ?? Number.POSITIVE_INFINITY) <= this.#world.now) received += 1
    if (received === 0) return
    this.#standby = (this.#behind[received - 1] as Change<State>).state
    this.#behind.splice(0, received)
  }

  #loseFrom(kept: number): void {
    const lost = this.#behind.slice(kept)
    this.reached.undone += lost.length
    this.undoneAfterAnswer += lost.filter(({ isWaitedFor }) => !isWaitedFor).length
    this.#behind.length = kept
    this.#state = this.#behind.at(-1)?.state ?? this.#standby
  }

  #away(ms: number): void {
    for (const pending of this.#pending) this.#cutOff(pending, 'lost')
    this.isDown = true
    this.#world.after(ms, () => {
      this.isDown = false
    })
  }

  #cutOff(pending: Pending, state: 'cut' | 'lost'): void {
    if (pending.state === 'lost') return
    if (pending.state === 'open')
      pending.process.after(this.#delay(), () => pending.fail('the connection is cut'))
    pending.state = state
  }

  #delay(): number {
    const { isSlow } = this
    return isSlow && this.#world.chance() < 0.02
      ? this.#world.between(50, 2_000)
      : this.#world.between(0.2, 5)
  }

  /** Through the connection of a process, however long it stalls. */
  #through(process: Process, ms: number, arrive: () => void): void {
    this.#world.after(ms, () => {
      const left = (this.#stalled.get(process) ?? 0) - this.#world.now
      if (left > 0) this.#through(process, left, arrive)
      else arrive()
    })
  }

  #statement<T>(
    process: Process,
    lane: Lane,
    carryOut: (isDeposed: boolean) => { readonly result: T; readonly at: number } | null,
  ): Promise<T> {
    const world = this.#world
    return new Promise((resolve, reject) => {
      const ended = () => {
        late.isCancelled = true
        this.#pending.delete(pending)
      }
      const pending: Pending = {
        process,
        state: 'open',
        fail: (reason) => {
          ended()
          reject(new Error(reason))
        },
      }
      const late = process.after(TIMEOUT_MS, () => pending.fail('no answer'))
      this.#pending.add(pending)
      if (world.chance() < this.loss) return
      lane.arrivesAt = Math.max(world.now + this.#delay(), lane.arrivesAt)
      this.#through(process, lane.arrivesAt - world.now, () => {
        if (pending.state === 'lost' || (pending.state === 'cut' && world.chance() < 0.5)) return
        const { now } = world
        const isDeposed = this.#deposed !== null && now < this.#deposed.until && world.chance() < 0.2
        if (this.isDown && !isDeposed)
          return void process.after(this.#delay(), () => pending.fail('the database is away'))
        const done = carryOut(isDeposed)
        if (done === null || world.chance() < this.loss) return
        this.#through(process, done.at - now + this.#delay(), () => {
          if (pending.state !== 'open') return
          process.after(0, () => {
            if (pending.state !== 'open') return
            ended()
            resolve(done.result)
          })
        })
      })
    })
  }
}
