// What a generated client gets of the description: types that compile, with names. The generator needs an older compiler than this
// project has, so that it is installed for the test alone, every night.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NIGHTLY } from '../properties/runs.ts'
import { CONFIGURATION, startVenue } from './venue.ts'

const GENERATOR = ['openapi-typescript@7', 'typescript@5']
const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-openapi-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.skipIf(!NIGHTLY)(
  'openapi-typescript makes types of it that compile and have names',
  { timeout: 900_000 },
  async () => {
    const venue = await startVenue(CONFIGURATION)
    const { text } = await venue.get('/openapi.json', { key: null })
    await venue.venue.close()
    writeFileSync(path.join(folder, 'openapi.json'), text)
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...GENERATOR], {
      cwd: folder,
    })
    await run('npx', ['--no-install', 'openapi-typescript', 'openapi.json', '-o', 'api.ts'], { cwd: folder })
    writeFileSync(path.join(folder, 'use.ts'), USE)
    const compiler = path.join(root, 'node_modules/.bin/tsc')
    await run(compiler, ['--noEmit', '--strict', '--types', '', 'use.ts'], { cwd: folder })
    const types = readFileSync(path.join(folder, 'api.ts'), 'utf8')
    const named = Object.keys(JSON.parse(text).components.schemas)
    for (const name of named) expect(types).toContain(`        ${name}: `)
    expect(named.length).toBeGreaterThan(80)
  },
)

/** What a program writes against it. */
const USE = `
import type { components, operations } from './api'

type Schemas = components['schemas']
export const order: Schemas['PlaceOrder'] = {
  accountId: '00000000-0000-4000-8000-000000000002',
  marketId: '00000000-0000-4000-8000-00000000000b',
  type: 'market',
  direction: 'long',
  amount: '1000000000000',
  leverage: '5000000000',
}
export const levels = (position: Schemas['Position']): string[] => [position.margin, position.notional]
export type Placed = operations['placeOrder']['responses'][201]['content']['application/json']
export const status = (placed: Placed): Schemas['Order']['status'] => placed.status
// @ts-expect-error: there is no such order type
export const none: Schemas['PlaceOrder']['type'] = 'iceberg'
`
