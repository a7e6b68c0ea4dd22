/** How long work beside the commands gives way to whoever else waits for the process (K15). */

/** The clocks of an event loop, in milliseconds from any instant. */
export interface LoopClocks {
  elapsed(): number
  /** How long the loop has had nothing to do. */
  idle(): number
  /** Calls back after what there is to do now. */
  later(turn: () => void): void
}

/** A piece of long work. */
export interface Pace {
  /** Resolves at once within a turn, else after everybody else had theirs. */
  step(): Promise<void>
  /** Whether the turn is over: asked where there is much to do in little time. */
  readonly over: boolean
}

/** What gives turns: the event loop of a process, or a simulated one. */
export interface Turns {
  /** A turn that begins now. */
  pace(): Pace
  /** Calls back once what is to be written has gathered for a while; gives the way to call that off. */
  gather(write: () => void): () => void
}
