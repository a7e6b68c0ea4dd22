/** The journal of a live run: what the strategy was told, a line of JSON each, amounts and prices as decimals. */
import { formatDecimal } from '../../quantity/decimal.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import type { Bar } from '../strategy/strategy.ts'
import type { StrategyEvent } from '../strategy/strategyEvent.ts'

/** Something that a live run tells; times are the venue's, epoch ms. */
export type JournalEntry =
  | { readonly type: 'price'; readonly at: number; readonly asset: string; readonly price: Price }
  | { readonly type: 'bar'; readonly at: number; readonly bar: Bar }
  | {
      readonly type: 'event'
      readonly at: number
      readonly event: StrategyEvent
      /** Of the account, as far as it was told by then. */
      readonly equity: Quote
    }

/** An entry as a line. */
export function journalLine({ at, ...entry }: JournalEntry): string {
  const readable = (_field: string, value: unknown) =>
    typeof value === 'bigint' ? formatDecimal(value) : value
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...entry }, readable)}\n`
}
