/** The log is the whole truth: folding it again gives the state, the reads and the hash (I17, invariant 14). */
import type { Reader } from '../../projections/reader.ts'
import type { Law } from '../law.ts'
import type { Model } from '../model.ts'
import { text } from './commands.ts'
import { same } from './same.ts'

export const theLogIsTheTruth: Law = {
  name: 'the log is the truth',
  statement:
    'Whatever deciding emits, folding accepts: the log folded into an empty state has the same hash and answers every read the same (I17, invariant 14).',
  watch: () => ({
    atEnd({ bus, shadow, model }) {
      if (bus.stateHash() !== shadow.stateHash()) return 'the hash of the fold is another'
      const [live, folded] = [readings(bus.read, model), readings(shadow.read, model)]
      for (let at = 0; at < live.length; at++)
        if (!same(live[at], folded[at])) return `reads differ: ${text(live[at])} — ${text(folded[at])}`
      return null
    },
  }),
}

/** Everything there is to read, part by part. */
function readings(read: Reader, model: Model): unknown[] {
  const all = { limit: 100, offset: 0 }
  const found: unknown[] = [read.markets(), read.accounts(), read.ledger()]
  for (const account of model.accounts.keys()) {
    found.push(read.activeOrders(account), read.activePositions(account))
    found.push(read.portfolio(account, all))
    for (const market of model.markets.keys())
      found.push(read.orderHistory(account, market, all), read.positionHistory(account, market, all))
  }
  for (const position of model.positions.keys()) found.push(read.positionEvents(position) ?? null)
  return found
}
