/** What a run depends on beside its parameters, in one short text: equal fingerprints, equal runs. */
import { createHash } from 'node:crypto'
import { VERSION } from '../../version.ts'
import { type InputFile, inputFilesOf } from './inputFiles.ts'
import type { MarketPlan, RunPlan } from './plan.ts'

/** Raised when the meaning of a stored result changes. */
const FORMAT = 4

/**
 * SHA-256 over the plan, the version of this package, and the bytes of every file that is read: data, funding, strategies and
 * what they import. What the files are called does not matter.
 *
 * @throws FeedError for a file that cannot be read.
 */
export async function fingerprintOf(plan: RunPlan): Promise<string> {
  return fingerprintWith(plan, await inputFilesOf(plan))
}

/** The same, where the files of the plan are known. */
export function fingerprintWith(plan: RunPlan, files: readonly InputFile[]): string {
  return textHash([FORMAT, VERSION, withoutPlaces(plan), files.map(({ use, sha256 }) => [use, sha256])])
}

/** A market as a study depends on it: whether it has data, not where. */
export type PlacelessMarket = Omit<MarketPlan, 'data' | 'funding'> & {
  readonly data: boolean
  readonly funding: boolean
}

/** A plan without the names of the files of its markets. */
export function withoutPlaces(
  plan: RunPlan,
): Omit<RunPlan, 'markets'> & { readonly markets: readonly PlacelessMarket[] } {
  const markets = plan.markets.map(({ data, funding, ...market }) => ({
    ...market,
    data: data !== undefined,
    funding: funding !== undefined,
  }))
  return { ...plan, markets }
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
