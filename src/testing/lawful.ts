/** A bus that checks the laws on everything that goes through it. */

import type { CommandOptions } from '../engine/commandOptions.ts'
import { Folded } from '../engine/fold.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { Command } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import {
  type Bus,
  type CommandObservation,
  type EventObservation,
  type Law,
  LawBroken,
  type RunObservation,
  type Watch,
} from './law.ts'
import { LAWS } from './laws/index.ts'
import { Model } from './model.ts'
import { SimpleTriggers } from './simpleTriggers.ts'

/** Is told of what a run does, beside the laws: to count what was reached. */
export interface Witness {
  beforeEvent?(observation: EventObservation): void
  afterCommand?(observation: CommandObservation): void
}

/** Which laws watch, and who else. */
export interface LawfulOptions {
  readonly laws?: readonly Law[]
  readonly witness?: Witness
}

/**
 * Wraps a bus. `history` is the log so far, oldest first: the whole of it for a bus that has already been used.
 *
 * ```ts
 * const fresh = createEngine(venue())
 * const history = []
 * for await (const commit of fresh.commits({ from: 1 })) history.push(commit)
 * const watched = lawful(fresh, history)
 * watched.dispatch({ type: 'advanceTime' }, { at: fresh.now + 1_000 })
 * watched.end() // throws LawBroken where a law does not hold
 * ```
 *
 * @throws LawBroken from `dispatch` and `end`, naming the law and what was found.
 */
export function lawful(bus: Bus, history: readonly Commit[], options: LawfulOptions = {}): LawfulBus {
  return new LawfulBus(bus, history, options)
}

/**
 * An engine that is watched: every command is dispatched to it, and every law looks at what came of it.
 *
 * @throws LawBroken when it is made, from `dispatch` and from `end`, naming the law and what was found.
 */
export class LawfulBus {
  readonly model = new Model()
  /** The whole log. */
  readonly commits: Commit[] = []
  #folded = 0
  readonly #bus: Bus
  readonly #watches: Watches
  readonly #witness: Witness
  readonly #shadow = new Folded((world) => new SimpleTriggers(world))

  constructor(bus: Bus, history: readonly Commit[], { laws = LAWS, witness = {} }: LawfulOptions) {
    this.#bus = bus
    this.#witness = witness
    this.#watches = watchesOf(laws)
    for (const commit of history) {
      this.commits.push(commit)
      this.#catchUp()
    }
    bus.subscribe((commit) => this.commits.push(commit))
  }

  get bus(): Bus {
    return this.#bus
  }

  /** Dispatches, then checks every law on what happened. */
  dispatch<C extends Command>(command: C, options: CommandOptions = {}): Outcome<C> {
    this.#catchUp()
    const [headBefore, nowBefore] = [this.#bus.head, this.#bus.now]
    const outcome = this.#bus.dispatch(command, options)
    const commits = this.#catchUp()
    const { model } = this
    const observation: CommandObservation = {
      bus: this.#bus,
      model,
      shadow: this.#shadow,
      command,
      options,
      outcome,
      commits,
      headBefore,
      nowBefore,
    }
    this.#check('afterCommand', observation)
    this.#witness.afterCommand?.(observation)
    return outcome
  }

  /** Checks what is only worth checking at the end of a run. */
  end(): void {
    this.#catchUp()
    const observation: RunObservation = {
      bus: this.#bus,
      model: this.model,
      shadow: this.#shadow,
      commits: this.commits,
    }
    this.#check('atEnd', observation)
  }

  /** Folds the commits that have arrived, whoever dispatched them, and returns them. */
  #catchUp(): Commit[] {
    const arrived = this.commits.slice(this.#folded)
    for (const commit of arrived) {
      this.#folded += 1
      this.#fold(commit)
    }
    return arrived
  }

  #fold(commit: Commit): void {
    const { model } = this
    for (const event of commit.events) this.#foldEvent(commit, event)
    model.seq = commit.seq
    model.now = commit.at
    const event = commit.events.at(-1)
    const observation = event && { model, commit, event, at: commit.at }
    if (observation !== undefined) this.#check('afterCommit', observation)
    this.#shadow.fold(commit)
  }

  #foldEvent(commit: Commit, event: Event): void {
    const observation: EventObservation = { model: this.model, commit, event, at: commit.at }
    this.#check('beforeEvent', observation)
    this.#witness.beforeEvent?.(observation)
    this.model.fold(event, commit.at)
    this.#check('afterEvent', observation)
  }

  #check<M extends Moment>(moment: M, observation: Parameters<Look<M>>[0]): void {
    for (const { law, look } of this.#watches[moment]) {
      const found = look(observation)
      if (found !== null) throw new LawBroken(law.name, found)
    }
  }
}

type Moment = keyof Watch
type Look<M extends Moment> = (observation: Parameters<NonNullable<Watch[M]>>[0]) => string | null
/** Who looks at each moment: most laws look at one or two of them. */
type Watches = { readonly [M in Moment]: readonly { readonly law: Law; readonly look: Look<M> }[] }

function watchesOf(laws: readonly Law[]): Watches {
  const watching = laws.map((law) => ({ law, watch: law.watch() }))
  const at = <M extends Moment>(moment: M) =>
    watching.flatMap(({ law, watch }) => {
      const look = watch[moment]?.bind(watch) as Look<M> | undefined
      return look === undefined ? [] : [{ law, look }]
    })
  return {
    beforeEvent: at('beforeEvent'),
    afterEvent: at('afterEvent'),
    afterCommit: at('afterCommit'),
    afterCommand: at('afterCommand'),
    atEnd: at('atEnd'),
  }
}
