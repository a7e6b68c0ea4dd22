/** Returns by month and year, and the deepest losses from a peak, of a series of daily returns. */
import { share } from '../output/presentation.ts'
import { type Html, html } from './html.ts'

/** A day of a series. */
export interface DayReturn {
  /** Midnight, UTC ms. */
  readonly day: number
  /** A fraction. */
  readonly return: number
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** By year, then by month from 0; the days of each compounded. */
export function monthlyReturns(days: readonly DayReturn[]): Map<number, Map<number, number>> {
  const years = new Map<number, Map<number, number>>()
  for (const { day, return: value } of days) {
    const date = new Date(day)
    const months = years.get(date.getUTCFullYear()) ?? new Map<number, number>()
    years.set(date.getUTCFullYear(), months)
    const month = date.getUTCMonth()
    months.set(month, (1 + (months.get(month) ?? 0)) * (1 + value) - 1)
  }
  return years
}

/** A month of a series. */
export type MonthReturn = {
  /** As `2026-03`. */
  readonly month: string
  /** Its days compounded, a fraction; a series may begin and end within a month. */
  readonly return: number
}

/** In the order of time. */
export function monthsOf(days: readonly DayReturn[]): MonthReturn[] {
  return [...monthlyReturns(days)].flatMap(([year, months]) =>
    [...months].map(([month, value]) => ({
      month: `${year}-${String(month + 1).padStart(2, '0')}`,
      return: value,
    })),
  )
}

/** A loss from a peak of the compounded days. */
export interface DayDrawdown {
  /** The day of the peak; null where it was the beginning. */
  readonly peak: number | null
  readonly trough: number
  /** The first day at the peak again; null where the series ends before. */
  readonly recovered: number | null
  /** As a fraction of the peak. */
  readonly depth: number
}

/** The deepest first. */
export function deepestDrawdowns(days: readonly DayReturn[], most: number): DayDrawdown[] {
  const found: DayDrawdown[] = []
  let [equity, top, depth] = [1, 1, 0]
  let peak: number | null = null
  let trough = 0
  for (const { day, return: value } of days) {
    equity *= 1 + value
    if (equity >= top) {
      if (depth > 0) found.push({ peak, trough, recovered: day, depth })
      ;[top, depth, peak] = [equity, 0, day]
    } else if (1 - equity / top > depth) [depth, trough] = [1 - equity / top, day]
  }
  if (depth > 0) found.push({ peak, trough, recovered: null, depth })
  return found.sort((a, b) => b.depth - a.depth).slice(0, most)
}

const date = (day: number | null) =>
  day === null ? 'the beginning' : new Date(day).toISOString().slice(0, 10)

/** Both as cards. */
export function monthlyCards(days: readonly DayReturn[]): Html[] {
  if (days.length === 0) return []
  const years = [...monthlyReturns(days)]
  const total = (months: ReadonlyMap<number, number>) =>
    [...months.values()].reduce((grown, value) => grown * (1 + value), 1) - 1
  const cell = (value: number | undefined) =>
    value === undefined
      ? html`<td class="number">–</td>`
      : html`<td class="number ${value < 0 ? 'loss' : value > 0 ? 'gain' : ''}">${share(value)}</td>`
  const drawdowns = deepestDrawdowns(days, 10)
  return [
    html`<section class="card" id="months" aria-label="Monthly returns">
<div class="head"><h2>Monthly returns</h2></div>
<div class="scroll"><table><thead><tr><th scope="col">Year</th>${MONTHS.map((name) => html`<th scope="col" class="number">${name}</th>`)}<th scope="col" class="number">Year</th></tr></thead>
<tbody>${years.map(([year, months]) => html`<tr><th scope="row">${String(year)}</th>${MONTHS.map((_, month) => cell(months.get(month)))}${cell(total(months))}</tr>`)}</tbody></table></div>
</section>`,
    html`<section class="card" id="drawdowns" aria-label="Drawdowns">
<div class="head"><h2>Deepest drawdowns</h2><span class="hint">of the equity at the ends of days</span></div>
${
  drawdowns.length === 0
    ? html`<p class="prose">None.</p>`
    : html`<div class="scroll"><table class="sortable"><thead><tr><th scope="col" class="number">Depth</th><th scope="col">From</th><th scope="col">Lowest</th><th scope="col">Recovered</th></tr></thead>
<tbody>${drawdowns.map(({ depth, peak, trough, recovered }) => html`<tr><td class="number">${share(depth)}</td><td>${date(peak)}</td><td>${date(trough)}</td><td>${recovered === null ? 'not yet' : date(recovered)}</td></tr>`)}</tbody></table></div>`
}
</section>`,
  ]
}
