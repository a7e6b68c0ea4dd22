// docs/security.md says of every route and every command what the code says.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { routeTable } from './routeTable.ts'
import { commandRows, routeRows } from './securityTables.ts'
import { ALICE, CONFIGURATION, marketOrder, startVenue } from './venue.ts'

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

test('a browser sends nothing by itself that lets a foreign page in, and may show it nothing', async () => {
  const venue = await startVenue(CONFIGURATION)
  const foreign = { origin: 'https://elsewhere.example' }
  const asking = { ...foreign, 'access-control-request-method': 'POST' }
  const cookie = { ...foreign, cookie: `authorization=Bearer ${ALICE.session}; token=${ALICE.session}` }
  const answers = [
    await venue.call('OPTIONS', '/orders', { key: null, headers: asking }),
    await venue.call('POST', '/orders', { key: null, headers: cookie, body: marketOrder() }),
    await venue.call('GET', '/accounts/with-risk-status', { key: ALICE.session, headers: foreign }),
    await venue.call('GET', '/console', { key: null, headers: foreign }),
  ]
  await venue.venue.close()
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200])
  for (const { headers } of answers)
    expect([...headers.keys()].filter((name) => /^(?:set-cookie|access-control-.*)$/.test(name))).toEqual([])
})
