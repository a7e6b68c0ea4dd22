/** What a command found as files in a folder: its page, its tables, and everything as JSON. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { commandText } from '../backtest/plan/commandText.ts'
import { VERSION } from '../version.ts'
import { mustBeInstalled, mustTakeFolder, TABLES } from './outputs.ts'
import { casesText } from './writeCases.ts'

const RESULT_FILE = 'result.json'

/** @throws UsageError for a folder that it could not be written to. */
export async function mustTakeStudy(folder: string): Promise<void> {
  mustBeInstalled(TABLES)
  await mustTakeFolder('--out', folder, RESULT_FILE)
}

/**
 * What was typed stands beside everything as JSON.
 *
 * @param tables by the names of their files, without the end `.csv`.
 */
export async function writeStudy(
  folder: string,
  page: string,
  json: object,
  tables: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'report.html'), page)
  for (const [name, rows] of Object.entries(tables))
    await writeFile(path.join(folder, `${name}.csv`), await casesText(rows))
  const madeBy = {
    software: `margin-core ${VERSION}`,
    command: commandText('margin-core', process.argv.slice(2)),
  }
  await writeFile(path.join(folder, RESULT_FILE), `${JSON.stringify({ madeBy, ...json })}\n`)
  process.stderr.write(`saved: ${folder}\n`)
}
