/**
 * The files that a run reads: data, funding, strategies, an objective and what these import. Each with the SHA-256 of its bytes, so that
 * it can be told later whether they are the same still.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { mustBeRegular, mustBeRegularNow } from '../../files/regularFile.ts'
import { dataFilesOf } from '../feed/folder.ts'
import { notOpened } from '../feed/notOpened.ts'
import { modelFilesOf } from '../learned/modelFolder.ts'
import { PORTFOLIO } from '../portfolio/plannedKind.ts'
import { STRATEGY_NAMES } from '../strategies/catalogue.ts'
import type { RunPlan } from './plan.ts'

/** A file of a run. */
export interface InputFile {
  /** What it is read for: `BTC data`, `BTC funding`, `strategy`, `objective`, `periods`, `model`. */
  readonly use: string
  /** As the plan names it; what is imported, from the folder of whoever imports it. */
  readonly path: string
  /** Hexadecimal. */
  readonly sha256: string
}

/**
 * The files of a plan in the order in which it names them, those of a folder by their names.
 *
 * @throws FeedError for one that cannot be read; KeptModelError for a folder without models.
 */
export async function inputFilesOf(plan: RunPlan): Promise<InputFile[]> {
  const files: InputFile[] = []
  const add = async (use: string, paths: readonly string[]) => {
    for (const file of paths) files.push({ use, path: file, sha256: await hashOf(file) })
  }
  for (const { asset, data, funding } of plan.markets) {
    for (const place of data === undefined ? [] : [data].flat())
      await add(`${asset} data`, (await dataFilesOf(place)).files)
    if (funding !== undefined) await add(`${asset} funding`, (await dataFilesOf(funding)).files)
  }
  const { portfolio = [], others = [] } = plan
  const first = plan.strategy === PORTFOLIO ? portfolio : [plan]
  for (const { strategy } of [...first, ...others])
    if (!STRATEGY_NAMES.includes(strategy)) await add('strategy', withImports(strategy))
  if (plan.objective !== undefined) await add('objective', withImports(plan.objective))
  if (plan.periods !== undefined) await add('periods', [plan.periods])
  if (plan.models !== undefined) await add('model', await modelFilesOf(plan.models))
  return files
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    await mustBeRegular(file)
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  } catch (cause) {
    throw notOpened(file, cause as Error)
  }
  return hash.digest('hex')
}

const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g
const ENDINGS = ['', '.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** A file of the user's and every other of theirs that it imports, directly or not; packages are left out. */
function withImports(entry: string): string[] {
  const found: string[] = [entry]
  for (const file of found) {
    if (!existsSync(file)) continue
    mustBeRegularNow(file)
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const target = importedFile(path.join(path.dirname(file), specifier))
      if (target !== null && !found.includes(target)) found.push(target)
    }
  }
  return found
}

/** `./a.js` may be written for `./a.ts`. */
function importedFile(place: string): string | null {
  const source = place.replace(/\.(m?)js$/, '.$1ts')
  const candidates = [...ENDINGS.map((ending) => place + ending), source]
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile()) ?? null
}
