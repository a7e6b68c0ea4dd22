/** `margin-core compare JOURNAL --with-backtest`: a live run beside a backtest on the prices that it was told. */
import { writeFile } from 'node:fs/promises'
import type { LiveComparison } from '../backtest/compare/compareLive.ts'
import { tableLines } from './table.ts'
import { writeStudy } from './writeStudy.ts'

export interface CompareLiveOptions {
  readonly json?: boolean
  readonly report?: string
  readonly csv?: string
  readonly out?: string
  readonly trades: number
}

export async function compareLiveRun(journal: string, options: CompareLiveOptions): Promise<void> {
  const { compareLive } = await import('../backtest/compare/compareLive.ts')
  const comparison = await compareLive(journal)
  const { toJson } = await import('../quantity/json.ts')
  const { liveTables } = await import('./compareTables.ts')
  const tables = liveTables(comparison)
  const { live: _, backtest: __, ...told } = comparison
  const json = toJson({ ...told, figures: tables.figures })
  if (options.json) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`)
  else process.stdout.write(`${(await lines(comparison, options.trades)).join('\n')}\n`)
  if (options.csv !== undefined) {
    const [{ liveRows }, { writeTable }] = await Promise.all([
      import('../backtest/compare/liveRows.ts'),
      import('../backtest/export/saveRun.ts'),
    ])
    await writeTable(options.csv, liveRows(comparison.rows))
    process.stderr.write(`table: ${options.csv}\n`)
  }
  const { report, out } = options
  if (report === undefined && out === undefined) return
  const { renderLiveComparison } = await import('../backtest/report/liveComparisonReport.ts')
  const page = renderLiveComparison(comparison)
  if (report !== undefined) {
    await writeFile(report, page)
    process.stderr.write(`report: ${report}\n`)
  }
  if (out === undefined) return
  await writeStudy(out, page, json, tables)
}

async function lines(comparison: LiveComparison, listed: number): Promise<string[]> {
  const [{ causeLines, delays, FILL_HEADS, fillCells, found, sides }, { change, count, moment }] =
    await Promise.all([
      import('../backtest/compare/liveFigures.ts'),
      import('../backtest/output/presentation.ts'),
    ])
  const { begin, to, rows, notes } = comparison
  const delay = delays(comparison)
  const [matched, onlyLive, onlyBacktest] = found(comparison)
  const differing = rows.filter(({ reason }) => reason !== null)
  const causes = causeLines(comparison).map(([name, amount, fills]) => [
    ...[name.toLowerCase(), change(amount)],
    fills === 0 ? '' : `${count(fills)} fill(s)`,
  ])
  return [
    `${begin.strategy} on ${begin.venue === '' ? 'a venue' : begin.venue}, ${moment(begin.at)} to ${moment(to)} UTC`,
    ...notes.map((note) => `note: ${note}`),
    '',
    ...tableLines([
      ['', 'live', 'backtest', 'difference'],
      ...sides(comparison).map(([name, ...values]) => [name.toLowerCase(), ...values]),
    ]),
    '',
    ...tableLines([['where the difference comes from', 'amount', 'in'], ...causes]),
    '',
    `${count(matched)} fill(s) matched${delay === null ? '' : ` (${delay})`}, ${count(onlyLive)} only live, ${count(onlyBacktest)} only in the backtest; ${count(differing.length)} differ`,
    ...(differing.length === 0
      ? []
      : tableLines([
          FILL_HEADS.map((head) => head.toLowerCase()),
          ...differing.slice(0, listed).map(fillCells),
        ])),
    ...(differing.length > listed
      ? [`… ${count(differing.length - listed)} more; --trades COUNT lists more`]
      : []),
  ]
}
