/** A report of a run that was saved before. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { notJson } from '../../files/notJson.ts'
import { mustBeRegular } from '../../files/regularFile.ts'
import { RESULT_FILE } from '../export/saveRun.ts'
import type { Provenance } from '../plan/provenance.ts'
import { wholePlan } from '../plan/readPlan.ts'
import { REPORT_FORMAT, type ReportData } from './reportData.ts'
import { SavedReportError } from './savedReportError.ts'

/**
 * The report data in a result.json, or in the folder it was saved to.
 *
 * ```ts
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * const recording = new Recording()
 * await saveRun(directory, await runBacktest({ ...options, recorder: recording }), recording)
 * const report = await readSavedReport(directory)
 * renderReport(report).startsWith('<!doctype html>') // → true
 * ```
 *
 * @throws SavedReportError for a file that cannot be read or holds no report of this format.
 */
export async function readSavedReport(place: string): Promise<ReportData> {
  const { file, saved } = await readResult(place)
  const { report } = saved as { readonly report?: ReportData }
  if (report?.format !== REPORT_FORMAT)
    throw new SavedReportError(`${file}: no report of format ${REPORT_FORMAT}; save runs with --out`)
  const { formed, SavedReport } = await import('./savedForm.ts')
  formed(SavedReport, report, file, 'report')
  return report
}

/**
 * How a saved run was made.
 *
 * @throws SavedReportError for a file that cannot be read or does not say; PlanError for a plan that is none.
 */
export async function readProvenance(place: string): Promise<Provenance> {
  const { file, saved } = await readResult(place)
  if (!('madeBy' in saved))
    throw new SavedReportError(`${file}: it does not say how the run was made; it was saved by a program`)
  const { formed, SavedProvenance } = await import('./savedForm.ts')
  const madeBy = formed(SavedProvenance, saved.madeBy, file, 'madeBy')
  return { ...madeBy, plan: wholePlan(madeBy.plan, `${file}: madeBy.plan`) }
}

/** Everything a result.json holds, and where it lies. */
export async function readResult(place: string): Promise<{ file: string; saved: object }> {
  const { file, text } = await readText(place)
  let saved: unknown
  try {
    saved = JSON.parse(text)
  } catch (error) {
    throw new SavedReportError(`${file}: ${notJson(error)}`, { cause: error })
  }
  if (typeof saved !== 'object' || saved === null || Array.isArray(saved))
    throw new SavedReportError(`${file}: no saved run`)
  return { file, saved }
}

async function readText(place: string): Promise<{ file: string; text: string }> {
  try {
    const file = (await stat(place)).isDirectory() ? path.join(place, RESULT_FILE) : place
    await mustBeRegular(file)
    return { file, text: await readFile(file, 'utf8') }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such saved run' : `the file cannot be opened (${message})`
    throw new SavedReportError(`${place}: ${why}; \`backtest --out FOLDER\` saves one`)
  }
}
