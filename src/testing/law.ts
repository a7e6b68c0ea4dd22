/** What a law is: a name, the sentence it states, and what to look at while commands run. */

import type { CommandOptions } from '../engine/commandOptions.ts'
import type { Folded } from '../engine/fold.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { Subscription } from '../engine/subscriptions.ts'
import type { Command } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { Reader } from '../projections/reader.ts'
import type { Model } from './model.ts'

/** What the laws are checked on: an engine, or anything wired so that it answers like one. */
export interface Bus {
  readonly read: Reader
  /** Engine time, epoch ms. */
  readonly now: number
  /** Sequence of the last commit. */
  readonly head: number
  dispatch<C extends Command>(command: C, options?: CommandOptions): Outcome<C>
  /** Must tell of every commit before `dispatch` returns. */
  subscribe(listener: (commit: Commit) => void): Pick<Subscription, 'unsubscribe'>
  stateHash(): string
}

/** One event, and the model right before or right after it. */
export interface EventObservation {
  readonly model: Model
  readonly commit: Commit
  readonly event: Event
  /** Time of the commit, epoch ms. */
  readonly at: number
}

/** One command that has been answered, and the model after everything it caused. */
export interface CommandObservation {
  readonly bus: Bus
  readonly model: Model
  /** The commits so far folded by the engine's own fold, apart from the engine that is watched. */
  readonly shadow: Folded
  readonly command: Command
  readonly options: CommandOptions
  readonly outcome: Outcome<Command>
  /** What the command added to the log: what fell due before it, then its own. */
  readonly commits: readonly Commit[]
  /** Sequence of the last commit before the command. */
  readonly headBefore: number
  /** Engine time before the command, epoch ms. */
  readonly nowBefore: number
}

/** The end of a run. */
export interface RunObservation {
  readonly bus: Bus
  readonly model: Model
  readonly shadow: Folded
  /** The whole log. */
  readonly commits: readonly Commit[]
}

/** What a law looks at. Each returns what is wrong, or null. One watch serves one run and may remember. */
export interface Watch {
  beforeEvent?(observation: EventObservation): string | null
  afterEvent?(observation: EventObservation): string | null
  /** The observation of the last event stands for the whole commit; not called for commits without events. */
  afterCommit?(observation: EventObservation): string | null
  afterCommand?(observation: CommandObservation): string | null
  atEnd?(observation: RunObservation): string | null
}

/** Something that always holds of an engine, and how to watch for the day it does not. */
export interface Law {
  readonly name: string
  /** What always holds, with the rules that say so. */
  readonly statement: string
  watch(): Watch
}

/** A law does not hold. */
export class LawBroken extends Error {
  override readonly name = 'LawBroken'
  readonly law: string

  constructor(law: string, found: string) {
    super(`${law}: ${found}`)
    this.law = law
  }
}
