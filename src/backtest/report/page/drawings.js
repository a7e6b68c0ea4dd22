// What is drawn over the candles: fills at their exact price and time, trades as lines, and levels while they stood.

import { colour } from '../../../style/theme.js'
import { indexAt } from './series.js'

/** @typedef {import('../tradeSeries.ts').TradeSeries} TradeSeries */

/** More than this in view is a carpet, not information. */
const MOST_LEVELS = 600
const MOST_ARROWS = 160

/** A drawing layer of the price chart (an ISeriesPrimitive). */
export class Drawings {
  /** @param {TradeSeries} trades @param {number} market */
  constructor(trades, market) {
    this.fills = trades.fills.filter((fill) => fill[0] === market)
    this.levels = trades.levels.filter((level) => level[0] === market)
    this.rows = trades.rows.filter((row) => row.market === market)
    this.showLevels = true
    /** @type {import('./series.js').Candles | null} */
    this.candles = null
    /** @type {{ x: number, y: number, fill: import('../tradeSeries.ts').FillRow }[]} */
    this.spots = []
    const draw = this.draw.bind(this)
    this.view = { zOrder: () => /** @type {const} */ ('top'), renderer: () => ({ draw }) }
  }

  /** @param {import('lightweight-charts').SeriesAttachedParameter} attachment */
  attached({ chart, series, requestUpdate }) {
    this.chart = chart
    this.series = series
    this.requestUpdate = requestUpdate
  }

  updateAllViews() {}

  paneViews() {
    return [this.view]
  }

  /** @param {import('./series.js').Candles} candles */
  setCandles(candles) {
    this.candles = candles
    this.requestUpdate?.()
  }

  /** Where a second lies on the time axis. @param {number} second */
  x(second) {
    const { candles, chart } = this
    if (candles === null || chart === undefined) return null
    const row = Math.max(indexAt(candles.time, second), 0)
    const part = Math.min(Math.max((second - candles.time[row]) / candles.interval, 0), 1)
    const scale = chart.timeScale()
    const middle = scale.logicalToCoordinate(/** @type {import('lightweight-charts').Logical} */ (row))
    return middle === null ? null : middle + (part - 0.5) * scale.options().barSpacing
  }

  /** @param {{ useMediaCoordinateSpace: (f: (scope: { context: CanvasRenderingContext2D, mediaSize: { width: number, height: number } }) => void) => void }} target */
  draw(target) {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      if (this.showLevels) this.drawLevels(context, mediaSize.width)
      this.drawTrades(context, mediaSize.width)
      this.drawFills(context, mediaSize.width)
    })
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width */
  drawLevels(context, width) {
    /** @type {Record<string, [colour: string, dash: number[]]>} */
    const styles = {
      stop: [colour('loss'), [5, 3]],
      take: [colour('gain'), [5, 3]],
      liquidation: [colour('liquidation'), []],
      entry: [colour('muted'), [2, 3]],
    }
    const lines = []
    for (const [, kind, price, from, to] of this.levels) {
      const left = this.x(from)
      const right = to === null ? width : this.x(to)
      const y = this.series?.priceToCoordinate(price)
      if (left === null || right === null || y === null || y === undefined) continue
      if (right < 0 || left > width || right - left < 3) continue
      lines.push({ kind, left, right, y })
    }
    if (lines.length > MOST_LEVELS) return
    context.lineWidth = 1
    for (const { kind, left, right, y } of lines) {
      const [stroke, dash] = styles[kind] ?? styles.entry
      context.strokeStyle = stroke
      context.setLineDash(dash)
      context.beginPath()
      context.moveTo(left, y)
      context.lineTo(right, y)
      context.stroke()
    }
    context.setLineDash([])
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width */
  drawTrades(context, width) {
    context.lineWidth = 1.5
    for (const { opened, closed, entry, exit, pnl } of this.rows) {
      const [left, right] = [this.x(opened), this.x(closed)]
      const [from, to] = [this.series?.priceToCoordinate(entry), this.series?.priceToCoordinate(exit)]
      if (left === null || right === null || from == null || to == null) continue
      if (right < 0 || left > width || right - left < 2) continue
      context.strokeStyle = colour(pnl > 0 ? 'gain' : 'loss')
      context.beginPath()
      context.moveTo(left, from)
      context.lineTo(right, to)
      context.stroke()
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width */
  drawFills(context, width) {
    this.spots = []
    for (const fill of this.fills) {
      const x = this.x(fill[1])
      const y = this.series?.priceToCoordinate(fill[4])
      if (x === null || y == null || x < -10 || x > width + 10) continue
      this.spots.push({ x, y, fill })
    }
    const size = this.spots.length > MOST_ARROWS ? 2.5 : 6
    const [gain, loss, text, card] = ['gain', 'loss', 'text', 'card'].map(colour)
    for (const { x, y, fill } of this.spots) {
      const [, , opens, long, , , , pnl] = fill
      context.fillStyle = opens ? text : (pnl ?? 0) > 0 ? gain : loss
      context.strokeStyle = card
      context.lineWidth = 1
      context.beginPath()
      if (!opens || size < 6) context.arc(x, y, size < 6 ? size : 4, 0, 2 * Math.PI)
      else triangle(context, x, y, long ? -size : size)
      context.fill()
      context.stroke()
    }
  }

  /** The fill nearest to a point, if one is near. @param {number} x @param {number} y */
  fillAt(x, y) {
    let nearest = null
    let best = 12 ** 2
    for (const spot of this.spots) {
      const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2
      if (distance < best) [best, nearest] = [distance, spot]
    }
    return nearest
  }
}

/** Up for a negative height. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} height */
function triangle(context, x, y, height) {
  context.moveTo(x, y + height)
  context.lineTo(x - Math.abs(height), y - height * 0.7)
  context.lineTo(x + Math.abs(height), y - height * 0.7)
  context.closePath()
}
