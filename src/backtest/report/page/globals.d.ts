/** The charting libraries, which stand in the page before its own script. */
import type * as Charts from 'lightweight-charts'
import type Plot from 'uplot'

declare global {
  var LightweightCharts: typeof Charts
  var uPlot: typeof Plot
}
