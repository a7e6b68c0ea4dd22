/**
 * The runs of a search, in a folder where it can be gone on with: `study.json` says what is searched, `runs.jsonl` holds
 * every run in the order in which it was asked for. A study that was cut off comes to the same bytes as one that was not.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { notJson } from '../../files/notJson.ts'
import { mustBeRegularNow } from '../../files/regularFile.ts'
import { fingerprintWith, textHash } from '../plan/fingerprint.ts'
import { inputFilesOf } from '../plan/inputFiles.ts'
import type { RunPlan } from '../plan/plan.ts'
import { ResultFile } from '../sweep/resultFile.ts'
import type { VariantTask } from '../sweep/variant.ts'
import type { SweepRow, VariantFigures } from '../sweep/variantFigures.ts'
import { openPool } from '../workers/runTasks.ts'
import type { TaskPool, WorkOptions } from '../workers/taskPool.ts'
import { changedParts, changedValues, isOrigin, originOf, type StudyOrigin } from './studyOrigin.ts'

/** A folder that holds another study, or what is none. */
export class StudyError extends Error {
  override readonly name = 'StudyError'
}

/** How a study is searched: plain JSON. */
type StudyDefinition = Readonly<Record<string, unknown>>

export interface StudyOptions extends WorkOptions {
  readonly plan: RunPlan
  readonly definition: StudyDefinition
  /** Default: nothing is kept. */
  readonly folder?: string
  readonly onRun?: () => void
}

const STUDY_FILE = 'study.json'
const RUNS_FILE = 'runs.jsonl'

export class Study {
  /** Runs that were found in the folder. */
  reused = 0
  readonly #fingerprint: string
  readonly #file: ResultFile | null
  readonly #pool: TaskPool
  readonly #onRun: () => void

  private constructor({ folder, onRun = () => {} }: StudyOptions, pool: TaskPool, fingerprint: string) {
    this.#fingerprint = fingerprint
    this.#file = folder === undefined ? null : new ResultFile(path.join(folder, RUNS_FILE))
    this.#pool = pool
    this.#onRun = onRun
  }

  /** @throws StudyError for a folder with a study of something else; FeedError for data that cannot be read. */
  static async open(options: StudyOptions): Promise<Study> {
    const { plan, definition, folder } = options
    const files = await inputFilesOf(plan)
    const fingerprint = fingerprintWith(plan, files)
    if (folder !== undefined)
      keepDefinition(folder, { fingerprint, ...definition, begunWith: originOf(plan, files) })
    return new Study(options, await openPool({ kind: 'sweep', plan }, options), fingerprint)
  }

  /** The rows of the tasks, in their order; what the folder has is not run again. */
  async run(tasks: readonly VariantTask[]): Promise<SweepRow[]> {
    const keys = tasks.map((task) => textHash([this.#fingerprint, task]))
    const figures = new Map<string, VariantFigures>()
    const missing: number[] = []
    for (const [index, key] of keys.entries()) {
      const stored = this.#file?.find(key)?.figures
      if (stored === undefined) missing.push(index)
      else figures.set(key, stored)
    }
    this.reused += figures.size
    for (let told = 0; told < figures.size; told++) this.#onRun()
    await this.#pool.run<VariantTask, VariantFigures>(
      missing.map((index) => tasks[index] as VariantTask),
      (result, task) => {
        const index = missing[task] as number
        const key = keys[index] as string
        figures.set(key, result)
        this.#file?.append({ key, parameters: (tasks[index] as VariantTask).parameters, figures: result })
        this.#onRun()
      },
    )
    return tasks.map(({ parameters }, index) => ({
      parameters,
      figures: figures.get(keys[index] as string) as VariantFigures,
    }))
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}

/** `begunWith` explains the fingerprint; files that are only called otherwise are no difference. */
type KeptStudy = StudyDefinition & { readonly fingerprint: string; readonly begunWith: StudyOrigin }

function keepDefinition(folder: string, study: KeptStudy): void {
  const file = path.join(folder, STUDY_FILE)
  if (!existsSync(file)) makeRoom(folder)
  if (!existsSync(file)) return writeFileSync(file, `${JSON.stringify(study, null, 2)}\n`)
  const { begunWith: origin, fingerprint, ...kept } = definitionIn(file)
  const { begunWith, fingerprint: own, ...definition } = study
  const options = changedValues(kept, definition)
  const parts = fingerprint === own ? [] : changedSince(origin, begunWith)
  if (options.length + parts.length > 0)
    throw new StudyError(
      `${folder}: this study was begun otherwise: ${[...parts, ...options].join('; ')}. Give another folder`,
    )
}

/** Studies of earlier versions do not say what they were begun with. */
function changedSince(origin: unknown, now: StudyOrigin): string[] {
  const parts = isOrigin(origin) ? changedParts(origin, now) : []
  return parts.length > 0 ? parts : ['data, rules, strategy, objective or version are others']
}

/** @throws StudyError for what is no folder, and a folder with files of another kind. */
function makeRoom(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return void mkdirSync(folder, { recursive: true })
  if (!found.isDirectory()) throw new StudyError(`${folder}: it is a file; a study is kept in a folder`)
  const [other] = readdirSync(folder)
    .filter((name) => name !== RUNS_FILE)
    .sort()
  if (other !== undefined)
    throw new StudyError(
      `${folder}: there are other files in it (${other}) and no study; give another folder`,
    )
}

function definitionIn(file: string): StudyDefinition {
  mustBeRegularNow(file)
  let kept: unknown
  try {
    kept = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StudyError(`${file}: ${notJson(error)}`, { cause: error })
  }
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept))
    throw new StudyError(`${file}: it does not say what is searched`)
  return { ...kept }
}
