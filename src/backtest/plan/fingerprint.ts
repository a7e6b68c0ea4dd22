/** What a run depends on beside its parameters, in one short text: equal fingerprints, equal runs. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FeedError } from '../feed/feedError.ts'
import { STRATEGY_NAMES } from '../strategies/catalogue.ts'
import type { RunPlan } from './plan.ts'

/** Raised when the meaning of a stored result changes. */
const FORMAT = 2

/**
 * SHA-256 over the plan, with the bytes of its data, funding and strategy files in place of their names.
 *
 * @throws FeedError for a file that cannot be read.
 */
export async function fingerprintOf(plan: RunPlan): Promise<string> {
  const markets = await Promise.all(
    plan.markets.map(async (market) => ({
      ...market,
      data: market.data === undefined ? null : await hashFiles([market.data].flat()),
      funding: market.funding === undefined ? null : await hashFiles([market.funding]),
    })),
  )
  const strategies = [plan, ...(plan.others ?? [])].map(({ strategy }) => strategy)
  const files = strategies.filter((strategy) => !STRATEGY_NAMES.includes(strategy))
  return textHash([FORMAT, { ...plan, markets }, await hashFiles(files)])
}

/** SHA-256 over a value, whatever the order of its keys. */
export function textHash(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`
}

async function hashFiles(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) for (const file of await filesOf(path)) await addFile(hash, file)
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    return (await readdir(path)).sort().map((name) => join(path, name))
  } catch (cause) {
    throw new FeedError(path, null, `the file cannot be opened (${(cause as Error).message})`, { cause })
  }
}

async function addFile(hash: ReturnType<typeof createHash>, file: string): Promise<void> {
  const own = createHash('sha256')
  for await (const chunk of createReadStream(file)) own.update(chunk as Buffer)
  hash.update(own.digest())
}
