/**
 * How the console is made: its page, written in TypeScript, as files that a browser loads. A release is packed with the files;
 * a checkout makes them when they are first asked for. esbuild is a tool of development: no installed package needs it.
 */
import { bundlePage } from '../pages/bundlePage.ts'

const CHARTS_NOTICE = `TradingView Lightweight Charts™, with fancy-canvas (MIT)
Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/`

/** The files by name. `page`: the folder of its sources. */
export function bundleConsole(page: string): Promise<Map<string, string>> {
  return bundlePage(page, {
    entries: { console: 'main.tsx', charts: 'shared/charts.ts', style: 'console.css' },
    icon: 'icon.svg',
    inside: ['preact', 'decimal.js', 'lightweight-charts'],
    notice: CHARTS_NOTICE,
  })
}
