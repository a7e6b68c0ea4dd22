// Bars: returns day by day, and how returns and trades are distributed.

import { colour } from '../../../style/theme.js'
import { axes, empty, placeOf, plot } from './curveCharts.js'
import { amount, day, percent, short } from './format.js'

/** @typedef {import('../reportData.ts').ReportCharts} ReportCharts */
/** @typedef {import('../histogram.ts').Histogram} Histogram */

/** @param {ReportCharts} charts */
export function drawBars(charts) {
  const { days, returns } = charts.daily
  const daily = placeOf('daily-plot')
  if (days.length < 2) empty(daily, 'Less than two days of data.')
  else if (returns.every((value) => value === 0)) empty(daily, 'Equity never moved.')
  else
    bars(daily, days, returns, 86_400, true, {
      x: ['Day', day],
      y: ['Return', (value) => percent(value)],
      axis: (value) => percent(value, 1),
    })
  drawHistogram('daily-distribution', charts.dailyReturn, 'Equity never moved.', 'Days', percent)
  drawHistogram('trade-distribution', charts.tradePnl, 'No trade was closed.', 'Trades', amount)
}

/**
 * @param {string} id @param {Histogram | null} histogram @param {string} nothing @param {string} counted
 * @param {(value: number, digits?: number) => string} format
 */
function drawHistogram(id, histogram, nothing, counted, format) {
  const place = placeOf(id)
  if (histogram === null) return empty(place, nothing)
  const { from, width, count } = histogram
  const middles = from.map((lower) => lower + width / 2)
  const range = (/** @type {number} */ middle) =>
    `${format(middle - width / 2)} to ${format(middle + width / 2)}`
  bars(place, middles, count, width, false, {
    x: ['Between', range],
    y: [counted, (value) => amount(value, 0)],
    axis: short,
    ticks: format === percent ? (value) => percent(value, width < 0.005 ? 1 : 0) : short,
  })
}

/**
 * Bars in the colour of a gain or a loss: by the value where it is one, else by the side of zero they stand on.
 *
 * @param {HTMLElement} place @param {readonly number[]} x @param {readonly number[]} y @param {number} width
 * @param {boolean} time
 * @param {{ x: [string, (value: number) => string], y: [string, (value: number) => string], axis: (value: number) => string, ticks?: (value: number) => string }} words
 */
function bars(place, x, y, width, time, words) {
  const { uPlot } = globalThis
  const isGain = (/** @type {number} */ index) => (time ? y[index] >= 0 : x[index] >= 0)
  const gains = y.map((value, index) => (isGain(index) ? value : null))
  const losses = y.map((value, index) => (isGain(index) ? null : value))
  const paths = uPlot.paths.bars?.({ size: [0.86, 48], radius: 0.1 })
  const [xAxis, yAxis] = axes(words.axis, time)
  const { ticks } = words
  const labels =
    ticks === undefined
      ? {}
      : { values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) => splits.map(ticks) }
  const series = (/** @type {string} */ name) => ({
    label: words.y[0],
    stroke: () => colour(name),
    fill: () => colour(name),
    width: 0,
    paths,
    points: { show: false },
    value: (/** @type {unknown} */ _, /** @type {number | null} */ value) =>
      value == null ? '–' : words.y[1](value),
  })
  plot(
    place,
    {
      cursor: { drag: { x: true, y: false }, points: { show: false } },
      legend: { show: false },
      axes: [
        { ...xAxis, ...labels },
        { ...yAxis, size: 52 },
      ],
      scales: {
        x: {
          time,
          range: (/** @type {unknown} */ _, /** @type {number} */ low, /** @type {number} */ high) => [
            low - width / 2,
            high + width / 2,
          ],
        },
        y: {
          range: (/** @type {unknown} */ _, /** @type {number} */ low, /** @type {number} */ high) =>
            low >= 0 && high <= 0 ? [0, 1] : [Math.min(low, 0) * 1.08, Math.max(high, 0) * 1.08],
        },
      },
      series: [{}, series('gain'), series('loss')],
      hooks: { setCursor: [(/** @type {any} */ chart) => describeBar(chart, x, y, words)] },
    },
    [[...x], gains, losses],
  )
}

/** What the bar under the cursor stands for. @param {any} chart @param {readonly number[]} x @param {readonly number[]} y @param {{ x: [string, (value: number) => string], y: [string, (value: number) => string] }} words */
function describeBar(chart, x, y, words) {
  const { idx, left } = chart.cursor
  const bubble =
    chart.over.querySelector('.bubble') ??
    chart.over.appendChild(Object.assign(document.createElement('div'), { className: 'bubble' }))
  bubble.hidden = idx == null || left < 0
  if (bubble.hidden) return
  bubble.textContent = `${words.x[1](x[idx])}: ${words.y[1](y[idx])}${words.y[0] === 'Return' ? '' : ` ${words.y[0].toLowerCase()}`}`
  bubble.style.top = '0'
  bubble.style.left = `${Math.min(Math.max(left - bubble.offsetWidth / 2, 0), chart.over.clientWidth - bubble.offsetWidth)}px`
}
