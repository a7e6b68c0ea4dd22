// What one commit changed of the history lists, as a test says it.

import { GatheredChanges } from '../src/history/gatheredChanges.ts'

export type Changes = Partial<Pick<GatheredChanges, 'entries' | 'created' | 'holes'>> & {
  readonly seq: number
}

export const gathered = (changes: Changes): GatheredChanges => Object.assign(new GatheredChanges(), changes)
