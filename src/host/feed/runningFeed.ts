/** A feed that runs, and what it does with a price. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../clock.ts'
import type { DueInstants } from '../dueInstants.ts'
import { unattended } from '../unattended.ts'

/** What a feed moves the prices of. */
export interface FedVenue {
  readonly engine: Engine
  readonly clock: Clock
  readonly due: DueInstants
}

export interface RunningFeed {
  stop(): void
}

/** A tick; the engine's rejection of one is the operator's to see in the metrics, not a reason to stop. */
export function tick({ engine, clock, due }: FedVenue, marketId: string, indexPrice: bigint): void {
  const move = () => {
    engine.dispatch({ type: 'updatePrice', marketId, indexPrice }, { at: clock.now() })
  }
  const now = due.before()
  if (typeof now === 'number') move()
  else void now.then(unattended(engine, move))
}
