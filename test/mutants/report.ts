// What became of the mistakes, by folder.

import { folderOf } from './draw.ts'
import type { Verdict } from './judge.ts'

export function lineOf({ mistake, result, by, seconds }: Verdict): string {
  const place = `${mistake.file}:${mistake.line}`
  return `${result.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s  ${place}  ${mistake.kind}${by === '' ? '' : `  (${by})`}`
}

const NOTICED: readonly Verdict['result'][] = ['noticed', 'out of bounds']
const COLUMNS = [
  'noticed',
  'out of bounds',
  'SURVIVED',
  'NOT COVERED',
  'explained',
  'does not compile',
] as const

/** The score is what was noticed of what should be: neither explained nor refused by the compiler. */
export function table(verdicts: readonly Verdict[]): string {
  const folders = [...new Set(verdicts.map(({ mistake }) => folderOf(mistake.file)))].sort()
  const row = (name: string, among: readonly Verdict[]) => {
    const counts = COLUMNS.map((column) => among.filter(({ result }) => result === column).length)
    return [name, ...counts.map(String), score(among)]
  }
  const rows = [
    ['folder', ...COLUMNS.map((column) => column.toLowerCase()), 'score'],
    ...folders.map((folder) =>
      row(
        folder,
        verdicts.filter(({ mistake }) => folderOf(mistake.file) === folder),
      ),
    ),
    row('all', verdicts),
  ]
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? []
  return rows
    .map((cells) =>
      cells
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n')
}

function score(among: readonly Verdict[]): string {
  const judged = among.filter(({ result }) => result !== 'explained' && result !== 'does not compile')
  const noticed = judged.filter(({ result }) => NOTICED.includes(result))
  return judged.length === 0 ? '-' : `${((100 * noticed.length) / judged.length).toFixed(1)}%`
}
