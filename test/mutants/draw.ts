// Drawing mistakes: which of the thousands are tried this time.

import { createHash } from 'node:crypto'
import { sources } from '../tidy/sourceTree.ts'
import { type Mistake, mistakesIn, withMistake } from './mistakes.ts'

/**
 * How many of two hundred fall to a folder. What handles money and bytes has more than its size; the laws and the
 * generators of src/testing are the judge here, and a choice of a generator has no right value; nor has what an example shows.
 */
const SHARES: Readonly<Record<string, number>> = {
  quantity: 14,
  collections: 8,
  hashes: 2,
  terms: 4,
  events: 16,
  domain: 32,
  projections: 10,
  history: 12,
  store: 16,
  engine: 18,
  backtest: 36,
  host: 18,
  cli: 6,
  cluster: 4,
  client: 4,
  resources: 2,
}

const NEVER = ['src/backtest/report/page/', 'src/version.ts', 'src/resources/examples.ts']

const folderOf = (file: string): string => file.split('/')[1] as string

/** The page of the console: its parts are tested in a browser, which takes so long that the shares leave them out. */
export const PAGE = 'src/host/console/page/'

/** The part of src that a file is counted in: its folder, or the one within it; the page stands apart. */
export function areaOf(file: string): string {
  if (file.startsWith(PAGE)) return 'host/console/page'
  return file.split('/').slice(1, -1).slice(0, 2).join('/') || 'src'
}

export interface Choice {
  readonly seed: string
  /** Of the whole; Infinity draws all there are. */
  readonly count: number
  /** So many of every area, whatever its share, in place of `count`. */
  readonly each?: number
  /** Files, or folders, of src; empty for the whole of it. */
  readonly under: readonly string[]
}

/**
 * A mistake has its place in the queue by its own text and the seed, so that a change in one file leaves the rest of a
 * sample as it was.
 */
export function draw({ seed, count, each, under }: Choice): Mistake[] {
  const files = sources(...(under.length > 0 ? under : Object.keys(SHARES).map((name) => `src/${name}`)))
  const among = files.filter((file) => !NEVER.some((never) => file.startsWith(never))).flatMap(mistakesIn)
  const queue = among
    .map((mistake) => ({
      mistake,
      place: createHash('sha256').update(seed).update(mistake.key).digest('hex'),
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ mistake }) => mistake)
  if (each !== undefined) {
    const areas = [...new Set(files.map(areaOf))].map((area) =>
      firstOf(
        queue.filter(({ file }) => areaOf(file) === area),
        each,
      ),
    )
    // In turns, so that every area has its share of what is judged in time.
    return Array.from({ length: each }, (_, rank) =>
      areas.flatMap((area) => area.slice(rank, rank + 1)),
    ).flat()
  }
  if (under.length > 0) return firstOf(queue, count)
  const total = Object.values(SHARES).reduce((sum, share) => sum + share)
  return Object.entries(SHARES).flatMap(([folder, share]) =>
    firstOf(
      queue.filter(({ file }) => folderOf(file) === folder && !file.startsWith(PAGE)),
      (share * count) / total,
    ),
  )
}

/** The first of a queue that parse with the mistake in them. */
function firstOf(queue: readonly Mistake[], count: number): Mistake[] {
  const first: Mistake[] = []
  for (const mistake of queue) {
    if (first.length >= count) break
    if (withMistake(mistake) !== null) first.push(mistake)
  }
  return first
}
