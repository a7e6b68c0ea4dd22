// Mistakes about history that is kept in tables and read by pages.

import type { Mutant } from './mutant.ts'

export const PAGED_HISTORY_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a database that was set back is given rows of commits that it has not',
    file: 'src/store/postgres/historyTables.ts',
    edits: [['WHERE shard = $1 AND head >= $4', 'WHERE shard = $1']],
    tests: ['postgres/history.test.ts'],
  },
  {
    breaks: 'the cursor of the history tables moves outside the transaction of the rows',
    file: 'src/store/postgres/historyTables.ts',
    edits: [['const moved = await client.query(', 'const moved = await this.#pool.query(']],
    tests: ['postgres/history.test.ts'],
  },
  {
    breaks: 'a former owner writes to the history tables',
    file: 'src/store/postgres/historyTables.ts',
    edits: [['AND seq = $2 AND epoch = $3\n', 'AND seq >= 0 * $2::bigint AND $3::bigint > 0\n']],
    tests: ['postgres/history.test.ts'],
  },
  {
    breaks: 'rows that a crash of the database took are read as if they had never been',
    file: 'src/store/postgres/rowReading.ts',
    edits: [['if (written < query.upTo)', 'if (written < 0)']],
    tests: ['unit/store/postgres/tableStatements.test.ts'],
  },
  {
    breaks: 'whoever has lost rows of the history goes on with what it takes for written',
    file: 'src/history/pagedHistory.ts',
    edits: [['if (error instanceof RowsLost) this.lost(error)', '']],
    tests: ['history/pagedHistory.test.ts'],
  },
  {
    breaks: 'a row is written to the history tables before its commit is durable',
    file: 'src/history/rowQueue.ts',
    edits: [['if (commit.seq > this.#durable || size >= BATCH) break', 'if (size >= BATCH) break']],
    tests: ['history/tabledHistory.test.ts'],
  },
  {
    breaks: 'a shard that is busy keeps no snapshot, because its rows are never all written',
    file: 'src/history/rowQueue.ts',
    edits: [['while (this.cursor < upTo && ', 'while (this.cursor < Math.max(upTo, this.#durable) && ']],
    tests: ['history/tabledHistory.test.ts'],
  },
  {
    breaks: 'a page shows twice what is written between the question and its answer',
    file: 'src/history/pagedHistory.ts',
    edits: [['standing: () => ({ written: this.#written,', 'standing: () => ({ written: this.#head,']],
    tests: ['history/pagedHistory.test.ts'],
  },
  {
    breaks: 'what ended before a takeover is unknown to a decision',
    file: 'src/history/endedBefore.ts',
    edits: [['some(({ seq }) => seq <= head)', 'some(({ seq }) => seq > head)']],
    tests: ['history/pagedHistory.test.ts', 'cluster/oneVenue.test.ts'],
  },
  {
    breaks: 'a command is decided before what it asks of the past is known',
    file: 'src/host/context.ts',
    edits: [
      [
        '  for (let known = foreknown(engine, command); known !== null; known = foreknown(engine, command)) {\n',
        '  for (const known of [] as Promise<unknown>[]) {\n    void foreknown\n',
      ],
    ],
    tests: ['cluster/oneVenue.test.ts'],
  },
  {
    breaks: 'a page passes over rows as if nothing before it were still to be written',
    file: 'src/history/pagedList.ts',
    edits: [['Math.max(0, before - entries.length)', 'before']],
    tests: ['history/pagedList.test.ts'],
  },
]
