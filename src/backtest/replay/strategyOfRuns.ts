/** The strategy of a journal of several runs: each begins with one that remembers nothing but whose orders and shares are whose. */
import type { Event } from '../../events/event.ts'
import type { PartLedger } from '../portfolio/partLedger.ts'
import type { Bar, MaybePromise, Strategy, StrategyContext, Tick } from '../strategy/strategy.ts'
import type { StrategyEvent } from '../strategy/strategyEvent.ts'

export class StrategyOfRuns implements Strategy {
  readonly #create: () => Strategy
  readonly #events: (readonly [event: Event, at: number])[] = []
  #strategy: Strategy

  constructor(create: () => Strategy) {
    this.#create = create
    this.#strategy = create()
  }

  /** The next run. */
  begin(): void {
    const before = this.ledger
    this.#strategy = this.#create()
    const parts = this.ledger
    if (parts === undefined) return
    for (const [event, at] of this.#events) {
      const orderId = 'orderId' in event ? event.orderId : null
      const name = orderId === null ? undefined : before?.nameOf(orderId)
      if (orderId !== null && name !== undefined) parts.restored(name, orderId)
      // Told once more as another: a ledger hears each event once.
      parts.add({ ...event }, at)
    }
  }

  /** Call with every event of the account. */
  note(event: Event, at: number): void {
    if (this.ledger !== undefined) this.#events.push([event, at])
  }

  get name(): string {
    return this.#strategy.name
  }

  /** Of a portfolio: whose is what. */
  get ledger(): PartLedger | undefined {
    return this.#strategy.parts
  }

  onStart(context: StrategyContext): MaybePromise<void> {
    return this.#strategy.onStart?.(context)
  }

  onBar(bar: Bar, context: StrategyContext): MaybePromise<void> {
    return this.#strategy.onBar?.(bar, context)
  }

  onTick(tick: Tick, context: StrategyContext): MaybePromise<void> {
    return this.#strategy.onTick?.(tick, context)
  }

  onEvent(event: StrategyEvent, context: StrategyContext): MaybePromise<void> {
    return this.#strategy.onEvent?.(event, context)
  }

  onEnd(context: StrategyContext): MaybePromise<void> {
    return this.#strategy.onEnd?.(context)
  }
}
