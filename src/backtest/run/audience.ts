/**
 * The strategies of a run as they are told what happens: one after the other, in the order of the traders. What their
 * reactions cause is told as well, before anything else happens.
 */
import type { Accepted } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import { KeptModelError } from '../learned/keptModel.ts'
import { LearningFailure } from '../learned/learningFailure.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import type { HeardBars } from '../strategy/heardBars.ts'
import type { Bar, MaybePromise, Tick } from '../strategy/strategy.ts'
import type { Participant } from './participant.ts'
import { type Hook, StrategyFailure } from './strategyFailure.ts'

const NOBODY: readonly Participant[] = []

export class Audience {
  readonly #participants: readonly Participant[]
  readonly #byAccount: ReadonlyMap<string, Participant>
  readonly #recorder: RunRecorder | null
  readonly #bars: HeardBars
  readonly hearsTicks: boolean
  readonly hearsBars: boolean
  /** Bars that were told, those of a warm-up among them. */
  barsTold = 0
  /** What has happened and is not told. */
  readonly #news: Commit[] = []
  /** Which hook is being called, and whose; null while none is. */
  #hook: Hook | null = null
  #hearer: Participant | null = null

  /** `bars` is added to before anybody is told of a bar. */
  constructor(participants: readonly Participant[], recorder: RunRecorder | null, bars: HeardBars) {
    this.#participants = participants
    this.#byAccount = new Map(participants.map((participant) => [participant.accountId, participant]))
    this.#recorder = recorder
    this.#bars = bars
    this.hearsTicks = participants.some(({ strategy }) => strategy.onTick !== undefined)
    this.hearsBars = participants.some(({ strategy }) => strategy.onBar !== undefined)
  }

  /** Whether something has happened that is not told: then {@link tellNews} is to be called. */
  get hasNews(): boolean {
    return this.#news.length > 0
  }

  /** A command that the engine accepted, at the engine's time. */
  accepted(command: Command, { events, seq }: Accepted<unknown>, at: number): void {
    if (events.length > 0) this.#news.push({ seq, at, command, events })
  }

  async start(): Promise<void> {
    for (const trader of this.#participants) {
      this.#begin('onStart', trader)
      await this.#heard(trader.strategy.onStart?.(trader.context))
    }
    await this.tellNews()
  }

  async end(): Promise<void> {
    for (const trader of this.#participants) {
      this.#begin('onEnd', trader)
      await this.#heard(trader.strategy.onEnd?.(trader.context))
    }
    await this.tellNews()
  }

  /** Tells everyone what happened to their account, including what their reactions cause. */
  async tellNews(): Promise<void> {
    for (let index = 0; index < this.#news.length; index++) {
      const commit = this.#news[index] as Commit
      const { at, events } = commit
      this.#recorder?.commit(commit)
      for (const event of events)
        for (const participant of this.#toldOf(event)) {
          participant.add(event, at)
          participant.context.heard(event)
          this.#begin('onEvent', participant)
          const told = participant.strategy.onEvent?.(event, participant.context)
          if (told instanceof Promise) await told
          this.#hook = null
        }
    }
    this.#news.length = 0
  }

  async tick(tick: Tick): Promise<void> {
    for (const trader of this.#participants) {
      this.#begin('onTick', trader)
      const told = trader.strategy.onTick?.(tick, trader.context)
      if (told instanceof Promise) await told
      this.#hook = null
      if (this.hasNews) await this.tellNews()
    }
  }

  /**
   * @param close of the bar, as a double, where that is at hand.
   * @returns what is to be awaited before anything else happens; nothing where nobody waits.
   */
  bar(bar: Bar, close?: number): Promise<void> | undefined {
    const only = this.#participants[0] as Participant
    this.#begin('onBar', only)
    const ready = this.#bars.ready(bar)
    return ready === undefined
      ? this.#tellBar(bar, close)
      : ready.then((isDone) => (isDone ? this.#tellBar(bar, close) : undefined))
  }

  /** The run is over, however it ended: no fit of a model is waited for any more. */
  leave(): void {
    for (const { context } of this.#participants) for (const learned of context.learned) learned.leave()
  }

  #tellBar(bar: Bar, close?: number): Promise<void> | undefined {
    const only = this.#participants[0] as Participant
    this.#bars.add(bar, close)
    this.barsTold += 1
    if (this.#participants.length > 1) return this.#tellAll(bar)
    const told = only.strategy.onBar?.(bar, only.context)
    if (told instanceof Promise) return this.#heard(told)
    this.#hook = null
    return undefined
  }

  /** What a strategy threw, with where it was; anything else as it is. */
  blamed(error: unknown, time: number): unknown {
    if (this.#hook === null || this.#hearer === null || error instanceof KeptModelError) return error
    const { strategy } = this.#learnerOf(error) ?? this.#hearer
    return new StrategyFailure(strategy.name, this.#hook, time, error)
  }

  /** Models are learned before anybody is told of the bar. */
  #learnerOf(error: unknown): Participant | undefined {
    if (!(error instanceof LearningFailure)) return undefined
    return this.#participants.find(({ context }) =>
      context.learned.some((learned) => learned === error.learned),
    )
  }

  async #tellAll(bar: Bar): Promise<void> {
    for (const trader of this.#participants) {
      this.#begin('onBar', trader)
      const told = trader.strategy.onBar?.(bar, trader.context)
      if (told instanceof Promise) await told
      this.#hook = null
    }
  }

  /** What happens to an account concerns its trader; a new day, everybody. */
  #toldOf(event: Event): readonly Participant[] {
    if (event.type === 'dayBegan') return this.#participants
    const participant = 'accountId' in event ? this.#byAccount.get(event.accountId) : undefined
    return participant === undefined ? NOBODY : [participant]
  }

  #begin(hook: Hook, hearer: Participant): void {
    this.#hook = hook
    this.#hearer = hearer
  }

  async #heard(told: MaybePromise<void> | undefined): Promise<void> {
    await told
    this.#hook = null
  }
}
