// docs/security.md says of every route and every command what the code says.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { routeTable } from './routeTable.ts'
import { commandRows, routeRows } from './securityTables.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/security.md'), 'utf8')
const rowsUnder = (head: string) => {
  const [, table = ''] = page.split(`${head}\n|---|---|\n`)
  return (table.split('\n\n')[0] as string).split('\n')
}

test('who may use which route', async () => {
  expect(rowsUnder('| route | for |')).toEqual(routeRows(await routeTable()))
})

test('which role sends which command', () => {
  expect(rowsUnder('| platform command | least role |')).toEqual(commandRows())
})
