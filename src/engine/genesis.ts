/** How an engine begins. */
import type { AccountConfiguration, MarketConfiguration } from '../events/command.ts'

/** What a new engine starts with. */
export interface Genesis {
  /** Seeds the deterministic ids; default: a random one, recorded in the log. */
  readonly seed?: string
  /** Time of the configuration, epoch ms; default: before all time. */
  readonly at?: number
  readonly markets?: readonly MarketConfiguration[]
  readonly accounts?: readonly AccountConfiguration[]
}
