// Which test noticed each mistake of the fixed sample last time: where to look first, and no more than that.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../tidy/sourceTree.ts'
import type { Verdict } from './judge.ts'

const FILE = path.join(root, 'test/mutants/noticedBy.json')

export interface Place {
  /** The test file, from the root of the tree. */
  readonly test: string
  /** The full name of the test; null for the file as a whole. */
  readonly name: string | null
}

/** Reads what a verdict says of who noticed: `test/a.test.ts > suite > test`. */
export function placeOf(by: string): Place {
  const [test = '', ...names] = by.split(' > ')
  return { test, name: names.length === 0 ? null : names.join(' > ') }
}

/** By the key of the mistake. */
export const noticedBefore = (): Record<string, string> =>
  JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>

/** A mistake that was not noticed this time keeps its place to look. */
export function remember(verdicts: readonly Verdict[]): void {
  const before = noticedBefore()
  const places = verdicts.flatMap(({ mistake: { key }, result, by }) => {
    const place = result === 'noticed' ? by : result === 'out of bounds' ? placeOf(by).test : before[key]
    return place === undefined ? [] : [[key, place] as const]
  })
  const sorted = places.sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`)
}
