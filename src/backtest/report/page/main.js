// Starts the page.

import { startTheme, switchTheme } from '../../../style/theme.js'
import { drawBars } from './barCharts.js'
import { drawCurves } from './curveCharts.js'
import { PriceChart } from './priceChart.js'
import { makeScrollersReachable } from './scrollers.js'
import { TradeTable } from './tradeTable.js'

/** @type {import('../reportData.ts').ReportCharts} */
const charts = JSON.parse(document.getElementById('report-data')?.textContent ?? '')
startTheme()
document.getElementById('theme')?.addEventListener('click', switchTheme)
const priceChart = new PriceChart(charts)
priceChart.start()
drawCurves(charts)
drawBars(charts)
new TradeTable(charts, (trade) => priceChart.showTrade(trade)).start()
makeScrollersReachable()
document.documentElement.dataset.drawn = 'true'
