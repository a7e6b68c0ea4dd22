/** What the models of a run learned, and how well they foretold. */
import type { LearnedResult } from '../learned/learnedResult.ts'
import { count, moment, ownFigure, plural, span } from '../output/presentation.ts'
import type { AccountResult } from '../run/participant.ts'
import { type Html, html } from './html.ts'
import { lineChart } from './lineChart.ts'

export interface LearnedSection {
  readonly models: readonly LearnedModel[]
}

interface LearnedModel {
  readonly name: string
  /** How it is learned, in a sentence. */
  readonly how: string
  readonly scores: readonly ScoreRow[]
  /** The first score of each fit: seconds since 1970, and null where there is none. */
  readonly line: {
    readonly name: string
    readonly at: readonly number[]
    readonly inSample: readonly (number | null)[]
    readonly outOfSample: readonly (number | null)[]
  }
}

interface ScoreRow {
  readonly name: string
  readonly inSample: string
  readonly outOfSample: string
  readonly error: string
  readonly fits: string
}

/** Null where nothing was learned. */
export function learnedSection({ learned }: AccountResult): LearnedSection | null {
  return learned === undefined ? null : { models: learned.map(modelOf) }
}

function modelOf(model: LearnedResult): LearnedModel {
  const { name, scores, fits } = model
  const [first = ''] = Object.keys(scores)
  return {
    name,
    how: howLearned(model),
    scores: scoreRows(model),
    line: {
      name: first,
      at: fits.map(({ at }) => Math.round(at / 1_000)),
      inSample: fits.map(({ inSample }) => inSample[first] ?? null),
      outOfSample: fits.map(({ outOfSample }) => outOfSample[first] ?? null),
    },
  }
}

function howLearned(model: LearnedResult): string {
  const { asset, horizon, window, every, takesEffectAfter, fits, skipped, pending = 0 } = model
  const last = fits.at(-1)
  const made =
    last === undefined
      ? 'Never fitted'
      : `Fitted ${count(fits.length)} time(s), at last on ${moment(last.at)} UTC on ${count(last.rows)} ${plural(last.rows, 'row')}`
  const due = skipped === 0 ? '' : `; ${count(skipped)} time(s) there were too few`
  const later = takesEffectAfter === undefined ? '' : `, each used ${takesEffectAfter} later`
  const open = pending === 0 ? '' : ` ${count(pending)} more would have been used after the end.`
  const how = `${asset}, ${count(horizon)} bar(s) ahead, of the last ${window}, every ${every}${later}.`
  return `${made}${due}. ${how}${open}${waitedFor(fits)}`
}

/** What a live run waited for fits that were to be used. */
function waitedFor(fits: LearnedResult['fits']): string {
  const waits = fits.flatMap(({ waitedMs }) => waitedMs ?? [])
  if (waits.length === 0) return ''
  const all = span(waits.reduce((sum, ms) => sum + ms, 0))
  return ` The run waited ${count(waits.length)} time(s) for one that was not done, ${all} in all.`
}

/** The figures of a model by score, as people read them. */
export function scoreRows({ scores }: LearnedResult): ScoreRow[] {
  return Object.entries(scores).map(([name, { inSample, outOfSample, error, fits }]) => ({
    name,
    inSample: figure(inSample),
    outOfSample: figure(outOfSample),
    error: figure(error),
    fits: count(fits),
  }))
}

const DIGITS = 4

function figure(value: number | null): string {
  return ownFigure(value === null ? null : Number(value.toFixed(DIGITS)))
}

/** Nothing where nothing was learned. */
export function learnedCard(section: LearnedSection | null | undefined): Html | null {
  if (section === null || section === undefined) return null
  return html`<section class="card" id="learned" aria-label="What was learned">
<div class="head"><h2>What was learned</h2><span class="hint">a fit knows only what had closed by its moment</span></div>
${section.models.map(({ name, how, scores, line }) => {
  const x = line.at
  return html`<h3>${name}</h3>
<p class="prose">${how}</p>
<div class="scroll"><table><thead><tr><th>Score</th><th class="number">Out of sample</th><th class="number">Its error</th><th class="number">Fits</th><th class="number">In sample</th></tr></thead>
<tbody>${scores.map(
    (score) =>
      html`<tr><th scope="row">${score.name}</th><td class="number">${score.outOfSample}</td><td class="number">${score.error}</td><td class="number">${score.fits}</td><td class="number">${score.inSample}</td></tr>`,
  )}</tbody></table></div>
${lineChart({
  label: `${line.name} of ${name}, fit by fit`,
  lines: [
    { name: `${line.name} out of sample`, x, y: line.outOfSample },
    { name: 'in sample', x, y: line.inSample },
  ],
  xText: (at) => new Date(at * 1_000).toISOString().slice(0, 10),
  yText: (y) => y.toLocaleString('en-US', { maximumFractionDigits: 3 }),
  level: 0,
  stepped: true,
})}`
})}
<p class="prose">Each figure is the mean over fits. Out of sample is what a model foretold until the next fit, against what then came. What lies within two errors of chance (0 for correlation and skill, a half for sides) is not known from chance.</p>
</section>`
}
