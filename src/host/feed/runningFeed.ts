/** A feed that runs, and what it does with a price. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../clock.ts'

export interface RunningFeed {
  stop(): void
}

/** A tick; the engine's rejection of one is the operator's to see in the metrics, not a reason to stop. */
export function tick(engine: Engine, clock: Clock, marketId: string, indexPrice: bigint): void {
  engine.dispatch({ type: 'updatePrice', marketId, indexPrice }, { at: clock.now() })
}
