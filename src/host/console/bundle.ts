/**
 * How the console is made: its page, written in TypeScript, as files that a browser loads. A release is packed with the files;
 * a checkout makes them when they are first asked for. esbuild is a tool of development: no installed package needs it.
 */
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The packages that are part of the files. */
const INSIDE = ['preact', 'decimal.js', 'lightweight-charts'] as const
const CHARTS_NOTICE = `TradingView Lightweight Charts™, with fancy-canvas (MIT)
Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/`

/** The files by name. `page`: the folder of its sources. */
export async function bundleConsole(page: string): Promise<Map<string, string>> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: {
      console: path.join(page, 'main.tsx'),
      charts: path.join(page, 'shared/charts.ts'),
      style: path.join(page, 'console.css'),
    },
    outdir: page,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    splitting: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  const files = new Map(outputFiles.map(({ path: at, text }) => [path.basename(at), text]))
  files.set('icon.svg', await readFile(path.join(page, 'icon.svg'), 'utf8'))
  return files.set('licences.txt', await licences(page))
}

async function licences(page: string): Promise<string> {
  const { resolve } = createRequire(path.join(page, 'main.tsx'))
  const texts = INSIDE.map(async (name) => {
    const folder = path.dirname(resolve(`${name}/package.json`))
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one)) as string
    return `${name}\n\n${await readFile(path.join(folder, file), 'utf8')}`
  })
  return [CHARTS_NOTICE, ...(await Promise.all(texts))].join('\n\n')
}
