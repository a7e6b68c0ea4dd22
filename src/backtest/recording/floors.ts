/** The drawdown floors of the evaluation over time: they move with days, deposits and phases (H5, H6). */
import type { EventType } from '../../events/event.ts'
import type { RiskStatus } from '../../projections/accountRecord.ts'
import type { Quote } from '../../quantity/units.ts'

/** Floors from a time on. A rule that is off has null. */
export interface Floors {
  /** Epoch ms. */
  readonly at: number
  readonly daily: Quote | null
  readonly total: Quote | null
}

const MOVING: ReadonlySet<EventType> = new Set(['dayStarted', 'balanceAdjusted', 'accountPromoted'])

export class FloorRecorder {
  /** In the order of time; each differs from the one before. */
  readonly floors: Floors[] = []

  /** Whether an event may move a floor. */
  static moves(type: EventType): boolean {
    return MOVING.has(type)
  }

  add(at: number, { dailyLossFloor: daily, totalLossFloor: total }: RiskStatus): void {
    const last = this.floors.at(-1)
    if (last?.daily === daily && last.total === total) return
    if (last?.at === at) this.floors.pop()
    this.floors.push({ at, daily, total })
  }
}
