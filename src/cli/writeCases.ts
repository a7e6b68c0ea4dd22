/** What a study found of each case as a line of a table: everything that its JSON says of it, a column for each figure. */
import { writeFile } from 'node:fs/promises'

export async function writeCases(file: string, cases: readonly object[]): Promise<void> {
  await writeFile(file, await casesText(cases))
  process.stderr.write(`table: ${file}\n`)
}

export async function casesText(cases: readonly object[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const rows = cases.map((one) => Object.fromEntries(cellsOf(one, '')))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return stringify(rows, { header: true, columns })
}

/** `failedBy.dailyLoss.share`: the way to a figure is its name; what is listed is counted from 1, quantiles by their probability. */
function cellsOf(value: unknown, name: string): [name: string, cell: unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]]
  const parts = Array.isArray(value)
    ? value.map((item, index) => [quantileName(item) ?? String(index + 1), item] as const)
    : Object.entries(value).filter(([part]) => part !== 'probability')
  return parts.flatMap(([part, item]) => cellsOf(item, name === '' ? part : `${name}.${part}`))
}

function quantileName(item: unknown): string | null {
  return typeof item === 'object' && item !== null && 'probability' in item
    ? `${Math.round(Number(item.probability) * 100)}%`
    : null
}
