/** Fills of an account by the position they belong to, with all that each settled: of a journal and of a backtest alike. */
import type { PositionRecord } from '../../domain/state/position.ts'
import type { Event } from '../../events/event.ts'
import type { Base, Quote } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'
import { type Fill, FillRecorder } from '../recording/fills.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'

/** A fill, and what it changed. */
export interface LoggedFill extends Fill {
  readonly isEntry: boolean
  /** What the position had before and after it. */
  readonly heldBefore: Base
  readonly held: Base
  /** What its pnl was adjusted by, below zero where the 60-second rule took from it. */
  readonly adjusted: Quote
  /** Received since the fill before, or paid where below zero; of the last fill of an open position also what came after it. */
  funding: Quote
  /** The step of the journal that it came with. */
  readonly step: number
}

export interface LoggedPosition {
  readonly id: string
  readonly marketId: string
  readonly side: Direction
  readonly fills: LoggedFill[]
  /** What it had when the journal began; null where it was opened after. */
  readonly carried: Base | null
  held: Base
  /** Funding that no fill has had yet. */
  funding: Quote
}

export class FillLog {
  readonly #recorder = new FillRecorder()
  readonly #byId = new Map<string, LoggedPosition>()
  /** In the order of opening. */
  readonly positions: LoggedPosition[] = []
  /** What an order came from: the entry it is attached to, or the order it took the place of. */
  readonly #parents = new Map<string, string>()
  /** When each order was placed. */
  readonly #placedAt = new Map<string, number>()

  /** A position from before the first event. */
  carry({ id, marketId, direction, size }: PositionRecord): void {
    this.#begin({ id, marketId, side: direction, fills: [], carried: size, held: size, funding: 0n })
  }

  /** An order was asked for at a step, which its events may only come after. */
  asked(orderId: string, step: number): void {
    if (!this.#placedAt.has(orderId)) this.#placedAt.set(orderId, step)
  }

  /** Call with every event of the account; `part` placed the order. */
  add(event: Event | ToldOrderEvent, seq: number, at: number, step: number, part?: string): void {
    if (event.type === 'orderPlaced') {
      this.asked(event.orderId, step)
      if (event.parentOrderId !== null) this.#parents.set(event.orderId, event.parentOrderId)
    } else if (event.type === 'orderReplaced') this.#parents.set(event.replacementId, event.orderId)
    const before = this.#recorder.fills.length
    this.#recorder.add(event, { seq, at }, () => part)
    const fill = this.#recorder.fills[before]
    if (fill !== undefined) this.#fill(event, fill, step)
    if (event.type !== 'payFunding') return
    const position = this.#byId.get(event.positionId)
    if (position !== undefined) position.funding += event.amount
  }

  /** What has come after the last fill of a position counts with it. */
  end(): void {
    for (const position of this.positions) {
      const last = position.fills.at(-1)
      if (last === undefined) continue
      last.funding += position.funding
      position.funding = 0n
    }
  }

  /** The order that something began with: the entry of an attached stop, the first of those that were edited. */
  rootOf(orderId: string): string {
    let root = orderId
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root))
      root = parent
    return root
  }

  /** The step at which the root of an order was placed; null where nobody was told. */
  placedAt(orderId: string): number | null {
    return this.#placedAt.get(this.rootOf(orderId)) ?? null
  }

  #begin(position: LoggedPosition): LoggedPosition {
    this.#byId.set(position.id, position)
    this.positions.push(position)
    return position
  }

  /** A close of a position that nobody knew to be open counts nowhere, as in the account's own reckoning. */
  #fill(event: Event | ToldOrderEvent, fill: Fill, step: number): void {
    const { positionId: id, marketId, side, action } = fill
    const isEntry = action === 'open' || action === 'increase'
    const position =
      this.#byId.get(id) ??
      (action === 'open'
        ? this.#begin({ id, marketId, side, fills: [], carried: null, held: 0n, funding: 0n })
        : undefined)
    if (position === undefined) return
    const heldBefore = position.held
    position.held += isEntry ? fill.size : -fill.size
    const adjusted = 'rawPnl' in event ? event.pnl - event.rawPnl : 0n
    const { held, funding } = position
    position.fills.push({ ...fill, isEntry, heldBefore, held, adjusted, funding, step })
    position.funding = 0n
  }
}
