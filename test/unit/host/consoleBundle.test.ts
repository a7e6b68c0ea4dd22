// The console in files: its page, its charts and its style, and with them the licence of every package that is inside.

import path from 'node:path'
import { expect, test } from 'vitest'
import { bundleConsole } from '../../../src/host/console/bundle.ts'

test('the files of the console are whole, and say whose work is in them', async () => {
  const files = await bundleConsole(path.resolve(import.meta.dirname, '../../../src/host/console/page'))
  const names = [...files.keys()].filter((name) => !name.startsWith('chunk-'))
  expect(names.sort()).toEqual(['charts.js', 'console.js', 'icon.svg', 'licences.txt', 'style.css'])
  for (const text of files.values()) expect(text.length).toBeGreaterThan(200)
  expect(files.get('icon.svg')).toMatch(/^<svg /)
  const licences = files.get('licences.txt') ?? ''
  expect(licences.split('\n')[1]).toMatch(/^Copyright \(c\) \d+ TradingView/)
  const [, preact, decimal, charts] = licences.split(/^(?:preact|decimal\.js|lightweight-charts)$/m)
  expect(preact).toContain('Jason Miller')
  expect(decimal).toContain('Michael Mclaughlin')
  expect(charts).toContain('Apache License')
  // Shortened for browsers: neither indented nor commented.
  expect(files.get('console.js')?.split('\n').length).toBeLessThan(200)
})
