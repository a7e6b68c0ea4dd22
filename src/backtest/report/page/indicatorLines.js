// The lines of indicators in the price chart: over the prices, or in panels below them.

import { colour } from '../../../style/theme.js'
import { child } from './elements.js'

/** @typedef {import('../indicatorSeries.ts').IndicatorSeries} IndicatorSeries */
/** @typedef {import('./series.js').Candles} Candles */

/** The colours of the lines, one after the other, told apart in both themes. */
const COLOURS = ['accent', 'warn', 'good', 'liquidation', 'muted']
/** How high a panel below the prices is, as a part of theirs. */
const PANEL_SHARE = 0.22

export class IndicatorLines {
  /** @param {import('lightweight-charts').IChartApi} chart */
  constructor(chart) {
    this.chart = chart
    /** @type {{ line: IndicatorSeries, values: (number | null)[], series: import('lightweight-charts').ISeriesApi<'Line'> }[]} */
    this.drawn = []
    this.visible = true
  }

  /** Shows the lines of a market instead of those before. @param {readonly IndicatorSeries[]} lines */
  open(lines) {
    for (const { series } of this.drawn) this.chart.removeSeries(series)
    /** @type {string[]} */
    const panels = []
    this.drawn = lines.map((line) => {
      if (line.panel === 'apart' && !panels.includes(groupOf(line, lines))) panels.push(groupOf(line, lines))
      const pane = line.panel === 'price' ? 0 : 1 + panels.indexOf(groupOf(line, lines))
      const series = this.chart.addSeries(
        globalThis.LightweightCharts.LineSeries,
        {
          lineWidth: 1,
          priceLineVisible: false,
          lastValueVisible: false,
          crosshairMarkerRadius: 2,
          visible: this.visible,
          priceFormat: { type: 'price', precision: Math.min(line.decimals, 6), minMove: line.step },
        },
        pane,
      )
      return { line, values: unpacked(line), series }
    })
    for (const [index, pane] of this.chart.panes().entries())
      pane.setStretchFactor(index === 0 ? 1 : PANEL_SHARE)
    this.paint()
  }

  /**
   * Puts the lines on candles that are shown: of several candles in one the last value.
   *
   * @param {Candles} base @param {Candles} shown
   */
  set(base, shown) {
    for (const { series, values } of this.drawn) {
      /** @type {Map<number, number>} */
      const last = new Map()
      for (const [row, second] of base.time.entries()) {
        const value = values[row]
        if (value !== null && value !== undefined) last.set(second - (second % shown.interval), value)
      }
      const isBase = base.interval === shown.interval
      series.setData(
        shown.time.map((second) => {
          const time = /** @type {import('lightweight-charts').UTCTimestamp} */ (second)
          const value = last.get(isBase ? second - (second % shown.interval) : second)
          return value === undefined ? { time } : { time, value }
        }),
      )
    }
  }

  /** @param {boolean} visible */
  show(visible) {
    this.visible = visible
    for (const { series } of this.drawn) series.applyOptions({ visible })
  }

  paint() {
    for (const [index, { series }] of this.drawn.entries())
      series.applyOptions({ color: colour(COLOURS[index % COLOURS.length] ?? 'accent') })
  }

  /** Names and colours. @param {Element} legend */
  legend(legend) {
    for (const [index, { line }] of this.drawn.entries()) {
      const entry = child(legend, 'span', 'indicator')
      entry.innerHTML = `<svg viewBox="0 0 18 12" aria-hidden="true"><path d="M0 6h18" stroke="currentColor" stroke-width="2" style="color:var(--${COLOURS[index % COLOURS.length]})"/></svg>`
      entry.append(line.name)
    }
  }
}

/** Lines whose names begin alike belong to one indicator, and share a panel. @param {IndicatorSeries} line @param {readonly IndicatorSeries[]} lines */
function groupOf({ name }, lines) {
  const stem = name.split(' ').slice(0, -1).join(' ')
  const isShared = stem !== '' && lines.filter((other) => other.name.startsWith(`${stem} `)).length > 1
  return isShared ? stem : name
}

/** @param {IndicatorSeries} packed */
function unpacked({ values, step }) {
  let at = 0
  return values.map((change) => {
    if (change === null) return null
    at += change
    return at * step
  })
}
