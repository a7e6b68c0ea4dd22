/** `margin-core report`: the report of a saved run, drawn again. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command } from 'commander'
import { reportFailure } from './failure.ts'

export function reportCommand(): Command {
  return new Command('report')
    .description('draw the report of a run saved by `backtest --out` again')
    .argument('<saved>', 'the folder, or its result.json')
    .option('--out <file>', 'where to write (default: report.html beside the result)')
    .action((saved: string, options: { readonly out?: string }) =>
      reportFailure(() => report(saved, options)),
    )
}

async function report(saved: string, options: { readonly out?: string }): Promise<void> {
  const [{ readSavedReport }, { renderReport }, { REPORT_FILE }] = await Promise.all([
    import('../backtest/report/savedReport.ts'),
    import('../backtest/report/render.ts'),
    import('../backtest/export/saveRun.ts'),
  ])
  const folder = saved.endsWith('.json') ? path.dirname(saved) : saved
  const file = options.out ?? path.join(folder, REPORT_FILE)
  await writeFile(file, renderReport(await readSavedReport(saved)))
  process.stdout.write(`report: ${file}\n`)
}
