/** Every event of a run as a line of JSON, with what it moved in the ledger (C11). Prices are left out. */
import { postingOf } from '../../domain/evolve/ledger.ts'
import type { Commit } from '../../events/commit.ts'
import { formatInstant } from '../../projections/wire.ts'
import { toJson } from '../../quantity/json.ts'

export function* eventLines(commits: readonly Commit[]): Generator<string> {
  for (const { seq, at, command, events } of commits)
    for (const event of events) {
      if (event.type === 'priceUpdated') continue
      const ledger = toJson(postingOf(event))
      yield `${JSON.stringify({ seq, at: formatInstant(at), command: command.type, event: toJson(event), ledger })}\n`
    }
}
