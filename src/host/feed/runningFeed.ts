/** A feed that runs, and what it does with a price. */
import type { Engine } from '../../engine/engine.ts'
import type { Clock } from '../clock.ts'
import type { DueInstants } from '../dueInstants.ts'
import type { Metrics } from '../metrics.ts'
import { unattended } from '../unattended.ts'
import type { SourceStanding } from './sourceStanding.ts'

/** What a feed moves the prices of. */
export interface FedVenue {
  readonly engine: Engine
  readonly clock: Clock
  readonly due: Pick<DueInstants, 'before'>
  /** Counts the prices that are refused. */
  readonly metrics: Pick<Metrics, 'feedRefused'>
  /** Is told every price of the feed; default: nobody. */
  readonly onPrice?: (marketId: string, indexPrice: bigint) => void
  /** Is told of a market that is left without a price; default: nobody. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

export interface RunningFeed {
  /** What its sources say of the markets, where it has any. */
  readonly standings?: () => readonly SourceStanding[]
  stop(): void
}

/** A tick; the engine's rejection of one is the operator's to see in the metrics, not a reason to stop. */
export function tick(
  { engine, clock, due, metrics, onPrice }: FedVenue,
  marketId: string,
  indexPrice: bigint,
): void {
  onPrice?.(marketId, indexPrice)
  const move = () => {
    const outcome = engine.dispatch({ type: 'updatePrice', marketId, indexPrice }, { at: clock.now() })
    if (!outcome.ok) metrics.feedRefused(outcome.error.code)
  }
  const now = due.before()
  if (typeof now === 'number') move()
  else void now.then(unattended(engine, move))
}
