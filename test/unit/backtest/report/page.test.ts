// The page: nothing in the data can break out of it, it asks for nothing, and it stays small.

import { describe, expect, test } from 'vitest'
import { CurveRecorder } from '../../../../src/backtest/accounting/curve.ts'
import { CandleRecorder } from '../../../../src/backtest/recording/candles.ts'
import { readAssets } from '../../../../src/backtest/report/assets.ts'
import { candleSeries } from '../../../../src/backtest/report/candleSeries.ts'
import { curveSeries } from '../../../../src/backtest/report/curveSeries.ts'
import { html, jsonElement } from '../../../../src/backtest/report/html.ts'
import { renderReport } from '../../../../src/backtest/report/render.ts'
import type { TradeRow } from '../../../../src/backtest/report/tradeSeries.ts'
import {
  ambiguousRun,
  liquidatedRun,
  optionsFor,
  recorded,
  runThatFailsAtOnce,
  runWithoutTrades,
} from './runs.ts'

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)",
  '&lt;b&gt;',
  '\u2028\u2029\u0000',
]

describe('nothing in the data can break out of the page', () => {
  test.each(HOSTILE)('a strategy called %j', async (name) => {
    const { report } = await recorded(optionsFor(Array(3).fill([100, 101, 99, 100]), { name }))
    const plainName = await recorded(optionsFor(Array(3).fill([100, 101, 99, 100]), { name: 'plain' }))
    const hostile = {
      ...report,
      notes: HOSTILE,
      rejections: [[name, 1]] as const,
      charts: { ...report.charts, assets: [name] },
    }
    const elements = (page: string) => page.match(/<(?!\/)[a-z]+/gi)?.length
    const expected = {
      ...plainName.report,
      notes: HOSTILE.map(() => 'note'),
      rejections: [['code', 1]] as const,
    }
    expect(elements(renderReport(hostile))).toBe(elements(renderReport(expected)))
  })

  test.each(HOSTILE)('%j survives as JSON', (text) => {
    const { text: element } = jsonElement('id', { text })
    const json = element.slice(element.indexOf('>') + 1, element.lastIndexOf('<'))
    expect(json).not.toContain('<')
    expect(JSON.parse(json)).toEqual({ text })
  })

  test('values are escaped, markup is not', () => {
    expect(html`<a title="${'"<&\'>'}">${html`<b>${'<'}</b>`}${[html`<i></i>`]}${null}${1}</a>`.text).toBe(
      '<a title="&quot;&lt;&amp;&#39;&gt;"><b>&lt;</b><i></i>1</a>',
    )
  })
})

test.each([
  ['ambiguous bars', ambiguousRun],
  ['no trades', runWithoutTrades],
  ['a failure on the first day', runThatFailsAtOnce],
  ['a liquidation', liquidatedRun],
])('a run with %s: the page asks for nothing outside itself', async (_, run) => {
  const page = renderReport((await run()).report)
  expect(page.startsWith('<!doctype html>')).toBe(true)
  expect(page.includes('default-src &#39;none&#39;')).toBe(true)
  const markup = page.replace(/<(script|style|pre)[\s\S]*?<\/\1>/g, '')
  expect(markup.match(/<(link|iframe|img|object|embed|base|form)\b/gi)).toBeNull()
  expect(markup.match(/ (src|srcset|action|on\w+)=/gi)).toBeNull()
  expect(page.match(/<script[^>]+src=/gi)).toBeNull()
  const style = page.slice(page.indexOf('<style>'), page.indexOf('</style>'))
  expect(style.match(/url\((?!["']?data:)|@import/gi)).toBeNull()
  expect(markup.match(/\b(NaN|undefined|Infinity|null)\b/g)).toBeNull()
})

test('attribution and licences travel with the page', async () => {
  const page = renderReport((await runWithoutTrades()).report)
  expect(page).not.toContain('Other accounts')
  for (const words of ['https://www.tradingview.com/', 'Apache License', 'Permission is hereby granted'])
    expect(page.includes(words)).toBe(true)
})

test('the modules of the page share no name, so they can become one', () => {
  const { page } = readAssets()
  expect(page).not.toMatch(/^(import|export) /m)
  const names = [...page.matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a million bars and twenty thousand trades stay below 5 MB', async () => {
  const { report } = await ambiguousRun()
  const candles = new CandleRecorder(60_000)
  const curve = new CurveRecorder()
  const start = Date.UTC(2024, 0, 1)
  let price = 60_000_0n
  for (let bar = 0; bar < 1_000_000; bar++) {
    price += BigInt(((bar * 7919) % 201) - 100)
    const close = price * 100_000_000n
    candles.add(start + bar * 60_000, close, close + 5_000_000_000n, close - 7_000_000_000n, close, 1)
    curve.add(start + bar * 60_000 + 59_999, close / 6n, close / 6n, close)
  }
  const row = report.charts.trades.rows[0] as TradeRow
  const rows = Array.from({ length: 4000 }, (_, number) => ({ ...row, number, pnl: number / 7 }))
  const page = renderReport({
    ...report,
    charts: {
      ...report.charts,
      candles: [candleSeries(candles.candles())],
      curve: curveSeries(curve.curve()),
      trades: { ...report.charts.trades, total: 20_000, rows },
    },
  })
  expect(Buffer.byteLength(page)).toBeLessThan(5_000_000)
})
