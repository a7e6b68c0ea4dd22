/**
 * Where a store keeps history as rows that others query: written after their commits, with how far the log is in them.
 * Whoever keeps them makes the tables as they are described (`terms/historyTables.ts`), and knows nothing of what they mean.
 */
import type { HistoryTableName } from '../terms/historyTables.ts'

/** Values by column: decimals and instants as text. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

/** Rows by table. Each is written once and never changes. */
export type Rows = { readonly [Table in HistoryTableName]: readonly Row[] }

/** Values by column as they are read: of a decimal its text with nine digits behind the point, of an instant epoch ms. */
export type ReadRow = Readonly<Record<string, string | number | boolean | null>>

/** Which rows are read: those with the highest `by` first. */
export interface RowQuery {
  /** The table they are in. */
  readonly table: HistoryTableName
  /** What columns are; of several texts any. */
  readonly where: Readonly<Record<string, RowValue>>
  /** What columns are not. */
  readonly whereNot?: Readonly<Record<string, string>>
  /** The column that orders them. */
  readonly by: 'sequence' | 'version'
  /** Only rows whose `by`, a count, is less. */
  readonly below?: number
  /** How many of them are passed over. */
  readonly skip?: number
  /** How many are read at most. */
  readonly limit: number
  /** Sequence of the last commit whose rows are looked at, which are all written. */
  readonly upTo: number
}

/** What a column is compared with. */
type RowValue = string | number | readonly string[]

export interface RowStore {
  /** Sequence of the last commit whose rows are all there, and none of a later one. */
  readonly cursor: number
  /**
   * Adds the rows of all commits after the cursor up to `upTo`, and moves it there: both or neither. Only rows of commits
   * that are durable may be given.
   *
   * @throws StoreConflict when the cursor is not where this session left it, or a newer session has been opened. After
   * any failure nothing more can be written by this session.
   */
  write(rows: Rows, upTo: number): Promise<void>
  /**
   * Reads rows that were written, however many sessions ago. Default: they are written for others alone, and whoever opens the
   * store keeps the lists in memory.
   *
   * @throws RowsUnreadable where they cannot be read now; RowsLost where the tables do not reach to `upTo`: only another session
   * writes the rest anew.
   */
  read?(query: RowQuery): Promise<readonly ReadRow[]>
}

/** Where rows can be read. */
export type ReadableRows = RowStore & Required<Pick<RowStore, 'read'>>

export function isReadable(rows: RowStore): rows is ReadableRows {
  return rows.read !== undefined
}

/** Rows could not be read: nothing is said of what they are. */
export class RowsUnreadable extends Error {
  override readonly name = 'RowsUnreadable'

  constructor(cause: unknown) {
    super('the history tables cannot be read now', { cause })
  }
}

/** Rows of this session are there no more: they were written, and the database that had them has crashed since. */
export class RowsLost extends RowsUnreadable {}
