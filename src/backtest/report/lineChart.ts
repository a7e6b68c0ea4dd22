/**
 * Curves as a drawing that needs no script: it takes the width of its place, the colours of the theme, and its letters
 * keep their size on a phone because they stand beside the drawing and not in it.
 */
import { type Html, html } from './html.ts'

interface ChartLine {
  readonly name: string
  /** Ascending. */
  readonly x: readonly number[]
  /** Null leaves a gap. */
  readonly y: readonly (number | null)[]
}

export interface LineChart {
  readonly label: string
  readonly lines: readonly ChartLine[]
  readonly xText: (x: number) => string
  readonly yText: (y: number) => string
  /** A level that is drawn across, where it lies in sight. */
  readonly level?: number
  /** Each line holds until its next point. */
  readonly stepped?: boolean
}

const WIDTH = 1000
const HEIGHT = 300
const LEVELS = 5
const COLUMNS = 5

/** Colours repeat after six lines, with another dash. */
const COLOURS = 6

export function lineChart(chart: LineChart): Html {
  const points = chart.lines.flatMap(({ x, y }) => x.map((at, index) => [at, y[index] ?? null] as const))
  const known = points.filter((point): point is readonly [number, number] => point[1] !== null)
  if (known.length < 2) return html`<div class="plot empty">There is too little for a curve.</div>`
  const [left, right] = extent(known.map(([x]) => x))
  const [bottom, top] = padded(extent(known.map(([, y]) => y)))
  const across = (x: number) => round(((x - left) / (right - left || 1)) * WIDTH)
  const down = (y: number) => round((1 - (y - bottom) / (top - bottom)) * HEIGHT)
  const levels = ticks(bottom, top, LEVELS)
  const grid = levels.map(
    (y) => html`<line class="grid" x1="0" x2="${WIDTH}" y1="${down(y)}" y2="${down(y)}" />`,
  )
  const level =
    chart.level !== undefined && chart.level > bottom && chart.level < top
      ? html`<line class="level" x1="0" x2="${WIDTH}" y1="${down(chart.level)}" y2="${down(chart.level)}" />`
      : null
  const lines = chart.lines.map(
    (line, index) =>
      html`<path class="${lookOf(index)}" d="${pathOf(line, across, down, chart.stepped === true)}" />`,
  )
  const moments = Array.from(
    { length: COLUMNS },
    (_, index) => left + ((right - left) * index) / (COLUMNS - 1),
  )
  return html`<div class="chart" role="img" aria-label="${chart.label}">
<div class="levels">${levels.map((y) => html`<span style="top:${round((down(y) / HEIGHT) * 100)}%">${chart.yText(y)}</span>`)}</div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${grid}${level}${lines}</svg>
<div class="moments">${moments.map((x) => html`<span>${chart.xText(x)}</span>`)}</div>
${chart.lines.length < 2 ? null : html`<figcaption class="legend">${chart.lines.map(({ name }, index) => html`<span><svg viewBox="0 0 18 12" aria-hidden="true"><path class="${lookOf(index)}" d="M0 6H18" /></svg>${name}</span>`)}</figcaption>`}
</div>`
}

/** Of a line, and of its place in the legend. */
function lookOf(index: number): string {
  return `line c${index % COLOURS}${index < COLOURS ? '' : ' dashed'}`
}

function pathOf(
  { x, y }: ChartLine,
  across: (x: number) => number,
  down: (y: number) => number,
  stepped: boolean,
): string {
  let path = ''
  let before: number | null = null
  for (const [index, at] of x.entries()) {
    const value = y[index] ?? null
    if (value !== null) {
      const to = `${across(at)} ${down(value)}`
      if (before === null) path += `M${to}`
      else path += stepped ? `H${across(at)}V${down(value)}` : `L${to}`
    }
    before = value
  }
  return path
}

function extent(values: readonly number[]): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

function padded([least, most]: [number, number]): [number, number] {
  const margin = (most - least) * 0.06 || Math.abs(most) * 0.01 || 1
  return [least - margin, most + margin]
}

/** Round numbers in a range: 1, 2 or 5 times a power of ten apart. */
export function ticks(least: number, most: number, about: number): number[] {
  const rough = (most - least) / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const first = Math.ceil(least / step)
  const last = Math.floor(most / step)
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
