// Equity with the floors of the evaluation, drawdown and exposure, under one cursor and one zoom.

import { colour, onThemeChange } from '../../../style/theme.js'
import { amount, depth, moment, short } from './format.js'
import { indexAt, unpackCurve } from './series.js'

/** @typedef {import('../reportData.ts').ReportCharts} ReportCharts */

const AXIS_FONT = '12px system-ui, sans-serif'
const AXIS_WIDTH = 64

/** Axes in the colours of the theme. @param {(value: number) => string} format @param {boolean} [time] */
export function axes(format, time = true) {
  const look = {
    stroke: () => colour('muted'),
    font: AXIS_FONT,
    grid: { stroke: () => colour('grid'), width: 1 },
    ticks: { show: false },
  }
  return [
    { ...look, size: 30, space: 70, ...(time ? { values: timeLabels } : {}) },
    {
      ...look,
      size: AXIS_WIDTH,
      space: 36,
      values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) => splits.map(format),
    },
  ]
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Days, months and hours, in UTC, each as short as its neighbours allow.
 *
 * @param {unknown} _chart @param {number[]} splits @param {number} _axis @param {number} _space @param {number} step
 */
function timeLabels(_chart, splits, _axis, _space, step) {
  return splits.map((second, index) => {
    const date = new Date(second * 1000)
    const newYear =
      index === 0 || new Date(splits[index - 1] * 1000).getUTCFullYear() !== date.getUTCFullYear()
    const month = MONTHS[date.getUTCMonth()]
    if (step >= 27 * 86_400) return newYear ? `${month} ${date.getUTCFullYear()}` : month
    const clock = date.toISOString().slice(11, 16)
    if (step >= 86_400 || clock === '00:00') return `${date.getUTCDate()} ${month}`
    return clock
  })
}

/** Draws a chart that keeps to the width of its place and to the theme. @param {HTMLElement} place @param {Omit<import('uplot').Options, 'width' | 'height'>} options @param {import('uplot').AlignedData} data */
export function plot(place, options, data) {
  const { uPlot } = globalThis
  const size = () => ({ width: place.clientWidth, height: place.clientHeight })
  const chart = new uPlot(
    {
      ...size(),
      tzDate: (/** @type {number} */ second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
      ...options,
    },
    data,
    place,
  )
  // The legend stands below the canvas and takes its height from it.
  const resize = () => {
    const legend = /** @type {HTMLElement | null} */ (place.querySelector('.u-legend'))
    const { width, height } = size()
    chart.setSize({ width, height: Math.max(height - (legend?.offsetHeight ?? 0) - 6, 80) })
  }
  // Away from the cursor the legend tells the last values.
  const tellLast = () => {
    if ((chart.cursor.left ?? -1) < 0) chart.setLegend({ idx: data[0].length - 1 }, false)
  }
  new ResizeObserver(() => {
    resize()
    requestAnimationFrame(tellLast)
  }).observe(place)
  chart.over.addEventListener('mouseleave', () => requestAnimationFrame(tellLast))
  onThemeChange(() => chart.redraw())
  return chart
}

/** @param {string} id */
export function placeOf(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id))
}

/** @param {HTMLElement} place @param {string} message */
export function empty(place, message) {
  place.classList.add('empty')
  place.textContent = message
}

/** @param {ReportCharts} charts */
export function drawCurves(charts) {
  const curve = unpackCurve(charts.curve)
  const { time } = curve
  if (time.length < 2) {
    for (const id of ['equity-plot', 'drawdown-plot', 'exposure-plot'])
      empty(placeOf(id), 'The run is too short for a curve.')
    return
  }
  const starts = charts.floors.map(([second]) => second)
  const floorOf = (/** @type {1 | 2} */ rule) =>
    time.map((second) => charts.floors[Math.max(indexAt(starts, second), 0)]?.[rule] ?? null)
  const sync = { key: 'run', setSeries: false }
  const cursor = { sync, points: { size: 6 }, drag: { x: true, y: false } }
  const when = {
    label: 'Time (UTC)',
    value: (/** @type {unknown} */ _, /** @type {number} */ second) =>
      second == null ? '–' : moment(second),
  }
  const money = (/** @type {unknown} */ _, /** @type {number} */ value) =>
    value == null ? '–' : amount(value)
  const line = (/** @type {string} */ label, /** @type {string} */ name, /** @type {object} */ more) => ({
    label,
    stroke: () => colour(name),
    width: 1.5,
    value: money,
    points: { show: false },
    ...more,
  })
  const stepped = globalThis.uPlot.paths.stepped?.({ align: 1 })
  const floors = /** @type {(number | null)[][]} */ ([])
  const floorLines = []
  for (const [rule, label, name, dash] of /** @type {[1 | 2, string, string, number[]][]} */ ([
    [1, 'Daily floor', 'warn', [2, 3]],
    [2, 'Total floor', 'loss', [8, 4]],
  ])) {
    const values = floorOf(rule)
    if (values.every((value) => value === null)) continue
    floors.push(values)
    floorLines.push(line(label, name, { dash, paths: stepped }))
  }
  plot(
    placeOf('equity-plot'),
    {
      cursor,
      axes: axes(short),
      series: [
        when,
        line('Equity', 'accent', {
          width: 2,
          fill: () => colour('accent-soft'),
          fillTo: (/** @type {{ scales: { y: { min: number } } }} */ chart) => chart.scales.y.min,
        }),
        line('Balance', 'muted', { width: 1 }),
        ...floorLines,
      ],
      hooks: { draw: [(/** @type {object} */ chart) => drawVerdict(chart, charts.verdictAt)] },
    },
    [time, curve.equity, curve.balance, ...floors],
  )
  plot(
    placeOf('drawdown-plot'),
    {
      cursor,
      axes: axes((value) => depth(value, 1)),
      scales: {
        y: {
          range: (/** @type {unknown} */ _, /** @type {number} */ low) => [Math.min(low * 1.05, -0.005), 0],
        },
      },
      series: [
        when,
        line('Drawdown', 'loss', {
          fill: () => colour('loss-soft'),
          fillTo: 0,
          value: (/** @type {unknown} */ _, /** @type {number} */ value) =>
            value == null ? '–' : depth(value),
        }),
      ],
    },
    [time, curve.drawdown],
  )
  plot(
    placeOf('exposure-plot'),
    {
      cursor,
      axes: axes(short),
      scales: {
        y: {
          range: (/** @type {unknown} */ _, /** @type {number} */ __, /** @type {number} */ high) => [
            0,
            Math.max(high * 1.05, 1),
          ],
        },
      },
      series: [
        when,
        line('Notional of open positions', 'muted', {
          fill: () => colour('grid'),
          paths: stepped,
          value: (/** @type {unknown} */ _, /** @type {number} */ value) =>
            value == null ? '–' : amount(value, 0),
        }),
      ],
    },
    [time, curve.exposure],
  )
}

/** A line where the verdict fell. @param {any} chart @param {number | null} second */
function drawVerdict(chart, second) {
  if (second === null) return
  const x = Math.round(chart.valToPos(second, 'x', true))
  const { left, top, width, height } = chart.bbox
  if (x < left || x > left + width) return
  const ratio = devicePixelRatio
  const { ctx } = chart
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = colour('text')
  ctx.lineWidth = ratio
  ctx.setLineDash([3 * ratio, 3 * ratio])
  ctx.beginPath()
  ctx.moveTo(x, top)
  ctx.lineTo(x, top + height)
  ctx.stroke()
  ctx.font = `${12 * ratio}px system-ui, sans-serif`
  ctx.textAlign = x > left + width / 2 ? 'right' : 'left'
  ctx.textBaseline = 'top'
  ctx.fillText('verdict', x + (ctx.textAlign === 'left' ? 5 : -5) * ratio, top + 4 * ratio)
  ctx.restore()
}
