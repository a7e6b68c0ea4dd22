/** What a playback is made of. */
import type { Engine } from '../../engine/engine.ts'
import type { RateChange } from '../feed/fundingSchedule.ts'
import type { BarPath } from '../feed/path.ts'
import type { ModelShelf } from '../learned/modelShelf.ts'
import type { RunRecorder } from '../recording/recorder.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { AtDataEnd } from './dataEnds.ts'

/** A market as a run plays it. */
export interface PlayedMarket {
  readonly id: string
  readonly asset: string
  /** Distance between bars in ms; null for ticks. */
  readonly intervalMs: number | null
  readonly rates: readonly RateChange[]
  /** Least time between two points of the curve. */
  readonly samplingMs: number
}

export interface PlaybackParts {
  readonly engine: Engine
  readonly markets: readonly PlayedMarket[]
  readonly traders: readonly {
    readonly name: string
    readonly accountId: string
    readonly strategy: Strategy
  }[]
  readonly path: BarPath
  /** By market, the openings of bars that take the other order. */
  readonly turnedBars: readonly ReadonlySet<number>[]
  readonly recorder: RunRecorder | null
  readonly models: ModelShelf | null
  /** How long the profit cap applies (D1). */
  readonly profitWindowMs: number
  readonly atDataEnd: AtDataEnd
  /** Length of the bars that strategies are told of ticks. */
  readonly tickBarMs: number
}
