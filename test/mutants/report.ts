// What became of the mistakes, by folder.

import { areaOf } from './draw.ts'
import type { Verdict } from './judge.ts'

export function lineOf({ mistake, result, by, seconds }: Verdict): string {
  const place = `${mistake.file}:${mistake.line}`
  return `${result.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s  ${place}  ${mistake.kind}${by === '' ? '' : `  (${by})`}`
}

export const changeOf = ({ mistake: { before, after } }: Verdict): string => `  - ${before}\n  + ${after}`

const NOTICED: readonly Verdict['result'][] = ['noticed', 'out of bounds']
const UNNOTICED: readonly Verdict['result'][] = ['SURVIVED', 'NOT COVERED']
const COLUMNS = [...NOTICED, ...UNNOTICED, 'explained', 'does not compile', 'not judged'] as const

/** What a test should have noticed, and did or did not: neither explained nor refused by the compiler. */
const judgedOf = (among: readonly Verdict[]): Verdict[] =>
  among.filter(({ result }) => [...NOTICED, ...UNNOTICED].includes(result))

export function table(verdicts: readonly Verdict[]): string {
  const row = (name: string, among: readonly Verdict[]) => {
    const counts = COLUMNS.map((column) => among.filter(({ result }) => result === column).length)
    return [name, ...[judgedOf(among).length, ...counts].map(String), score(among)]
  }
  const rows = [
    ['folder', 'judged', ...COLUMNS.map((column) => column.toLowerCase()), 'score'],
    ...byArea(verdicts).map(([area, among]) => row(area, among)),
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

/** The areas of which less was noticed than asked for. */
export const areasBelow = (percent: number, verdicts: readonly Verdict[]): string[] =>
  byArea(verdicts).flatMap(([area, among]) => (shareNoticed(among) < percent ? [area] : []))

function byArea(verdicts: readonly Verdict[]): [area: string, among: Verdict[]][] {
  const areas = [...new Set(verdicts.map(({ mistake }) => areaOf(mistake.file)))].sort()
  return areas.map((area) => [area, verdicts.filter(({ mistake }) => areaOf(mistake.file) === area)])
}

/** Percent; all of nothing is 100. */
function shareNoticed(among: readonly Verdict[]): number {
  const judged = judgedOf(among)
  const noticed = judged.filter(({ result }) => NOTICED.includes(result))
  return judged.length === 0 ? 100 : (100 * noticed.length) / judged.length
}

const score = (among: readonly Verdict[]): string =>
  judgedOf(among).length === 0 ? '-' : `${shareNoticed(among).toFixed(1)}%`
