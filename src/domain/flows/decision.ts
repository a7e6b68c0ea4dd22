/**
 * One command being decided: the world as it is after the events so far, and the place where further events go. An
 * event is applied as it is emitted, because the next decision of the same command depends on it. Validation comes
 * before the first emission; what is refused therefore leaves no trace. One decision serves one command after the other.
 */

import { Worklist } from '../../collections/worklist.ts'
import type { Event } from '../../events/event.ts'
import type { PayFunding } from '../../events/positionEvents.ts'
import { apply } from '../evolve/apply.ts'
import { applyFunding } from '../evolve/applyFunding.ts'
import { moveClock } from '../evolve/clock.ts'
import type { Account } from '../state/account.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'

export class Decision {
  readonly world: World
  /** Positions this command changed and left open: their liquidation price moved (B6). One may be listed twice. */
  readonly changed = new Worklist<Position>()
  /**
   * Accounts whose equity this command moved: their risk is checked at its end (J5). Resting orders move none (J28). One
   * may be listed twice.
   */
  readonly touched = new Worklist<Account>()
  readonly #events = new Worklist<Event>()
  #at = 0
  #ids = 0

  constructor(world: World) {
    this.world = world
  }

  /**
   * Begins with a command at time `at`, epoch ms; whatever the one before has left is forgotten. `firstId`: index of the
   * first id, where several commands share a sequence.
   */
  begin(at: number, firstId = 0): void {
    this.#at = at
    this.#ids = firstId
    this.world.positions.settle()
    this.changed.clear()
    this.touched.clear()
    this.#events.clear()
  }

  /** Time of the command, epoch ms. */
  get at(): number {
    return this.#at
  }

  /** Whether nothing has happened so far. */
  get isSilent(): boolean {
    return this.#events.isEmpty
  }

  /** What has happened so far. */
  events(): Event[] {
    return this.#events.toArray()
  }

  /** The next id of the commit this command will make (A4). */
  newId(): string {
    return this.world.ids.id(this.world.seq + 1, this.#ids++)
  }

  /**
   * As `emit` of the events of a funding instant, one for each of some rows of positions, but that none of these is
   * {@link changed}: that is for whoever settles to say.
   */
  emitFunding(rows: readonly number[], events: readonly PayFunding[]): void {
    if (events.length === 0) return
    if (this.#events.isEmpty) moveClock(this.world, this.#at)
    for (const event of events) this.#events.add(event)
    applyFunding(this.world, rows, events, this.#at, (account) => this.touched.add(account))
  }

  emit(event: Event): void {
    if (this.#events.isEmpty) moveClock(this.world, this.#at)
    this.#events.add(event)
    const position = apply(this.world, event, this.#at)
    if (position === null) return
    this.touched.add(this.world.accounts.known(position.accountId))
    if (position.status === 'opened') this.changed.add(position)
  }
}
