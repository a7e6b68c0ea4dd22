import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openFeed } from '../../../../src/backtest/index.ts'
import { scratchFile } from './sampleMarket.ts'

test('a file that is not there is told with what lies beside it under its name, but for a part of what is being fetched', async () => {
  const packed = scratchFile('prices.csv.gz', 'x')
  const asked = packed.replace(/\.gz$/, '')
  writeFileSync(`${asked}.part`, 'x')
  const beside = packed.slice(packed.lastIndexOf('/') + 1)
  const told = `the file cannot be opened (there is no such file; ${beside} lies beside)`
  await expect(openFeed({ path: asked })).rejects.toThrow(told)
})

test('where nothing has its name, or its folder is not there, nothing more is said', async () => {
  const beside = scratchFile('other.csv', 'x')
  const folder = beside.slice(0, beside.lastIndexOf('/'))
  mkdirSync(`${folder}/empty`, { recursive: true })
  for (const path of [`${folder}/empty/other.csv`, `${folder}/nowhere/other.csv`])
    await expect(openFeed({ path })).rejects.toThrow('cannot be opened (there is no such file)')
})

test('what is there and is no file is told as what it is', async () => {
  await expect(openFeed({ path: '/dev/null' })).rejects.toThrow(
    'cannot be opened (/dev/null is a device, not a file)',
  )
})
