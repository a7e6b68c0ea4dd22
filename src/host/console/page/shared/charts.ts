// The charting library, in a file of its own: what else the page shows does not wait for it.
export { CrosshairMode, createChart, LineSeries, LineStyle } from 'lightweight-charts'
