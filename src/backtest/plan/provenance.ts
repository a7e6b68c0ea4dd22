/** How a run was made, so that it can be made again: the plan, the files with their hashes, the version and the command. */
import { VERSION } from '../../version.ts'
import { type InputFile, inputFilesOf } from './inputFiles.ts'
import type { RunPlan } from './plan.ts'
import { PlanError } from './readPlan.ts'

/** How a run was made. Plain JSON. */
export interface Provenance {
  /** Name and version. */
  readonly software: string
  /** What was typed; null for a run that a program made. */
  readonly command: string | null
  readonly plan: RunPlan
  /** Whether the run was made on both paths inside bars. */
  readonly bothPaths: boolean
  readonly files: readonly InputFile[]
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { files } = await provenanceOf(plan, { command: 'margin-core backtest' })
 * files.length // → 0
 * ```
 *
 * @throws FeedError for a file of the plan that cannot be read;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan; KeptModelError for a folder without models.
 */
export async function provenanceOf(
  plan: RunPlan,
  { command = null, bothPaths = false }: Partial<Pick<Provenance, 'command' | 'bothPaths'>> = {},
): Promise<Provenance> {
  return { software: `margin-core ${VERSION}`, command, plan, bothPaths, files: await inputFilesOf(plan) }
}

/**
 * That the files of a run are what they were, and the software too.
 *
 * @throws PlanError naming the first that is not; FeedError for a file that cannot be read.
 */
export async function mustBeUnchanged({ software, plan, files }: Provenance): Promise<void> {
  const now = await provenanceOf(plan)
  if (now.software !== software)
    throw new PlanError(`the run was made by ${software}, this is ${now.software}: its figures may differ`)
  for (const [index, file] of files.entries()) {
    const other = now.files[index]
    if (other?.path !== file.path)
      throw new PlanError(`${file.path}: the run read this file, and would not now`)
    if (other.sha256 !== file.sha256) throw new PlanError(`${file.path}: the file is not what it was`)
  }
  const more = now.files[files.length]
  if (more !== undefined) throw new PlanError(`${more.path}: the run did not read this file, and would now`)
}
