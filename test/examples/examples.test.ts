/** Every project of `examples` runs to its end against the sources, and says what it is for. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO, demoVenue, type ServedVenue, serveVenue } from '../../src/host/index.ts'
import { CuttableProxy } from './cuttableProxy.ts'

const root = path.resolve(import.meta.dirname, '../..')
const json = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
const manifest = json('package.json')
const projects = readdirSync(path.join(root, 'examples')).filter((name) => name !== 'README.md')

/** What each prints, at least. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'embed-express': /^order executed \{ equity: '9998.35' \}$/m,
  'embed-fastify': /^closed 1 \{ head: 6 \}$/m,
  'five-calls': /^closed, realized -?\d/m,
  'market-follower':
    /^limit order active(.|\n)*^20 prices heard, [01] positions closed at the end\nequity \d+/m,
  'own-read-model': /^00000000-0000-4000-8000-000000000001 2026-01-05 4 4984\.43$/m,
  'own-store': /^✓ closing twice is no error\n4 commits came back, equity 9998\.35$/m,
  'own-strategy': /^drop of 0\.006: \w+, \d+ trades, -?[\d.]+ USD$/m,
  'property-tests': /^# pass 2$/m,
  'trend-follower':
    /^market order executed(.|\n)*^20 prices heard, 1 positions closed at the end\nequity \d+/m,
}

/** The programs as their own `npm start` names them, by project. */
const programs = Object.fromEntries(
  projects.map((project) => {
    const start: string = json(`examples/${project}/package.json`).scripts.start
    return [project, start.split(' ').at(-1) as string]
  }),
)

const HAS_PYTHON = spawnSync('python3', ['-c', 'import requests']).status === 0

let folder: string

/** All at once, with the sources in parts that they have in common. */
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-examples-'))
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await build({
    entryPoints: projects.map((project) => path.join(root, 'examples', project, programs[project] as string)),
    outdir: folder,
    outbase: path.join(root, 'examples'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    tsconfig: path.join(root, 'tsconfig.json'),
    banner: {
      js: "import { createRequire as asPackagesDo } from 'node:module'; const require = asPackagesDo(import.meta.url);",
    },
    external: ['lmdb'],
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

test('every example has what it prints here', () => {
  expect(Object.keys(PRINTS)).toEqual(projects)
})

test.each(projects)('%s runs to its end', async (project) => {
  const program = path.join(folder, project, (programs[project] as string).replace(/\.ts$/, '.mjs'))
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: folder })
  expect(stdout).toMatch(PRINTS[project] as RegExp)
})

describe('a bot goes on when its connections are cut', { timeout: 60_000 }, () => {
  const bots = (url: string, key: string): Readonly<Record<string, () => Promise<{ stdout: string }>>> => {
    const options = ['--url', url, '--key', key, '--prices', '8']
    return {
      'trend-follower': () =>
        run(process.execPath, [path.join(folder, 'trend-follower/main.mjs'), ...options]),
      'market-follower': () =>
        run(process.execPath, [path.join(folder, 'market-follower/main.mjs'), ...options]),
      'trend.py': async () => ({ stdout: (await inPython(url, key, /^\d+ (long|short)/, 8)).join('\n') }),
    }
  }
  const run = promisify(execFile)
  let venue: ServedVenue
  let key: string
  beforeAll(async () => {
    const { configuration, apiKey } = demoVenue()
    const feed = { kind: 'simulated', seed: 'bots', intervalMs: 100, step: 500_000n } as const
    venue = await serveVenue({ configuration: { ...configuration, feed, rateLimit: null }, port: 0 })
    key = apiKey
  })
  afterAll(() => venue.close())

  test.each(['trend-follower', 'market-follower', 'trend.py'])('%s', async (name) => {
    if (name === 'trend.py' && !HAS_PYTHON)
      return console.warn('python3 with requests is missing: trend.py is not tried')
    const proxy = new CuttableProxy(Number(new URL(venue.url).port))
    const url = await proxy.listen()
    let prices = 0
    // However long it takes to come again: nobody is cut off before another price has come through, so that a bot always gets on.
    const cutting = setInterval(() => {
      if (proxy.prices === prices) return
      prices = proxy.prices
      proxy.cut()
    }, 700)
    try {
      const { stdout } = await (bots(url, key)[name] as () => Promise<{ stdout: string }>)()
      expect(stdout).not.toBe('')
      expect(proxy.cuts).toBeGreaterThan(0)
    } finally {
      clearInterval(cutting)
      await proxy.close()
    }
    const { read } = venue.engine
    expect(read.activePositions(DEMO.accountId).length).toBeLessThanOrEqual(1)
  })
})

const IN_FLIGHT = { statusCode: 409, error: 'idempotency_key_in_flight' }
const CLOSED = { statusCode: 400, error: 'position_not_available' }

test.each([
  ['sends an order again whose first request still runs, under the same key', IN_FLIGHT, 1, []],
  ['goes on where what it decided on is over meanwhile', CLOSED, 2, [JSON.stringify(CLOSED)]],
] as const)('trend.py %s', { timeout: 30_000 }, async (_, first, orders, says) => {
  if (!HAS_PYTHON) return
  const keys: unknown[] = []
  const venue = createServer(({ method, url = '', headers }, response) => {
    const told = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (method === 'POST') {
      keys.push(headers['x-idempotency-key'])
      return keys.length === 1 ? told(first.statusCode, first) : told(201, { id: 'order' })
    }
    if (url.startsWith('/v2/markets')) return told(200, [{ id: 'market', config: { baseAsset: 'BTC' } }])
    const held = { idx: 'position', market: 'market', direction: 'long', size: '1' }
    if (url.startsWith('/positions')) return told(200, keys.length > 1 ? [held] : [])
    if (!url.startsWith('/stream')) return told(200, [{ accountId: 'account' }])
    const price = { type: 'price', seq: 1, data: { marketId: 'market', indexPrice: '1000' } }
    // Cut within a message: what was told in full before it counts.
    response.end(`${`id: 1\ndata: ${JSON.stringify(price)}\n\n`.repeat(2)}data: {"type": "pri`)
  })
  await new Promise<void>((listening) => venue.listen(0, '127.0.0.1', listening))
  const { port } = venue.address() as AddressInfo
  const lines = await inPython(`http://127.0.0.1:${port}`, 'key', /^1000 long long$/, 2)
  venue.closeAllConnections()
  venue.close()
  expect(lines).toEqual(expect.arrayContaining([...says]))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(orders)
})

test('trend.py ends when its key is revoked', { timeout: 30_000 }, async () => {
  if (!HAS_PYTHON) return
  let streams = 0
  const venue = createServer(({ url = '' }, response) => {
    const told = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.startsWith('/v2/markets')) return told(200, [{ id: 'market', config: { baseAsset: 'BTC' } }])
    if (!url.startsWith('/stream')) return told(200, [{ accountId: 'account' }])
    streams += 1
    return told(401, { statusCode: 401, error: 'session_expired' })
  })
  await new Promise<void>((listening) => venue.listen(0, '127.0.0.1', listening))
  const { port } = venue.address() as AddressInfo
  await expect(inPython(`http://127.0.0.1:${port}`, 'key', /never/, 1)).rejects.toThrow('session_expired')
  expect(streams).toBe(1)
  venue.closeAllConnections()
  venue.close()
})

/** What `trend.py` prints until as many lines match. */
async function inPython(url: string, key: string, wanted: RegExp, count: number): Promise<string[]> {
  const bot = spawn('python3', [path.join(root, 'examples/trend-follower/trend.py')], {
    env: { ...process.env, URL: url, KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  try {
    for await (const line of createInterface(bot.stdout)) {
      lines.push(line)
      if (lines.filter((one) => wanted.test(one)).length === count) return lines
    }
  } finally {
    bot.kill()
  }
  throw new Error(`trend.py ended after ${lines.join('\n')}`)
}

test.each(projects)('%s asks for what this version has', (project) => {
  const { dependencies, devDependencies, private: isPrivate } = json(`examples/${project}/package.json`)
  const { [manifest.name]: own, ...others } = { ...dependencies, ...devDependencies }
  expect([own, isPrivate]).toEqual([`^${manifest.version}`, true])
  const known = { ...manifest.dependencies, ...manifest.devDependencies }
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, known[name]])))
})

test('the paths of the compiler lead to the sources of every entry point', () => {
  const config = readFileSync(path.join(root, 'tsconfig.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '')
  const { paths } = JSON.parse(config).compilerOptions
  const entries = Object.entries<{ default?: string }>(manifest.exports).flatMap(
    ([name, { default: built }]) =>
      built === undefined
        ? []
        : [[name.replace(/^\./, manifest.name), [built.replace('dist', 'src').replace(/\.js$/, '.ts')]]],
  )
  expect(paths).toEqual(Object.fromEntries(entries))
})
