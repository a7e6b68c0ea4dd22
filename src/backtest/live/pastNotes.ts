/** What a live strategy was told before it traded, in sentences. */
import { count, moment, span } from '../output/presentation.ts'
import type { ToldPast } from './toldPast.ts'

export function pastNotes({ from, markets }: ToldPast): string[] {
  return markets.map(({ asset, rows, missing, to, gapMs }) => {
    const lacks = missing === 0 ? '' : `, ${count(missing)} bar(s) missing among them`
    return `${asset}: the strategy was told ${count(rows)} row(s) from ${moment(from)} to ${moment(to)} UTC before it traded${lacks}; ${gapText(gapMs)}`
  })
}

function gapText(gapMs: number): string {
  return gapMs < 1_000
    ? 'nothing is missing until the begin of the run'
    : `of the ${span(gapMs)} from there to the begin of the run it was told nothing`
}
