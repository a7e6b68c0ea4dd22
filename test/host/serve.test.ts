// The command line: what is printed, what is refused, and that a signal ends it well.

import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { ALICE, BTC, CONFIGURATION, limitOrder, OPERATOR } from './venue.ts'

const root = path.resolve(import.meta.dirname, '../..')
const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-serve-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function configured(name: string, configuration: object): string {
  const file = path.join(directory, name)
  writeFileSync(file, JSON.stringify(configuration))
  return file
}

/** Starts `margin-core serve` and waits until it listens or ends. */
function serve(...args: string[]) {
  return started(process.execPath, '--import', 'tsx', 'src/cli/main.ts', 'serve', '--port', '0', ...args)
}

async function started(program: string, ...args: string[]) {
  const child = spawn(program, args, { cwd: root })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += chunk))
  child.stderr.on('data', (chunk) => (output.err += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const listening = new Promise<void>((resolve) =>
    child.stdout.on('data', () => output.out.includes('listening on http') && resolve()),
  )
  await Promise.race([listening, ended])
  const url = /^listening on (http:\S+)$/m.exec(output.out)?.[1] ?? ''
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return { output, url, ended, stop }
}

test('the demo venue: the printed lines work when pasted, and SIGTERM ends it with 0', async () => {
  const { output, url, stop } = await serve()
  expect(output.out).toContain('the log is in memory and is lost on exit')
  for (const shown of [`${url}/docs`, 'mtk_', 'account id']) expect(output.out).toContain(shown)
  const lines = output.out.split('\n').filter((line) => line.trim().startsWith('curl '))
  const answers: string[] = []
  for (const line of lines) answers.push((await promisify(execFile)('sh', ['-c', line])).stdout)
  expect(JSON.parse(answers[0] as string)).toMatchObject({ status: 'executed', type: 'market' })
  expect(JSON.parse(answers[1] as string)).toMatchObject([{ status: 'opened' }])
  expect(output.err).toBe('')
  expect(await stop('SIGTERM')).toBe(0)
})

test('the log in a directory: orders, keys and time are there again, differences are told', async () => {
  const data = path.join(directory, 'data')
  const first = await serve('--config', configured('venue.json', CONFIGURATION), '--data', data)
  const call = (url: string, method: string, where: string, key: string, body?: object) =>
    fetch(url + where, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.json() as Promise<{ key: string; id: string; at: string }>)
  const order = await call(first.url, 'POST', '/orders', ALICE.key, limitOrder())
  const made = await call(first.url, 'POST', '/user/api-keys', ALICE.session, { name: 'bot' })
  await call(first.url, 'POST', '/operator/commands', OPERATOR, { type: 'advanceTime', ms: 1_500 })
  expect(await first.stop('SIGINT')).toBe(0)

  const [btc, gold] = CONFIGURATION.markets
  const changed = { ...CONFIGURATION, markets: [{ ...btc, feeRate: '0' }, gold] }
  const second = await serve('--config', configured('changed.json', changed), '--data', data)
  expect(second.output.err).toContain(`market ${BTC}: feeRate is 1000000 in the log`)
  expect(await call(second.url, 'GET', `/orders/${ALICE.accountId}/active`, made.key)).toEqual([order])
  const health = await call(second.url, 'GET', '/operator/health', OPERATOR)
  expect(health.at).toBe('2026-01-05T00:10:01.500Z')
  expect(await second.stop('SIGTERM')).toBe(0)
})

test.each([
  [['--config', configured('stray.json', { ...CONFIGURATION, clocks: {} })], 'clocks'],
  [['--config', path.join(directory, 'absent.json')], 'absent.json'],
  [['--port', '65536'], '65536'],
])('%j is refused in one line', async (args, named) => {
  const { output, ended } = await serve(...args)
  expect(await ended).not.toBe(0)
  expect(output.err).toContain(named)
  expect(output.out).not.toContain('listening')
  expect(output.err.trim().split('\n')).toHaveLength(1)
})

test('npm start passes its options and its signals on', async () => {
  const { url, stop } = await started('npm', 'start', '--', '--port', '0')
  expect((await fetch(url)).status).toBe(200)
  expect(await stop('SIGTERM')).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})
