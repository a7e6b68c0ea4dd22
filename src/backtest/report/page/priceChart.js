// The price chart: candles at an interval that suits the zoom, with what the run did drawn over them.

import { colour, onThemeChange } from '../../../style/theme.js'
import { Drawings } from './drawings.js'
import { child } from './elements.js'
import { amount, exact, moment, percent, signed } from './format.js'
import { IndicatorLines } from './indicatorLines.js'
import { indexAt, longerCandles, unpackCandles } from './series.js'

/** @typedef {import('../reportData.ts').ReportCharts} ReportCharts */

/** Seconds, and how they are called. @type {[number, string][]} */
const INTERVALS = [
  [1, '1s'],
  [5, '5s'],
  [15, '15s'],
  [60, '1m'],
  [300, '5m'],
  [900, '15m'],
  [1800, '30m'],
  [3600, '1h'],
  [7200, '2h'],
  [14_400, '4h'],
  [86_400, '1d'],
  [604_800, '1w'],
]
/** Left and right of the figures of a candle, which must not lie over the prices of the axis. */
const READOUT_MARGINS = 20
/** Narrower candles become longer ones. */
const LEAST_PIXELS = 3

export class PriceChart {
  /** @param {ReportCharts} charts */
  constructor(charts) {
    this.charts = charts
    this.plot = /** @type {HTMLElement} */ (document.getElementById('price-plot'))
    this.tools = /** @type {HTMLElement} */ (document.getElementById('price-tools'))
    this.market = 0
    /** Seconds; null = whatever suits the zoom. @type {number | null} */
    this.chosen = null
    /** The stretch in view, seconds. @type {{ from: number, to: number } | null} */
    this.stretch = null
    /** @type {import('./series.js').Candles | null} */
    this.shown = null
    this.settling = false
    this.levels = true
    this.withIndicators = true
  }

  start() {
    if ((this.charts.candles[0]?.open.length ?? 0) === 0) {
      this.plot.classList.add('empty')
      this.plot.textContent = 'There was no market data.'
      return
    }
    const { LightweightCharts } = globalThis
    this.chart = LightweightCharts.createChart(this.plot, {
      autoSize: true,
      localization: {
        timeFormatter: (/** @type {number} */ second) => `${moment(second)} UTC`,
        priceFormatter: (/** @type {number} */ price) => amount(price, this.decimals),
      },
      timeScale: { timeVisible: true, secondsVisible: false, minBarSpacing: 0.02, rightOffset: 2 },
      handleScroll: { vertTouchDrag: false },
      crosshair: { mode: LightweightCharts.CrosshairMode.Normal },
    })
    this.series = this.chart.addSeries(LightweightCharts.CandlestickSeries)
    this.indicators = new IndicatorLines(this.chart)
    this.readout = child(this.plot, 'div', 'readout')
    this.bubble = child(this.plot, 'div', 'bubble')
    this.bubble.hidden = true
    this.paint()
    onThemeChange(() => this.paint())
    this.chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.zoomed())
    this.chart.subscribeCrosshairMove((move) => this.hover(move))
    this.open(0)
  }

  /** Shows a market from end to end. @param {number} market */
  open(market) {
    this.market = market
    const packed = this.charts.candles[market]
    this.base = unpackCandles(packed)
    this.decimals = packed.decimals
    this.series?.applyOptions({
      priceFormat: { type: 'price', precision: packed.decimals, minMove: packed.step },
    })
    if (this.drawings !== undefined) this.series?.detachPrimitive(this.drawings)
    this.drawings = new Drawings(this.charts.trades, market)
    this.drawings.showLevels = this.levels
    this.series?.attachPrimitive(this.drawings)
    this.indicators?.open(this.indicatorsOf(market))
    this.shown = null
    this.plot.classList.toggle(
      'panelled',
      this.indicatorsOf(market).some(({ panel }) => panel === 'apart'),
    )
    this.buildTools()
    this.legend()
    const { time, interval } = this.base
    this.show(time[0], /** @type {number} */ (time.at(-1)) + interval)
  }

  /** @param {number} market */
  indicatorsOf(market) {
    return (this.charts.indicators ?? []).filter((line) => line.market === market)
  }

  /** Brings a stretch of time into view. @param {number} from @param {number} to seconds */
  show(from, to) {
    if (this.chart === undefined) return
    this.stretch = { from, to }
    this.fit()
  }

  /** Brings a trade into view. @param {import('../tradeSeries.ts').TradeRow} trade */
  showTrade({ market, opened, closed }) {
    if (market !== this.market) this.open(market)
    const margin = Math.max((closed - opened) * 0.8, 40 * (this.base?.interval ?? 60))
    this.show(opened - margin, closed + margin)
    document.getElementById('price')?.scrollIntoView({ block: 'start' })
  }

  /** Intervals that can be shown: multiples of the data's own. */
  intervals() {
    const base = this.base?.interval ?? 60
    const known = INTERVALS.filter(([seconds]) => seconds > base && seconds % base === 0)
    const own = INTERVALS.find(([seconds]) => seconds === base)?.[1] ?? intervalName(base)
    return /** @type {[number, string][]} */ ([[base, own], ...known])
  }

  /** Sets the candles that suit the stretch in view, and the view to the stretch. */
  fit() {
    const { stretch, chart, series, base, drawings } = this
    if (stretch === null || !chart || !series || !base || !drawings) return
    const room = Math.max(this.plot.clientWidth - 70, 100) / LEAST_PIXELS
    const wanted =
      this.chosen ??
      this.intervals().find(([seconds]) => (stretch.to - stretch.from) / seconds <= room)?.[0] ??
      /** @type {[number, string]} */ (this.intervals().at(-1))[0]
    this.settling = true
    if (this.shown?.interval !== wanted || this.shownMarket !== this.market) {
      this.shown = longerCandles(base, wanted)
      this.shownMarket = this.market
      const { time, open, high, low, close } = this.shown
      series.setData(
        time.map((second, row) => ({
          time: /** @type {import('lightweight-charts').UTCTimestamp} */ (second),
          open: open[row],
          high: high[row],
          low: low[row],
          close: close[row],
        })),
      )
      this.indicators?.set(base, this.shown)
      drawings.setCandles(this.shown)
    } else if (drawings.candles !== this.shown) drawings.setCandles(this.shown)
    chart
      .timeScale()
      .setVisibleLogicalRange({ from: this.logical(stretch.from), to: this.logical(stretch.to) })
    this.describe(null)
    for (const button of this.tools.querySelectorAll('[data-interval]'))
      button.setAttribute(
        'aria-pressed',
        String(Number(/** @type {HTMLElement} */ (button).dataset.interval) === (this.chosen ?? 0)),
      )
    requestAnimationFrame(() => {
      this.settling = false
      // Only now the axis is as wide as its prices, and the library's link is there: it has a title, its picture no name.
      this.placeReadout()
      this.plot.querySelector('a svg')?.setAttribute('aria-hidden', 'true')
      this.plot.querySelector('table')?.setAttribute('role', 'presentation')
    })
  }

  /** @param {number} second */
  logical(second) {
    const { time, interval } = /** @type {import('./series.js').Candles} */ (this.shown)
    if (second < time[0]) return (second - time[0]) / interval - 0.5
    const row = indexAt(time, second)
    const beyond = (second - time[row]) / interval
    return row - 0.5 + (row === time.length - 1 ? beyond : Math.min(beyond, 1))
  }

  /** @param {number} logical */
  second(logical) {
    const { time, interval } = /** @type {import('./series.js').Candles} */ (this.shown)
    const row = Math.min(Math.max(Math.floor(logical + 0.5), 0), time.length - 1)
    return time[row] + (logical + 0.5 - row) * interval
  }

  /** The reader moved or zoomed. */
  zoomed() {
    const range = this.chart?.timeScale().getVisibleLogicalRange()
    if (this.settling || !range) return
    this.stretch = { from: this.second(range.from), to: this.second(range.to) }
    if (this.chosen !== null || this.waiting) return
    this.waiting = true
    requestAnimationFrame(() => {
      this.waiting = false
      const { from, to } = /** @type {{ from: number, to: number }} */ (this.stretch)
      const room = Math.max(this.plot.clientWidth - 70, 100) / LEAST_PIXELS
      const wanted = this.intervals().find(([seconds]) => (to - from) / seconds <= room)?.[0]
      if (wanted !== undefined && wanted !== this.shown?.interval) this.fit()
    })
  }

  /** @param {import('lightweight-charts').MouseEventParams} move */
  hover({ point, logical }) {
    const spot = point === undefined ? null : this.drawings?.fillAt(point.x, point.y)
    this.describe(logical ?? null)
    const { bubble } = this
    if (bubble === undefined) return
    bubble.hidden = spot == null
    if (spot == null) return
    const [, second, opens, long, price, size, reason, pnl] = spot.fill
    bubble.replaceChildren(
      ...[
        `${opens ? 'Open' : 'Close'} ${long ? 'long' : 'short'} · ${reason}`,
        `${exact(size)} at ${amount(price, Math.min(Math.max(this.decimals ?? 2, 2), 6))}`,
        ...(pnl === null ? [] : [`Pnl ${signed(pnl)}`]),
        `${moment(second)} UTC`,
      ].map((line) => {
        const element = document.createElement('div')
        element.textContent = line
        return element
      }),
    )
    const left =
      spot.x + 14 + bubble.offsetWidth > this.plot.clientWidth
        ? spot.x - 14 - bubble.offsetWidth
        : spot.x + 14
    bubble.style.left = `${Math.max(left, 0)}px`
    bubble.style.top = `${Math.max(spot.y - bubble.offsetHeight - 8, 0)}px`
  }

  /** The candle under the cursor in figures, or the last one in view. @param {number | null} logical */
  describe(logical) {
    const { shown, readout, decimals = 2 } = this
    if (!shown || !readout) return
    const last = indexAt(shown.time, (this.stretch?.to ?? 0) - 1)
    const row = Math.min(Math.max(logical ?? last, 0), shown.time.length - 1)
    const [open, high, low, close] = [shown.open, shown.high, shown.low, shown.close].map(
      (column) => column[row],
    )
    const label = this.intervals().find(([seconds]) => seconds === shown.interval)?.[1] ?? ''
    this.placeReadout()
    readout.replaceChildren(
      `${this.charts.assets[this.market]} ${label} `,
      ...[
        ['O', amount(open, decimals)],
        ['H', amount(high, decimals)],
        ['L', amount(low, decimals)],
        ['C', amount(close, decimals)],
        ['', percent(close / open - 1)],
      ].flatMap(([name, value]) => {
        const figure = document.createElement('b')
        figure.textContent = value
        return [` ${name} `, figure]
      }),
    )
  }

  /** Keeps the figures of a candle off the prices of the axis. */
  placeReadout() {
    const labels = this.chart?.priceScale('right').width() ?? 0
    if (this.readout) this.readout.style.maxWidth = `${this.plot.clientWidth - labels - READOUT_MARGINS}px`
  }

  buildTools() {
    const { tools } = this
    tools.replaceChildren()
    const { assets } = this.charts
    if (assets.length > 1) {
      const select = document.createElement('select')
      select.setAttribute('aria-label', 'Market')
      select.append(
        ...assets.map((asset, index) => new Option(asset, String(index), false, index === this.market)),
      )
      select.addEventListener('change', () => this.open(Number(select.value)))
      tools.append(select)
    }
    const segments = child(tools, 'div', 'segments')
    segments.setAttribute('role', 'group')
    segments.setAttribute('aria-label', 'Length of a candle')
    const length = this.base?.time.length ?? 0
    const base = this.base?.interval ?? 60
    const usable = this.intervals().filter(
      ([seconds], index) => index === 0 || (length * base) / seconds >= 20,
    )
    for (const [seconds, name] of /** @type {[number, string][]} */ ([[0, 'Auto'], ...usable])) {
      const button = child(segments, 'button', '')
      button.setAttribute('type', 'button')
      button.dataset.interval = String(seconds)
      button.textContent = name
      button.addEventListener('click', () => {
        this.chosen = seconds === 0 ? null : seconds
        this.fit()
      })
    }
    const all = child(tools, 'button', '')
    all.textContent = 'Whole run'
    all.addEventListener('click', () => {
      const { time, interval } = /** @type {import('./series.js').Candles} */ (this.base)
      this.show(time[0], /** @type {number} */ (time.at(-1)) + interval)
    })
    if (this.indicatorsOf(this.market).length > 0) this.buildIndicatorTool()
    const levels = child(tools, 'button', '')
    levels.textContent = 'Levels'
    levels.setAttribute('aria-pressed', String(this.levels))
    levels.addEventListener('click', () => {
      this.levels = !this.levels
      levels.setAttribute('aria-pressed', String(this.levels))
      if (this.drawings === undefined) return
      this.drawings.showLevels = this.levels
      this.drawings.requestUpdate?.()
    })
  }

  buildIndicatorTool() {
    const indicators = child(this.tools, 'button', '')
    indicators.textContent = 'Indicators'
    indicators.setAttribute('aria-pressed', String(this.withIndicators))
    indicators.addEventListener('click', () => {
      this.withIndicators = !this.withIndicators
      indicators.setAttribute('aria-pressed', String(this.withIndicators))
      this.indicators?.show(this.withIndicators)
    })
  }

  paint() {
    this.indicators?.paint()
    this.chart?.applyOptions({
      layout: {
        background: {
          type: /** @type {import('lightweight-charts').ColorType.Solid} */ ('solid'),
          color: colour('card'),
        },
        textColor: colour('muted'),
        fontFamily: getComputedStyle(document.body).fontFamily,
        attributionLogo: true,
      },
      grid: { vertLines: { color: colour('grid') }, horzLines: { color: colour('grid') } },
      rightPriceScale: { borderColor: colour('line') },
      timeScale: { borderColor: colour('line') },
    })
    // Filled and hollow tell falling from rising besides the colour.
    this.series?.applyOptions({
      upColor: colour('card'),
      downColor: colour('muted'),
      borderUpColor: colour('muted'),
      borderDownColor: colour('muted'),
      wickUpColor: colour('muted'),
      wickDownColor: colour('muted'),
      priceLineVisible: false,
      lastValueVisible: false,
    })
  }

  legend() {
    const legend = document.getElementById('price-legend')
    if (legend === null) return
    const entries = /** @type {[string, string][]} */ ([
      ['<path d="M9 1 15 11H3z" fill="currentColor" style="color:var(--text)"/>', 'Open long'],
      ['<path d="M9 11 15 1H3z" fill="currentColor" style="color:var(--text)"/>', 'Open short'],
      [
        '<circle cx="9" cy="6" r="2.5" fill="currentColor" style="color:var(--text)"/>',
        'Open, where fills are many',
      ],
      ['<circle cx="9" cy="6" r="4" fill="currentColor" style="color:var(--gain)"/>', 'Close with a gain'],
      ['<circle cx="9" cy="6" r="4" fill="currentColor" style="color:var(--loss)"/>', 'Close with a loss'],
      [
        '<path d="M0 6h18" stroke="currentColor" stroke-dasharray="5 3" style="color:var(--loss)"/>',
        'Stop-loss',
      ],
      [
        '<path d="M0 6h18" stroke="currentColor" stroke-dasharray="5 3" style="color:var(--gain)"/>',
        'Take-profit',
      ],
      ['<path d="M0 6h18" stroke="currentColor" style="color:var(--liquidation)"/>', 'Liquidation price'],
      [
        '<path d="M0 6h18" stroke="currentColor" stroke-dasharray="2 3" style="color:var(--muted)"/>',
        'Resting entry',
      ],
    ])
    legend.replaceChildren(
      ...entries.map(([drawing, name]) => {
        const entry = document.createElement('span')
        entry.innerHTML = `<svg viewBox="0 0 18 12" aria-hidden="true">${drawing}</svg>`
        entry.append(name)
        return entry
      }),
    )
    this.indicators?.legend(legend)
  }
}

/** @param {number} seconds */
function intervalName(seconds) {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}
