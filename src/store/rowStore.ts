/**
 * Where a store keeps history as rows that others query: written after their commits, with how far the log is in them.
 * Whoever keeps them knows the names of tables and columns, and nothing of what they mean.
 */

/** The tables of a venue's history. */
export const HISTORY_TABLES = ['orders', 'positions', 'position_events'] as const

/** Values by column: decimals and instants as text. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

/** Rows by table. Each is written once and never changes. */
export type Rows = { readonly [Table in (typeof HISTORY_TABLES)[number]]: readonly Row[] }

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
}
