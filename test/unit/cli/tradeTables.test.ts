import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { typed } from '../../typed.ts'

const ROWS = Array.from({ length: 30 }, (_, day) => {
  const date = new Date(Date.UTC(2025, 0, 1 + day, 12)).toISOString().slice(0, 10)
  return `${date} 12:00:00,${day % 4 === 0 ? '-' : ''}${100 + day}.25`
})
const TABLE = `${['Close time,Profit', ...ROWS].join('\n')}\n`

test('a table of trades in UTF-16, as platforms of Windows write it, says what the same says in UTF-8', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'trade-tables-'))
  try {
    writeFileSync(path.join(folder, 'mine.csv'), TABLE)
    const found = await odds(folder)
    expect(found.code, found.stderr).toBe(0)
    expect(found.stdout).toContain('"trades": 30')
    writeFileSync(path.join(folder, 'mine.csv'), `\uFEFF${TABLE}`, 'utf16le')
    expect(await odds(folder)).toEqual(found)
    writeFileSync(path.join(folder, 'mine.csv'), `\uFEFF${TABLE}`)
    expect(await odds(folder)).toEqual(found)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([
  ['--risk 1,2,1', /A multiple stands there more than once/],
  ['--traded-balance 25k', /amount above zero, without separators: 25000/],
  ['--traded-balance 0', /amount above zero/],
  ['--asset ETH', /--asset goes with --data beside --trades/],
])('%s beside a table of trades is refused in a sentence', async (options, said) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'trade-tables-'))
  try {
    writeFileSync(path.join(folder, 'mine.csv'), TABLE)
    const { code, stderr } = await typed(`evaluate --trades mine.csv ${options}`.split(' '), folder)
    expect(code).toBe(2)
    expect(stderr).toMatch(said)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const odds = (folder: string) =>
  typed('evaluate --trades mine.csv --paths 12 --horizon 6 --workers 1 --seed kept --json'.split(' '), folder)
