// What a run has come to, in a file that another run goes on from.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../tidy/sourceTree.ts'
import type { Choice } from './draw.ts'
import type { Verdict } from './judge.ts'
import { type Mistake, mistakesIn } from './mistakes.ts'

export interface Kept {
  readonly choice: Choice
  readonly verdicts: readonly Verdict[]
}

/** With those of a sample that have none, as not judged. */
export function withRest(drawn: readonly Mistake[], verdicts: readonly Verdict[]): Verdict[] {
  const judged = new Set(verdicts.map(({ mistake }) => mistake.key))
  const rest = drawn.filter(({ key }) => !judged.has(key))
  return [
    ...verdicts,
    ...rest.map((mistake): Verdict => ({ mistake, result: 'not judged', by: 'no time', seconds: 0 })),
  ]
}

export function keep(
  file: string,
  choice: Choice,
  drawn: readonly Mistake[],
  verdicts: readonly Verdict[],
): void {
  const text = JSON.stringify({ choice, verdicts: withRest(drawn, verdicts) } satisfies Kept, null, 1)
  writeFileSync(file, `${text}\n`)
}

export const kept = (file: string): Kept => JSON.parse(readFileSync(file, 'utf8')) as Kept

const LEFT: readonly Verdict['result'][] = ['SURVIVED', 'NOT COVERED', 'not judged']

/** Of what was judged, whatever need not be asked again. */
export const answered = ({ verdicts }: Kept): Verdict[] =>
  verdicts.filter(({ result }) => !LEFT.includes(result))

/** What was not noticed or not judged, as it would be made today. */
export const left = ({ verdicts }: Kept): Mistake[] =>
  verdicts
    .filter(({ result, mistake }) => LEFT.includes(result) && existsSync(path.join(root, mistake.file)))
    .flatMap(({ mistake }) => mistakesIn(mistake.file).filter(({ key }) => key === mistake.key))
