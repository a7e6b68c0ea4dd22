/** An objective from a file of the user's own: what it exports, looked at before anything runs, and what it returns, after each run. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RunPlan } from '../plan/plan.ts'
import { importFile, isScript, SCRIPTS } from '../strategies/importFile.ts'
import { thrownText } from '../strategy/thrownText.ts'
import { OWN_FIGURES, type Ranking } from '../sweep/ranking.ts'
import type { JudgedRun, Objective } from './objective.ts'

/** An objective that cannot be had, or that came to no number: the file and the line, and why. */
export class ObjectiveError extends Error {
  override readonly name = 'ObjectiveError'
}

/** The figure that an objective makes: `objective` where more is better, `loss` where less is. */
type OwnFigure = 'objective' | 'loss'

/** An objective with what its file says of it. */
export interface LoadedObjective {
  /** What its column is called; default: the name of the figure. */
  readonly name: string
  readonly figure: OwnFigure
  /** @throws ObjectiveError for what it throws, and for what is no finite number and not null. */
  readonly judge: (run: JudgedRun) => number | null
}

/** @throws ObjectiveError for a file that cannot be read or exports none. */
async function loadObjective(file: string): Promise<LoadedObjective> {
  if (!isScript(file))
    throw new ObjectiveError(`${file} is no objective; give a file (${SCRIPTS.join(', ')})`)
  const { default: judge, name, direction = 'more' } = await exportsOf(file)
  if (typeof judge !== 'function' || /^class\b/.test(Function.prototype.toString.call(judge)))
    throw new ObjectiveError(
      `${file}: the default export must be a function that judges a run: export default ({ trades, days }) => trades.length`,
    )
  const place = placeOf(file)
  if (judge.constructor.name === 'AsyncFunction') throw new ObjectiveError(`${place}: ${ASYNC}`)
  if (direction !== 'more' && direction !== 'less')
    throw new ObjectiveError(`${file}: direction must be 'more' or 'less', which is better`)
  if (name !== undefined && (typeof name !== 'string' || !/^\S.{0,39}$/.test(name)))
    throw new ObjectiveError(`${file}: name must be a text of 1 to 40 characters`)
  const figure = direction === 'less' ? 'loss' : 'objective'
  return {
    name: name ?? figure,
    figure,
    judge: (run) => judged(judge as Objective, run, file, place),
  }
}

/**
 * The objective of a plan, null without one.
 *
 * @throws RangeError where something of `by` is the figure of an objective that the plan has not; ObjectiveError as {@link loadObjective}.
 */
export async function plannedObjective(
  { objective }: Pick<RunPlan, 'objective'>,
  by: readonly Ranking[] = [],
): Promise<LoadedObjective | null> {
  const loaded = objective === undefined ? null : await loadObjective(objective)
  const missing = OWN_FIGURES.find((figure) => by.includes(figure) && figure !== loaded?.figure)
  if (missing === undefined) return loaded
  throw new RangeError(
    loaded === null
      ? `${missing} is what an objective of one’s own comes to, and there is none`
      : `${objective} comes to the figure ${loaded.figure}, not ${missing}: it says that ${loaded.figure === 'loss' ? 'less' : 'more'} is better`,
  )
}

const ASYNC = 'it is async; an objective returns its number at once'

async function exportsOf(file: string): ReturnType<typeof importFile> {
  try {
    return await importFile(file)
  } catch (error) {
    throw new ObjectiveError((error as Error).message, { cause: error })
  }
}

function judged(judge: Objective, run: JudgedRun, file: string, place: string): number | null {
  const set = Object.entries(run.parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  let told: unknown
  try {
    told = judge(run)
  } catch (error) {
    throw new ObjectiveError(`${file}: the objective failed for ${set}: ${thrownText(error)}`, {
      cause: error,
    })
  }
  if (told === null || (typeof told === 'number' && Number.isFinite(told))) return told
  if (told instanceof Promise) {
    // Whatever becomes of it is told by nobody.
    told.catch(() => {})
    throw new ObjectiveError(`${place}: ${ASYNC}`)
  }
  const what = typeof told === 'object' || typeof told === 'string' ? JSON.stringify(told) : String(told)
  throw new ObjectiveError(
    `${place}: the objective returned ${what} for ${set}; it returns a finite number, or null where a run has none`,
  )
}

/** The file with the line of its default export, where it says `default`. */
function placeOf(file: string): string {
  const lines = readFileSync(resolve(file), 'utf8').split('\n')
  const line = lines.findIndex((text) =>
    /\bexport\s+default\b|\bas\s+default\b|\bmodule\.exports\b/.test(text),
  )
  return line === -1 ? file : `${file}:${line + 1}`
}
