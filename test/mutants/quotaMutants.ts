// Mistakes about what each shard may have of a market’s open notional.

import type { Mutant } from './mutant.ts'

const KEEPER = ['cluster/quotaKeeper.test.ts']
const QUOTAS = ['cluster/quotas.test.ts']
const ONE_VENUE = ['cluster/oneVenue.test.ts']

export const QUOTA_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a line of quotas whose turn came twice is changed by who saw the other',
    file: 'src/cluster/postgresQuotaLedger.ts',
    edits: [['AND shares = $7::jsonb AND', 'AND $7::jsonb IS NOT NULL AND']],
    tests: ['cluster/membership.test.ts'],
  },
  {
    breaks: 'a quota is free for others before the smaller one of the giver is durable',
    file: 'src/cluster/lineShare.ts',
    edits: [
      ['    await book.set(this.#name, quota)\n    for (', '    void book.set(this.#name, quota)\n    for ('],
    ],
    tests: QUOTAS,
  },
  {
    breaks: 'what was closed is free for others before that is durable',
    file: 'src/cluster/lineShare.ts',
    edits: [['        await book.set(this.#name, quota)\n        const seen', '        const seen']],
    tests: QUOTAS,
  },
  {
    breaks: 'a quota that was claimed under another maximum is taken all the same',
    file: 'src/cluster/lineShare.ts',
    edits: [
      [
        'continue\n        this.#isOver = amount > taken\n        this.#settledAt',
        '{}\n        this.#isOver = amount > taken\n        this.#settledAt',
      ],
      [
        'continue\n        this.#isOver = amount > taken\n        await',
        '{}\n        this.#isOver = amount > taken\n        await',
      ],
    ],
    tests: KEEPER,
  },
  {
    breaks: 'a shard takes of a maximum that others have not heard of',
    file: 'src/cluster/lineShare.ts',
    edits: [['known === null || known > maximum', 'known === null']],
    tests: QUOTAS,
  },
  {
    breaks: 'a shard keeps a quota under a smaller maximum without a look at what others have',
    file: 'src/cluster/lineShare.ts',
    edits: [['least(quota, greatest(this.#free(seen, maximum), 0n))', 'least(quota, maximum)']],
    tests: QUOTAS,
  },
  {
    breaks: 'what does not fit a smaller maximum is free before the log has less',
    file: 'src/cluster/lineShare.ts',
    edits: [
      [
        '      await book.set(this.#name, kept)\n      const amount',
        '      void book.set(this.#name, kept)\n      const amount',
      ],
    ],
    tests: QUOTAS,
  },
  {
    breaks: 'a smaller maximum that others have heard of is undone before the log of the first shard has it',
    file: 'src/cluster/lineShare.ts',
    edits: [['standing === null || this.#awaitsSmaller(standing)', 'standing === null']],
    tests: KEEPER,
  },
  {
    breaks: 'a smaller maximum that was announced and never came holds for good',
    file: 'src/cluster/lineShare.ts',
    edits: [['this.#announced.until = this.#terms.clock.monotonic() + ANNOUNCED_MS', 'return']],
    tests: KEEPER,
  },
  {
    breaks: 'a smaller maximum withdraws quotas that fit it',
    file: 'src/host/cluster/shardQuotas.ts',
    edits: [['      this.#keep(wanted.id, kept, { long, short })\n', '']],
    tests: ONE_VENUE,
  },
  {
    breaks: 'a quota bounds nothing (C5)',
    file: 'src/domain/formulas/openNotional.ts',
    edits: [['return quota[direction] < maximum ? quota[direction] : maximum', 'return maximum']],
    tests: ['unit/domain/commands/setNotionalQuota.test.ts'],
  },
  {
    breaks: 'quotas outlive the maximum that they were a part of (C5)',
    file: 'src/domain/commands/configureMarket.ts',
    edits: [['was !== null && was <= maximum', 'was !== null']],
    tests: ['unit/domain/commands/setNotionalQuota.test.ts'],
  },
]
