/** The page that `margin-core compare` writes, of runs in a folder. */
import path from 'node:path'
import { compareRuns } from '../backtest/compare/compareRuns.ts'
import { readSavedRun } from '../backtest/compare/savedRun.ts'
import { renderComparison } from '../backtest/report/compareReport.ts'
import { placeIn } from './confined.ts'

/** @param places of the runs, as they are shown. */
export async function comparisonPage(home: string, places: readonly string[]): Promise<string> {
  const runs = await Promise.all(
    places.map(async (place) => {
      await placeIn(home, place)
      // Of a run that is there; it may be a link's name that is shown.
      return { ...(await readSavedRun(path.join(home, place))), place }
    }),
  )
  return renderComparison(compareRuns(runs))
}
