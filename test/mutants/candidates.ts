// The test files that could notice a mistake in src, and which of them are asked first.

import path from 'node:path'
import { sources, textOf } from '../tidy/sourceTree.ts'
import { areaOf } from '../unit/answers/kept.ts'
import type { Covering } from './coverage.ts'
import { PAGE } from './draw.ts'
import type { Mistake } from './mistakes.ts'
import type { Passed } from './passed.ts'
import { stepsFrom } from './reach.ts'

/** They look at the tree or at the published package, and would only cost time. */
const NOT_ASKED = ['test/tidy/', 'test/mutants/', 'test/package/']
const IN_A_BROWSER = 'test/browser/console'

export const candidates = (under: readonly string[]): string[] =>
  sources(...(under.length > 0 ? under : ['test'])).filter(
    (file) => file.endsWith('.test.ts') && !NOT_ASKED.some((folder) => file.startsWith(folder)),
  )

/** The quickest first; a file named like the mistaken one, or like its folders, counts as quicker. */
export function inOrder(
  { file }: Mistake,
  covering: readonly Covering[],
  noticedIn: (test: string) => number,
): readonly Covering[] {
  const price = ({ test, seconds }: Covering) =>
    (seconds + 0.5) / 4 ** (kinship(file, test) + Math.min(2, noticedIn(test)))
  return [...covering].sort((a, b) => price(a) - price(b))
}

/** Where nothing was measured. */
const MOST_LIKELY = 8
const LONG = ['test/docs/', 'test/browser/']

/** Imports between a test file and what it is likely about: one that was never measured, or was written anew since, is asked of that. */
const NEAR = 2
/** What a test file that was never measured is taken to take: the quick ones come before it. */
export const UNKNOWN_SECONDS = 10

/**
 * Where one would look: of what passes through the mistake everything, and what may do so since it was measured, the most likely
 * and the quickest first; where nothing was measured, the few most likely files.
 *
 * @param noticed How often each test file noticed a mistake, by file of src.
 */
export function likely(
  mistake: Mistake,
  asked: readonly string[],
  noticed: Noticed,
  passed: Passed,
): readonly string[] {
  const weights = new Map(asked.map((test) => [test, weight(mistake.file, test, noticed)]))
  const weightOf = (test: string) => weights.get(test) as number
  const through = passed.through(mistake)
  const mostLikely = (among: string[]) =>
    among.sort((a, b) => weightOf(b) - weightOf(a)).slice(0, MOST_LIKELY)
  if (mistake.file.startsWith(PAGE))
    return mostLikely(
      asked.filter(
        (test) =>
          test.startsWith(IN_A_BROWSER) || test === answersOf(mistake.file) || isNear(test, mistake.file),
      ),
    )
  const isGuessed = (test: string) => weightOf(test) > 0 && !LONG.some((folder) => test.startsWith(folder))
  const mayPass = (test: string) => passed.isStale(test) && isGuessed(test)
  if (through === null) return mostLikely(asked.filter(isGuessed))
  const price = (test: string) =>
    ((passed.secondsOf(test) ?? UNKNOWN_SECONDS) + 0.5) / 4 ** Math.min(4, weightOf(test))
  return asked.filter((test) => through.has(test) || mayPass(test)).sort((a, b) => price(a) - price(b))
}

/** Imports whatever is there, which is not seen in its text. */
const answersOf = (file: string): string => `test/unit/answers/${areaOf(file)}.test.ts`

const isNear = (test: string, file: string): boolean => (stepsFrom(test).get(file) ?? NEAR + 1) <= NEAR

type Noticed = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * How likely a test file notices a mistake, by what one sees without running it: what noticed others in its file, what imports
 * the file, itself or by way of others, what keeps the answers of its folder, its namesakes, what speaks of it by name, what lies in the same folders, and
 * what noticed most in its folder.
 */
function weight(file: string, test: string, noticed: Noticed): number {
  const name = wordsOf(file).at(-1) as string
  const nearby = [...noticed].filter(([other]) => path.dirname(other) === path.dirname(file))
  return (
    (noticed.get(file)?.get(test) ?? 0) +
    (wordsOf(test).includes(name) ? 1 + kinship(file, test) : 0) +
    2 * nearness(test, file) +
    (test === answersOf(file) ? 4 : 0) +
    (new RegExp(`\\b${name}\\b`).test(textOf(test)) ? (1 + kinship(file, test)) / 4 : 0) +
    Math.max(0, kinship(file, test) - 1) / 16 +
    nearby.reduce((sum, [, counts]) => sum + (counts.get(test) ?? 0), 0) / 8
  )
}

/** One where a test imports the file itself, a quarter where it imports what does so; 0 where it is further away. */
const nearness = (test: string, file: string): number =>
  isNear(test, file) ? 1 / (stepsFrom(test).get(file) as number) ** 2 : 0

const kinship = (file: string, test: string): number => {
  const words = new Set(wordsOf(test))
  return wordsOf(file).filter((word) => words.has(word)).length
}

const wordsOf = (file: string): string[] =>
  file
    .replace(/(\.test)?\.ts$/, '')
    .split('/')
    .slice(1)
