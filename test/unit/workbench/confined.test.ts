// Paths of a page stay in the folder, however they are written and whatever links are in it.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { newPlaceIn, Outside, placeIn } from '../../../src/workbench/confined.ts'

const around = realpathSync(mkdtempSync(path.join(tmpdir(), 'margin-core-confined-')))
const home = path.join(around, 'home')
afterAll(() => rmSync(around, { recursive: true }))
mkdirSync(path.join(home, 'runs/first'), { recursive: true })
writeFileSync(path.join(home, 'bars.csv'), '')
writeFileSync(path.join(around, 'secret.csv'), '')
symlinkSync(path.join(around, 'secret.csv'), path.join(home, 'linked.csv'))
symlinkSync(around, path.join(home, 'up'))
symlinkSync(path.join(home, 'runs'), path.join(home, 'again'))

const ESCAPES = [
  ...['', '..', '../secret.csv', 'runs/../../secret.csv', path.join(around, 'secret.csv'), '/etc/passwd'],
  ...[
    'linked.csv',
    'up/secret.csv',
    'up',
    'up/home/../secret.csv',
    'runs\\..\\..\\secret.csv',
    'C:\\secret.csv',
  ],
  ...['--data', '-', 'bars.csv\0', 'bars.csv\n', `${'a/'.repeat(600)}b`, '.'],
]

describe('a path in the folder', () => {
  test.each(['bars.csv', './bars.csv', 'runs', 'runs/first', 'again/first'])('%s is there', async (shown) => {
    expect(await placeIn(home, shown)).toBe(realpathSync(path.join(home, shown)))
  })

  test.each(ESCAPES)('%j is none', async (shown) => {
    await expect(placeIn(home, shown)).rejects.toThrow(Outside)
    if (shown !== 'linked.csv') await expect(newPlaceIn(home, shown)).rejects.toThrow(Outside)
  })

  test('what is not there cannot be read', async () => {
    await expect(placeIn(home, 'nowhere.csv')).rejects.toThrow(
      'nowhere.csv: there is no such file in the folder',
    )
  })

  test.each(['runs/second', 'new/deeper/still', 'again/third'])('%s can be made', async (shown) => {
    expect(await newPlaceIn(home, shown)).toBe(path.join(home, shown.replace('again', 'runs')))
  })

  test.each(['up/made', 'linked.csv/made'])('nothing is made by way of %s', async (shown) => {
    await expect(newPlaceIn(home, shown)).rejects.toThrow(Outside)
  })
})
