// The price of a market since the page is open, and the prices at which the account holds or waits for something.
import type { AutoscaleInfo, IChartApi, IPriceLine, ISeriesApi, UTCTimestamp } from 'lightweight-charts'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiMarket, ApiOrder } from '../../../../client/client.ts'
import { fp9 } from '../../../../quantity/decimal.ts'
import { colour, onThemeChange } from '../../../../style/theme.js'
import { approximately, price, priceDecimals, quantity } from '../shared/amounts.ts'
import type { ChartLine } from './chartLines.ts'
import { LineHandles, type LineHolder } from './lineHandles.tsx'
import type { PriceTrail, TrailPoint } from './priceTrail.ts'

/** Points of a trail: below the first it does not fill the chart, beyond the second it is not fitted any more; room to the right. */
const [SHORT, LONG, ROOM] = [90, 600, 4]
/** Room for the prices at the side, pixels: as wide however many digits they have, up to a million with two decimals. */
const SCALE = 96
/** How near a pointer, or a finger, has to be to a line to grasp it, pixels. */
const [REACH, REACH_OF_FINGER] = [6, 16]
/** How far from the price a line is still brought into view, as a fraction. */
const NEAR = 0.05

type Charts = typeof import('../shared/charts.ts')

interface Props {
  readonly market: ApiMarket
  readonly trail: PriceTrail | undefined
  readonly lines: readonly ChartLine[]
  /** The reader has dragged the line of an order to a price. */
  readonly onMove: (order: ApiOrder, movedTo: bigint) => void
}

export function PriceChart({ market, trail, lines, onMove }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<DrawnChart | null>(null)
  useEffect(() => {
    let drawing: DrawnChart | null = null
    let isGone = false
    void import('../shared/charts.ts').then((charts) => {
      if (isGone || place.current === null) return
      drawing = new DrawnChart(charts, place.current)
      setDrawn(drawing)
    })
    return () => {
      isGone = true
      drawing?.end()
    }
  }, [])
  useEffect(() => {
    drawn?.show(market, trail, lines, onMove)
  })
  const now = quantity(market.state.indexPrice)
  return (
    <>
      <LineHandles lines={lines} chart={drawn} onMove={onMove} />
      <p class="unseen">
        {`${market.config.ticker} at ${price(now)}${lines.map((line) => `, ${line.title} at ${price(line.price)}`).join('')}`}
      </p>
      <div class="plot tall" ref={place} aria-hidden="true" />
    </>
  )
}

class DrawnChart implements LineHolder {
  readonly #charts: Charts
  readonly #chart: IChartApi
  readonly #series: ISeriesApi<'Line'>
  readonly #lines = new Map<string, IPriceLine>()
  readonly #endTheme: () => void
  #marketId = ''
  #decimals = 2
  #onMove: Props['onMove'] = () => {}
  #dragged: ChartLine | null = null
  /** Whether the reader has left the view as it was. */
  #untouched = true
  #first: TrailPoint | undefined
  #last: TrailPoint | undefined
  #shown: readonly ChartLine[] = []

  constructor(charts: Charts, place: HTMLElement) {
    this.#charts = charts
    this.#chart = charts.createChart(place, {
      autoSize: true,
      // Its logo would bring a style of its own, which the page's policy forbids; the notice is at the foot of the page.
      layout: { attributionLogo: false },
      // With its left edge fixed the first time is written beside it, not across it.
      timeScale: {
        timeVisible: true,
        secondsVisible: true,
        rightOffset: ROOM,
        minBarSpacing: 0.05,
        fixLeftEdge: true,
      },
      handleScroll: { vertTouchDrag: false },
      crosshair: { mode: charts.CrosshairMode.Normal },
    })
    this.#series = this.#chart.addSeries(charts.LineSeries, {
      lineWidth: 2,
      autoscaleInfoProvider: (own: () => AutoscaleInfo | null) => this.#range(own()),
    })
    place.addEventListener('wheel', this.#touch, { passive: true })
    place.addEventListener('pointerdown', this.#touch)
    place.addEventListener('pointermove', (event) => this.#hover(place, event))
    place.addEventListener('pointerdown', (event) => this.#grasp(place, event), { capture: true })
    // A finger that has grasped a line moves it, and not the page.
    place.addEventListener('touchmove', (event) => this.#dragged !== null && event.preventDefault(), {
      passive: false,
    })
    this.#paint()
    this.#endTheme = onThemeChange(() => this.#paint())
  }

  #touch = (): void => {
    this.#untouched = false
  }

  #hover(place: HTMLElement, event: PointerEvent): void {
    if (this.#dragged === null) place.classList.toggle('grasping', this.#lineAt(place, event) !== undefined)
  }

  /** The line that a pointer is on, of those that may be moved. */
  #lineAt(place: HTMLElement, { clientY, pointerType }: PointerEvent): ChartLine | undefined {
    const y = clientY - place.getBoundingClientRect().top
    const reach = pointerType === 'touch' ? REACH_OF_FINGER : REACH
    return this.#shown.find(({ order, price: level }) => {
      const at = this.#series.priceToCoordinate(approximately(level))
      return order !== null && at !== null && Math.abs(at - y) <= reach
    })
  }

  /** Follows the pointer with the line until it is let go; nothing is sent before the reader has confirmed it. */
  #grasp(place: HTMLElement, event: PointerEvent): void {
    const line = this.#lineAt(place, event)
    if (line?.order == null) return
    const { order } = line
    event.stopPropagation()
    event.preventDefault()
    this.hold(line, line.price)
    place.setPointerCapture(event.pointerId)
    let movedTo: bigint | null = null
    const follow = ({ clientY }: PointerEvent) => {
      const level = this.#series.coordinateToPrice(clientY - place.getBoundingClientRect().top)
      if (level === null || level <= 0) return
      movedTo = fp9(level.toFixed(this.#decimals))
      this.hold(line, movedTo)
    }
    const ended = new AbortController()
    const { signal } = ended
    const letGo = ({ type }: Event) => {
      ended.abort()
      this.letGo()
      if (type === 'pointerup' && movedTo !== null) this.#onMove(order, movedTo)
    }
    place.addEventListener('pointermove', follow, { signal })
    place.addEventListener('pointerup', letGo, { signal })
    // What takes the pointer away, such as a second finger, leaves the order where it is.
    place.addEventListener('pointercancel', letGo, { signal })
    document.addEventListener('keydown', (event) => event.key === 'Escape' && letGo(event), { signal })
  }

  hold(line: ChartLine, level: bigint): void {
    this.#dragged = line
    this.#lines.get(line.id)?.applyOptions({ price: approximately(level) })
  }

  letGo(): void {
    if (this.#dragged === null) return
    this.#dragged = null
    this.#draw(this.#shown)
  }

  end(): void {
    this.#endTheme()
    this.#chart.remove()
  }

  show(
    market: ApiMarket,
    trail: PriceTrail | undefined,
    lines: readonly ChartLine[],
    onMove: Props['onMove'],
  ): void {
    this.#onMove = onMove
    const points = trail?.points ?? []
    if (market.id !== this.#marketId) this.#open(market, points)
    else this.#goOn(points)
    this.#draw(lines)
  }

  #open(market: ApiMarket, points: readonly TrailPoint[]): void {
    this.#marketId = market.id
    const precision = priceDecimals(quantity(market.state.indexPrice))
    this.#decimals = precision
    const digits = { minimumFractionDigits: precision, maximumFractionDigits: precision }
    const { format } = new Intl.NumberFormat('en', digits)
    this.#series.applyOptions({
      priceFormat: { type: 'custom', formatter: format, minMove: 10 ** -precision },
    })
    this.#setAll(points)
    this.#untouched = true
    this.#fit(points.length)
  }

  /** A short trail fills its place from the left; a longer one is followed by the chart itself. */
  #fit(count: number): void {
    if (!this.#untouched || count > LONG) return
    const to = Math.max(SHORT, count + ROOM)
    this.#chart.timeScale().setVisibleLogicalRange({ from: 0, to })
  }

  /** The prices to show: those of the trail, and of the lines what is near enough not to flatten it. */
  #range(own: AutoscaleInfo | null): AutoscaleInfo | null {
    if (own?.priceRange == null || this.#last === undefined) return own
    const { value } = this.#last
    const near = this.#shown
      .map((line) => approximately(line.price))
      .filter((level) => Math.abs(level / value - 1) <= NEAR)
    const { minValue, maxValue } = own.priceRange
    return {
      ...own,
      priceRange: { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) },
    }
  }

  #setAll(points: readonly TrailPoint[]): void {
    this.#series.setData(points.map(pointOf))
    this.#first = points[0]
    this.#last = points.at(-1)
  }

  #goOn(points: readonly TrailPoint[]): void {
    // What has left the trail leaves the chart, which keeps all it was ever given.
    if (points[0]?.time !== this.#first?.time) return this.#setAll(points)
    const from = this.#last?.time ?? 0
    let first = points.length
    while (first > 0 && (points[first - 1] as TrailPoint).time >= from) first--
    for (const point of points.slice(first)) if (point !== this.#last) this.#series.update(pointOf(point))
    if (points.at(-1)?.time !== this.#last?.time) this.#fit(points.length)
    this.#last = points.at(-1)
  }

  #draw(lines: readonly ChartLine[]): void {
    if (this.#dragged !== null) return
    this.#shown = lines
    const left = new Set(this.#lines.keys())
    for (const line of lines) {
      left.delete(line.id)
      const options = this.#optionsOf(line)
      const drawn = this.#lines.get(line.id)
      if (drawn === undefined) this.#lines.set(line.id, this.#series.createPriceLine(options))
      else if (differs(drawn, options)) drawn.applyOptions(options)
    }
    for (const id of left) {
      this.#series.removePriceLine(this.#lines.get(id) as IPriceLine)
      this.#lines.delete(id)
    }
  }

  #optionsOf({ price: level, title, colour: name, isDashed }: ChartLine) {
    const { LineStyle } = this.#charts
    return {
      price: approximately(level),
      title,
      color: colour(name),
      lineWidth: 1 as const,
      lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
      axisLabelVisible: true,
      axisLabelTextColor: colour('card'),
    }
  }

  #paint(): void {
    this.#chart.applyOptions({
      layout: {
        background: { color: colour('card') },
        textColor: colour('muted'),
        fontFamily: getComputedStyle(document.body).fontFamily,
      },
      grid: { vertLines: { color: colour('grid') }, horzLines: { color: colour('grid') } },
      rightPriceScale: { borderColor: colour('line'), minimumWidth: SCALE },
      timeScale: { borderColor: colour('line') },
    })
    this.#series.applyOptions({ color: colour('text'), priceLineColor: colour('muted') })
    for (const line of this.#shown) this.#lines.get(line.id)?.applyOptions(this.#optionsOf(line))
  }
}

const pointOf = ({ time, value }: TrailPoint) => ({ time: time as UTCTimestamp, value })

function differs(drawn: IPriceLine, { price: level, title }: { price: number; title: string }): boolean {
  const now = drawn.options()
  return now.price !== level || now.title !== title
}
