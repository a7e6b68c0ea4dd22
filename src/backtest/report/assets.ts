/** The styles and scripts of the page, and the charting libraries from their packages, as text to be inlined. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export interface Assets {
  readonly styles: string
  /** Scripts in the order in which they run. */
  readonly libraries: readonly string[]
  /** A module. */
  readonly page: string
  /** Licences of what is inlined, in full. */
  readonly notices: string
}

/** In the order of their dependence; each imports only from those before it. */
const PAGE_MODULES = [
  'series.js',
  'format.js',
  '../../../style/theme.js',
  'elements.js',
  'drawings.js',
  'indicatorLines.js',
  'priceChart.js',
  'curveCharts.js',
  'barCharts.js',
  'tradeTable.js',
  'scrollers.js',
  'main.js',
]

const TRADINGVIEW_NOTICE = `TradingView Lightweight Charts™
Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/`

const LIBRARIES = ['lightweight-charts', 'uplot'] as const

/** @throws RangeError that names the charting packages that are not installed. */
export function readAssets(): Assets {
  const missing = LIBRARIES.filter((name) => packageFolder(name) === null)
  if (missing.length > 0)
    throw new RangeError(`a report needs ${missing.join(' and ')}: npm install ${missing.join(' ')}`)
  return {
    styles: packageFile('uplot', 'dist/uPlot.min.css') + pageStyles(),
    libraries: [
      packageFile('lightweight-charts', 'dist/lightweight-charts.standalone.production.js'),
      packageFile('uplot', 'dist/uPlot.iife.min.js'),
    ],
    page: PAGE_MODULES.map((name) => withoutImports(pageFile(name))).join('\n'),
    notices: [
      TRADINGVIEW_NOTICE,
      packageFile('lightweight-charts', 'LICENSE'),
      `uPlot\n${packageFile('uplot', 'LICENSE')}`,
    ].join('\n\n'),
  }
}

/** The script of the pages that draw nothing. */
export function studyScript(): string {
  return ['../../../style/theme.js', 'sortableTables.js', 'scrollers.js', 'study.js']
    .map((name) => withoutImports(pageFile(name)))
    .join('\n')
}

/** Without those of the charting libraries. */
export function pageStyles(): string {
  return pageFile('../../../style/base.css') + pageFile('report.css')
}

function pageFile(name: string): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8')
}

function packageFile(name: (typeof LIBRARIES)[number], file: string): string {
  return readFileSync(path.join(packageFolder(name) ?? '', file), 'utf8')
}

/** Null where it is not installed. */
function packageFolder(name: string): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return null
  }
}

/** The modules of the page become one: their names do not clash, so imports and exports can simply go. */
function withoutImports(module: string): string {
  return module.replace(/^import [^;]*? from '[^']+'\n/gm, '').replace(/^export /gm, '')
}
