// What is deployed beside the package speaks of metrics that are served, and the restore drill restores.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { NEWER_NODE } from '../newerNode.ts'
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

test('npm start, the unit and the container hand Node the same flags, which every Node here takes', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'))
  const flags = [scripts.start, await deployed('margin-core.service'), await deployed('Dockerfile')].map(
    (text: string) => /\bnode"?,? ((?:"?--[^ ]+ )+)"?\S*(?:main\.js|margin-core)/.exec(text)?.[1] ?? '',
  )
  const [first = '', ...others] = flags.map((text) => text.replaceAll(/[",]/g, '').trim())
  expect(first).toMatch(/^--/)
  expect(others).toEqual([first, first])
  for (const node of [process.execPath, ...(NEWER_NODE === null ? [] : [NEWER_NODE])])
    expect(await run(node, [...first.split(' '), '--eval', '0'])).toEqual({ stdout: '', stderr: '' })
})

/** A tool of the system, where there is one: what it says of a file of the deployment, and with which status. */
const isThere = (tool: string) =>
  (process.env.PATH ?? '').split(path.delimiter).some((place) => existsSync(path.join(place, tool)))

test.skipIf(!isThere('promtool'))('promtool finds no fault with the alerts', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', path.join(ROOT, 'deployment/alerts.yml')])
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/)
})

test.skipIf(!isThere('systemd-analyze'))('systemd finds no fault with the unit', async () => {
  const unit = path.join(directory, 'margin-core.service')
  await writeFile(unit, (await deployed('margin-core.service')).replace('/usr/bin/node', process.execPath))
  const { stdout, stderr } = await run('systemd-analyze', ['verify', unit])
  expect(stdout + stderr).toBe('')
})

test.skipIf(!(isThere('nginx') && isThere('openssl')))('nginx finds no fault with the proxy', async () => {
  const place = await mkdtemp(path.join(tmpdir(), 'margin-core-nginx-'))
  const keys = ['-keyout', path.join(place, 'privkey.pem'), '-out', path.join(place, 'fullchain.pem')]
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=venue.example',
    ...keys,
  ])
  const proxy = (await deployed('nginx.conf')).replaceAll('/etc/letsencrypt/live/venue.example', place)
  const whole = `pid ${place}/pid; error_log ${place}/log; events {} http { access_log off; ${proxy} }`
  await writeFile(path.join(place, 'nginx.conf'), whole)
  const { stderr } = await run('nginx', ['-t', '-p', place, '-c', path.join(place, 'nginx.conf')])
  expect(stderr).toContain('test is successful')
  expect(stderr).not.toContain('warn')
  await rm(place, { recursive: true })
})

test('the restore drill copies, verifies and serves what a running venue has written', async () => {
  const command = `${process.execPath} --import tsx ${path.join(ROOT, 'src/cli/main.ts')}`
  const { stdout } = await run('bash', [path.join(ROOT, 'deployment/restore-drill.sh'), directory], {
    cwd: ROOT,
    env: { ...process.env, MARGIN_CORE: command },
  })
  const [, head] = /^restored: commit (\d+) is served$/m.exec(stdout) ?? []
  expect(Number(head)).toBe((await venue.get('/operator/health', { key: OPERATOR })).body.durableHead)
})

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
})

test('the configuration shown in docs/deployment.md is one', async () => {
  const page = await readFile(path.join(ROOT, 'docs/deployment.md'), 'utf8')
  const [, shown = ''] = /```jsonc\n(.*?)```/s.exec(page) ?? []
  const filled = shown.replace(/\$\{(\w+)\}/g, 'secret-$1')
  expect(readConfiguration(Buffer.from(filled)).operatorListen).toEqual({ host: '127.0.0.1', port: 8081 })
})
