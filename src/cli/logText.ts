/** What a log holds as text: tables and records for people, JSON for programs. */
import { formatInstant } from '../projections/wire.ts'
import { formatDecimal } from '../quantity/decimal.ts'
import { formatFp9 } from '../quantity/fp9.ts'

/** Columns as wide as their widest cell; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] as number
        return isNumber(cell) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function isNumber(cell: string): boolean {
  return /^[+-]?[0-9][0-9.]*$/.test(cell)
}

/** A quantity as people write it; nothing for what is not there. */
export function decimal(value: bigint | null | undefined): string {
  return value == null ? '' : formatDecimal(value)
}

export function instant(at: number): string {
  return at === 0 ? '-' : formatInstant(at)
}

/** A record in a line, quantities as people write them. */
export function inLine(record: object): string {
  return Object.entries(record)
    .filter(([, value]) => value !== null && value !== undefined && value !== 0n)
    .map(([field, value]) => `${field} ${cell(value)}`)
    .join(', ')
}

function cell(value: unknown): string {
  if (typeof value === 'bigint') return formatDecimal(value)
  return typeof value === 'object' && value !== null ? `(${inLine(value)})` : String(value)
}

/** Indented JSON, quantities as fp9 strings. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) => (typeof held === 'bigint' ? formatFp9(held) : held), 2)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
