// What is deployed beside the package speaks of metrics that are served, and the restore drill restores.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { CONFIGURATION, marketOrder, OPERATOR, startVenue, type VenueUnderTest } from './venue.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const deployed = (file: string) => readFile(path.join(ROOT, 'deployment', file), 'utf8')
const run = promisify(execFile)

let directory: string
let venue: VenueUnderTest
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-deployment-'))
  venue = await startVenue(CONFIGURATION, { store: await openLmdbStore(directory) })
  await venue.post('/orders', marketOrder())
})
afterAll(async () => {
  await venue.venue.close()
  await rm(directory, { recursive: true })
})

test.each(['alerts.yml', 'dashboard.json'])('%s names only metrics that there are', async (file) => {
  const { text } = await venue.get('/operator/metrics', { key: OPERATOR })
  const served = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]))
  const named = [...new Set((await deployed(file)).match(/\bmargin_core_\w+/g))]
  expect(named.length).toBeGreaterThan(8)
  for (const name of named) {
    const base = name.replace(/_(?:bucket|sum|count)$/, '')
    expect(served.get(base) === 'histogram' || (base === name && served.has(name)), name).toBe(true)
  }
})

test('the dashboard is one: every panel has a place, a unit and something to show', async () => {
  const { panels } = JSON.parse(await deployed('dashboard.json'))
  expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length)
  for (const { targets, fieldConfig } of panels) {
    expect(targets.length).toBeGreaterThan(0)
    expect(fieldConfig.defaults.unit).toMatch(/\w/)
  }
})

test('the restore drill copies, verifies and serves what a running venue has written', async () => {
  const command = `${process.execPath} --import tsx ${path.join(ROOT, 'src/cli/main.ts')}`
  const { stdout } = await run('bash', [path.join(ROOT, 'deployment/restore-drill.sh'), directory], {
    cwd: ROOT,
    env: { ...process.env, MARGIN_CORE: command },
  })
  const [, head] = /^restored: commit (\d+) is served$/m.exec(stdout) ?? []
  expect(Number(head)).toBe((await venue.get('/operator/health', { key: OPERATOR })).body.durableHead)
}, 60_000)

test('a directory without a log is no backup: the drill ends as the backup does', async () => {
  const command = `${process.execPath} --import tsx ${path.join(ROOT, 'src/cli/main.ts')}`
  const drill = run(
    'bash',
    [path.join(ROOT, 'deployment/restore-drill.sh'), path.join(directory, 'nothing')],
    {
      cwd: ROOT,
      env: { ...process.env, MARGIN_CORE: command },
    },
  )
  await expect(drill).rejects.toMatchObject({ code: 2 })
}, 60_000)

test('the configuration shown in docs/deployment.md is one', async () => {
  const page = await readFile(path.join(ROOT, 'docs/deployment.md'), 'utf8')
  const [, shown = ''] = /```jsonc\n(.*?)```/s.exec(page) ?? []
  const filled = shown.replace(/\$\{(\w+)\}/g, 'secret-$1')
  expect(readConfiguration(Buffer.from(filled)).operatorListen).toEqual({ host: '127.0.0.1', port: 8081 })
})
