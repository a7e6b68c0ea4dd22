/** Tables on a terminal, with figures as on a page. */
import { ratio, share } from '../backtest/output/presentation.ts'

/** Columns of text, the first to the left, the others to the right. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

/** A fraction as a percentage; a dash without one. */
export function percent(value: number | null, decimals = 2): string {
  return share(value, decimals)
}

export function figure(value: number | null): string {
  return ratio(value)
}
