/**
 * Every sequence of a scene's moves, breadth first: what is found is found with the fewest commands. Each state is
 * expanded once, however many sequences lead to it.
 */

import type { World } from '../../src/domain/state/world.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import type { CommandOptions } from '../../src/engine/commandOptions.ts'
import { Folded, type TriggersFactory } from '../../src/engine/fold.ts'
import type { Genesis } from '../../src/engine/genesis.ts'
import type { Command } from '../../src/events/command.ts'
import { type Model, SimpleTriggers, type Witness } from '../../src/testing/index.ts'
import { bookkeepingFault } from './bookkeeping.ts'
import { fingerprint } from './fingerprint.ts'
import { Broken, playWhole, type Step } from './path.ts'
import { exact, type Live, live, restore, type State, save } from './state.ts'
import { modelOf } from './stateModel.ts'
import { StateSet } from './stateSet.ts'
import { checkStep, type Given } from './stepLaws.ts'

/** A command as the state at hand makes it; null where there is nothing it could be about. */
export type Move = (world: World) => Step | null

export interface Scene {
  readonly genesis: Genesis
  readonly moves: readonly Move[]
}

const FAST: TriggersFactory = (world) => new LevelTriggers(world)
const SIMPLE: TriggersFactory = (world) => new SimpleTriggers(world)

export class Search {
  readonly #scene: Scene
  readonly #witness: Witness
  readonly #states = new StateSet()
  /** From the root to the state expanded last. */
  readonly #path: { readonly place: number; readonly state: State }[] = []
  /** Where each depth ends among the states; the last may be incomplete. */
  readonly #ends: number[] = []
  /** Commands given, each once in each state. */
  steps = 0
  rejections = 0
  /** Paths that were played whole, on an engine of their own. */
  replays = 0
  /** Whether there was nothing left to try. */
  exhausted = false

  constructor(scene: Scene, witness: Witness) {
    this.#scene = scene
    this.#witness = witness
    const { folded, engine } = live(new Folded(FAST), FAST)
    begin(engine, scene.genesis)
    this.#path.push({ place: 0, state: save(folded) })
    this.#states.add(fingerprint(folded), 0, 0)
  }

  get size(): number {
    return this.#states.size
  }

  /** How many commands it takes at least to get to a state, and how many states there are of each such number. */
  get perDepth(): number[] {
    const ends = this.#ends.at(-1) === this.size ? this.#ends : [...this.#ends, this.size]
    return ends.map((end, depth) => end - (ends[depth - 1] ?? 0))
  }

  /** Every sequence of so many commands has been tried. */
  get depth(): number {
    return this.#ends.length - (this.exhausted ? 0 : 1)
  }

  /**
   * Goes on until so many states are known, or none is left to expand. One path in `everyReplay` is played whole; then
   * `tell` is called with the states known.
   *
   * @throws Broken
   */
  async run(limit: number, everyReplay: number, tell: (known: number) => Promise<void>): Promise<void> {
    for (let place = 0; place < this.size; place++) {
      if (place === (this.#ends.at(-1) ?? 0)) this.#ends.push(this.size)
      this.#expand(place)
      if (place % everyReplay === 0) {
        await this.#playWhole(place)
        await tell(this.size)
      }
      if (this.size >= limit) return
    }
    this.exhausted = true
  }

  /** Tries every move on a state. What is refused leaves the engine as it was, so that the next move can follow it. */
  #expand(place: number): void {
    const state = this.#stateOf(place)
    /** The state as text, once something was refused. */
    let unchanged: string | null = null
    let fresh: { readonly live: Live; readonly model: Model } | null = null
    for (const [number, move] of this.#scene.moves.entries()) {
      fresh ??= { live: restore(state, FAST), model: modelOf(state) }
      const step = move(fresh.live.folded.world)
      if (step === null) continue
      this.steps += 1
      try {
        const given = dispatch(fresh.live, step)
        checkStep(fresh.model, fresh.live, given, this.#witness)
        if (fresh.live.commits.length === 0) {
          if (!given.outcome.ok) this.rejections += 1
          unchanged ??= exact(restore(state, FAST).folded)
          if (exact(fresh.live.folded) !== unchanged)
            throw new Error('a command without a commit changed the state')
          continue
        }
        const fault = bookkeepingFault(fresh.live.folded.world)
        if (fault !== null) throw new Error(fault)
        const reached = fingerprint(fresh.live.folded)
        this.#states.add(reached, place, number)
        if (step.command.type === 'updatePrice' || step.command.type === 'editOrder')
          this.#compareTriggers(place, state, step, reached)
      } catch (cause) {
        throw new Broken(this.#scene.genesis, [...this.#stepsTo(place), step], cause)
      }
      fresh = null
    }
  }

  /** The engine's triggers, as the last move but one has left them, against the obviously right ones. */
  #compareTriggers(place: number, state: State, step: Step, reached: string): void {
    const simple = restore(state, SIMPLE)
    dispatch(simple, step)
    if (fingerprint(simple.folded) !== reached) throw new Error('the simple triggers come to another state')
    if (place === 0) return
    const used = restore(this.#stateOf(this.#states.parentOf(place)), FAST)
    dispatch(used, this.#moveTo(place)(used.folded.world) as Step)
    dispatch(used, step)
    if (fingerprint(used.folded) !== reached) throw new Error('triggers in use come to another state')
  }

  /** Goes back to the last ancestor that is at hand, and on from there: neighbours share most of theirs. */
  #stateOf(place: number): State {
    const path = this.#path
    const ancestors = this.#ancestors(place)
    let known = 0
    while (known < path.length && known < ancestors.length && path[known]?.place === ancestors[known])
      known += 1
    if (known < ancestors.length) path.length = known
    for (const next of ancestors.slice(known)) {
      const from = restore(path[path.length - 1]?.state as State, FAST)
      dispatch(from, this.#moveTo(next)(from.folded.world) as Step)
      path.push({ place: next, state: save(from.folded) })
    }
    return path[ancestors.length - 1]?.state as State
  }

  /** From the root to the place itself. */
  #ancestors(place: number): number[] {
    const ancestors = [place]
    for (let at = place; at !== 0; ) {
      at = this.#states.parentOf(at)
      ancestors.push(at)
    }
    return ancestors.reverse()
  }

  #moveTo(place: number): Move {
    return this.#scene.moves[this.#states.moveOf(place)] as Move
  }

  #stepsTo(place: number): Step[] {
    const steps: Step[] = []
    let state = this.#path[0]?.state as State
    for (const next of this.#ancestors(place).slice(1)) {
      const from = restore(state, FAST)
      const step = this.#moveTo(next)(from.folded.world) as Step
      steps.push(step)
      dispatch(from, step)
      state = save(from.folded)
    }
    return steps
  }

  async #playWhole(place: number): Promise<void> {
    this.replays += 1
    const steps = this.#stepsTo(place)
    try {
      await playWhole(this.#scene.genesis, steps, restore(this.#stateOf(place), FAST).folded)
    } catch (cause) {
      throw new Broken(this.#scene.genesis, steps, cause)
    }
  }
}

function dispatch(on: Live, { command, options = {} }: Step): Given {
  return { command, options, outcome: on.engine.dispatch(command, options) }
}

function begin(engine: Live['engine'], { seed = '', at = 0, markets = [], accounts = [] }: Genesis): void {
  const commands: Command[] = [
    { type: 'createEngine', seed, dayBoundary: 'venue' },
    ...markets.map((market): Command => ({ type: 'configureMarket', market })),
    ...accounts.map((account): Command => ({ type: 'openAccount', account })),
  ]
  const options: CommandOptions = { at }
  for (const command of commands) engine.dispatch(command, options)
}
