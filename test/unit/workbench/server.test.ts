// What a workbench answers: its own page everything, and pages of an enemy, in the same browser or by another name, nothing.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Contents } from '../../../src/workbench/contents.ts'
import type { Job } from '../../../src/workbench/jobs.ts'
import { EMPTY_FORM, type RunForm } from '../../../src/workbench/runForm.ts'
import { type ServedWorkbench, serveWorkbench } from '../../../src/workbench/server.ts'
import { typed } from '../../typed.ts'
import { emptyFolder, folderOfInputs, program, STRATEGY } from './research.ts'

let home: string
let outside: string
let served: ServedWorkbench
beforeAll(async () => {
  home = folderOfInputs()
  outside = emptyFolder()
  writeFileSync(path.join(outside, 'secret.html'), 'secret')
  writeFileSync(path.join(outside, 'enemy.mjs'), STRATEGY)
  symlinkSync(path.join(outside, 'enemy.mjs'), path.join(home, 'linked.mjs'))
  symlinkSync(path.join(outside, 'secret.html'), path.join(home, 'linked.html'))
  mkdirSync(path.join(home, 'there'))
  for (const seed of ['a', 'b'])
    await typed(['backtest', '--days', '1', '--seed', seed, '--out', `runs/${seed}`], home)
  served = await serveWorkbench({
    home,
    host: '127.0.0.1',
    port: 0,
    program: program(),
    atOnce: 2,
    venues: [],
  })
})
afterAll(async () => {
  await served?.close()
  for (const folder of [home, outside]) rmSync(folder, { recursive: true })
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** As a program sends it, with whatever head; `fetch` would set its own. */
function send(
  method: string,
  target: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Answer> {
  const { hostname, port } = new URL(served.origin)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path: target, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const own = () => ({ authorization: `Bearer ${served.token}`, 'content-type': 'application/json' })
const get = (target: string) => send('GET', target, own())
const post = (target: string, body: unknown) => send('POST', target, own(), JSON.stringify(body))
const form = (change: Partial<RunForm>): RunForm => ({ ...EMPTY_FORM, out: 'runs/new', ...change })
const jobs = async (): Promise<string> => {
  const ending = new AbortController()
  const response = await fetch(`${served.origin}/api/jobs`, { headers: own(), signal: ending.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const { value } = await reader.read()
  const more = await Promise.race([
    reader.read(),
    new Promise<null>((resolve) => setTimeout(resolve, 50, null)),
  ])
  ending.abort()
  return Buffer.concat([value ?? new Uint8Array(), more?.value ?? new Uint8Array()]).toString()
}

describe('a page from elsewhere', () => {
  const ASKED = [
    ['GET', '/'],
    ['GET', '/workbench.js'],
    ['GET', '/api/folder'],
    ['GET', '/api/strategy?name=ema-cross'],
    ['GET', '/api/jobs'],
    ['POST', '/api/jobs'],
    ['POST', '/api/jobs/1/cancel'],
    ['POST', '/api/comparison'],
    ['GET', '/pages/x/runs/a/report.html'],
    ['GET', '/comparison/x?run=runs/a&run=runs/b'],
    ['GET', '/journals/x/live.jsonl'],
  ] as const
  const port = () => new URL(served.origin).port
  const ENEMIES: Readonly<Record<string, () => Record<string, string>>> = {
    'by a name that it has made lead here': () => ({ ...own(), host: `enemy.example:${port()}` }),
    'across origins': () => ({ ...own(), origin: 'https://enemy.example' }),
    'of no origin': () => ({ ...own(), origin: 'null' }),
    'of another server of this machine': () => ({ ...own(), origin: 'http://127.0.0.1:3000' }),
    'that the browser calls another site': () => ({ ...own(), 'sec-fetch-site': 'cross-site' }),
    'that the browser calls the same site': () => ({ ...own(), 'sec-fetch-site': 'same-site' }),
  }

  test.each(Object.keys(ENEMIES))(
    '%s is refused whatever it asks, and though it knew the token',
    async (enemy) => {
      for (const [method, target] of ASKED) {
        const { status, headers } = await send(
          method,
          target,
          ENEMIES[enemy]?.(),
          method === 'POST' ? '{}' : '',
        )
        expect([target, status]).toEqual([target, 403])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  test('is told nothing when its browser asks first', async () => {
    const { status, headers } = await send('OPTIONS', '/api/jobs', {
      ...{ origin: 'https://enemy.example', 'access-control-request-method': 'POST' },
      'access-control-request-headers': 'authorization,content-type',
    })
    expect(status).toBe(403)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('a form of it, which a browser sends without asking, starts nothing', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json',
    ])
      for (const authorization of [
        {},
        { authorization: 'Bearer' },
        { authorization: `Bearer ${'A'.repeat(43)}` },
      ]) {
        const { status } = await send(
          'POST',
          '/api/jobs',
          { ...authorization, 'content-type': type },
          JSON.stringify(form({})),
        )
        expect(status).toBe(401)
      }
    const { status } = await send(
      'POST',
      '/api/jobs',
      { ...own(), 'content-type': 'text/plain' },
      JSON.stringify(form({})),
    )
    expect(status).toBe(415)
    expect(await jobs()).not.toContain('data:')
  })
})

describe('what is asked with the token', () => {
  test('the page is whole, runs its own script alone, and is shown in no other', async () => {
    const { status, headers, text } = await send('GET', '/')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'.*frame-ancestors 'none'$/,
    )
    expect(text).not.toContain(served.token)
    for (const [, name] of text.matchAll(/(?:href|src)="(\/[^"]+)"/g))
      expect((await send('GET', name as string)).status).toBe(200)
    const { headers: script } = await send('GET', '/workbench.js')
    expect((await send('GET', '/workbench.js', { 'if-none-match': String(script.etag) })).status).toBe(304)
  })

  test('the folder, and what a strategy of it declares', async () => {
    const contents: Contents = JSON.parse((await get('/api/folder')).text)
    expect(contents.results.map(({ place }) => place).sort()).toEqual(['runs/a', 'runs/b'])
    const { parameters } = JSON.parse((await get('/api/strategy?name=./idle.mjs')).text)
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['hours', 'side'])
  })

  test.each(['../enemy.mjs', 'linked.mjs', '/etc/passwd', '--help', 'nobody', './lines.mjs', ''])(
    'no strategy is loaded from %j',
    async (name) => {
      expect((await get(`/api/strategy?name=${encodeURIComponent(name)}`)).status).toBe(400)
    },
  )

  test('a report is shown as a page of no origin', async () => {
    const { results }: Contents = JSON.parse((await get('/api/folder')).text)
    const url = results.find(({ place }) => place === 'runs/a')?.url as string
    const { text, headers } = await send('GET', url)
    expect(text).toBe(readFileSync(path.join(home, 'runs/a/report.html'), 'utf8'))
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts allow-downloads; default-src 'none'/,
    )
    const ticket = url.split('/')[2] as string
    const others = [
      ...[
        'runs/b/report.html',
        'runs/a/result.json',
        '../secret.html',
        '..%2fsecret.html',
        'runs/a/%2e%2e/b/report.html',
      ],
      ...['linked.html', 'runs/a/report.html%00', '%2e%2e/secret.html', '/etc/passwd'],
    ]
    for (const other of others)
      expect([other, (await send('GET', `/pages/${ticket}/${other}`)).status]).toEqual([other, 404])
    expect((await send('GET', `/pages/${served.token}/runs/a/report.html`)).status).toBe(404)
  })

  test('two runs are put side by side; what is none, or not here, is not', async () => {
    const { url, command } = JSON.parse(
      (await post('/api/comparison', { places: ['runs/a', 'runs/b'] })).text,
    )
    expect(command).toBe('npx margin-core compare runs/a runs/b --report compare.html')
    const { text } = await send('GET', url)
    expect(text).toContain('<h1>runs/a · runs/b</h1>')
    expect((await send('GET', url.replace('runs%2Fb', 'runs%2Fa'))).status).toBe(404)
    for (const places of [['runs/a'], ['runs/a', '..'], ['runs/a', outside], ['runs/a', 'there'], 'runs/a'])
      expect((await post('/api/comparison', { places })).status).toBeGreaterThanOrEqual(400)
  })

  test('what is not there is not', async () => {
    for (const target of ['/nothing', '/api/nothing', '/api/jobs/7'])
      expect((await get(target)).status).toBe(404)
    expect((await post('/api/jobs/7/cancel', {})).status).toBe(404)
  })
})

describe('a form', () => {
  const REFUSED: readonly (readonly [string, Partial<Record<keyof RunForm, unknown>>, string | null])[] = [
    ['a strategy of elsewhere', { strategy: '../enemy.mjs' }, 'strategy'],
    ['a strategy behind a link', { strategy: './linked.mjs' }, 'strategy'],
    ['a strategy by its whole path', { strategy: '/tmp/enemy.mjs' }, 'strategy'],
    ['a strategy that is data', { strategy: './run.json' }, 'strategy'],
    ['an option for a strategy', { strategy: '--live=http://enemy.example' }, 'strategy'],
    ['a run file of elsewhere', { config: '../run.json' }, 'config'],
    ['data of elsewhere', { markets: [{ asset: 'BTC', data: '/etc/passwd', funding: '' }] }, 'markets'],
    ['rates of elsewhere', { markets: [{ asset: 'BTC', data: 'ETHUSDT.csv', funding: '../x' }] }, 'markets'],
    [
      'a market that is an option',
      { markets: [{ asset: '--x', data: 'ETHUSDT.csv', funding: '' }] },
      'markets.0.asset',
    ],
    ['rules of elsewhere', { rules: ['../rules.json'] }, 'rules'],
    ['a place of elsewhere', { out: '../made' }, 'out'],
    ['a place that is an option', { out: '--json' }, 'out'],
    ['a place that is taken', { out: 'runs/a' }, 'out'],
    ['a place that is a file', { out: 'run.json' }, 'out'],
    ['no place', { out: '' }, 'out'],
    ['an option for a value', { options: { balance: '--live' } }, 'options.balance'],
    ['an option that the form has not', { options: { key: 'k' } as object }, 'options.key'],
    [
      'a venue where none was named',
      { kind: 'live', out: 'a.jsonl', options: { live: 'http://enemy.example' } },
      'kind',
    ],
    ['a key of a venue', { options: { seed: `mtk_${'k'.repeat(43)}` } }, null],
    ['a choice that there is not', { options: { drawdown: 'none' } }, 'options.drawdown'],
    ['a switch with a value', { kind: 'sweep', options: { plateau: 'yes' } }, 'options.plateau'],
    ['an option for a parameter', { parameters: { fast: '--x' } }, 'parameters.fast'],
    ['a parameter that is an option', { parameters: { '--x': '1' } }, 'parameters.--x'],
    ['a control character', { options: { seed: 'a\nb' } }, 'options.seed'],
    ['a command that the form has not', { kind: 'serve' }, 'kind'],
    ['a field that there is not', { words: ['serve'] } as object, 'words'],
  ]

  test.each(REFUSED)('with %s starts nothing', async (_what, change, field) => {
    const { status, text } = await post('/api/jobs', { ...form({}), ...change })
    expect(status).toBe(400)
    expect(JSON.parse(text).faults.map((fault: { field: string | null }) => fault.field)).toContain(field)
    expect(await jobs()).not.toContain('data:')
  })

  test('that is none, or too long, is refused', async () => {
    for (const body of ['', 'null', '[]', '{', '"backtest"'])
      expect((await send('POST', '/api/jobs', own(), body)).status).toBe(400)
    expect((await post('/api/jobs', form({ options: { seed: 'x'.repeat(300_000) } }))).status).toBe(413)
  })

  test('is run as the command that it shows, to the same bytes as by hand', async () => {
    const change = form({
      strategy: './idle.mjs',
      parameters: { hours: '3' },
      options: { days: '1', seed: 'same' },
      out: 'runs/same',
    })
    const { status, text } = await post('/api/jobs', change)
    expect(status).toBe(200)
    const { id, command }: Job = JSON.parse(text)
    expect((await post('/api/jobs', change)).status).toBe(400)
    await vi.waitFor(async () => expect(await jobs()).toMatch(new RegExp(`"id":${id},.*"state":"done"`)), {
      timeout: 60_000,
      interval: 100,
    })
    const byHand = folderOfInputs()
    const { words } = program()
    const line = command.replace(/^npx margin-core/, `'${process.execPath}' '${words[0]}'`)
    execFileSync('sh', ['-c', line], { cwd: byHand, stdio: 'ignore' })
    const read = (folder: string, name: string) => readFileSync(path.join(folder, 'runs/same', name), 'utf8')
    for (const name of ['result.json', 'report.html', 'events.jsonl', 'curve.csv', 'statistics.csv'])
      expect(read(home, name) === read(byHand, name), name).toBe(true)
    rmSync(byHand, { recursive: true })
  })

  test('that the command refuses says why at its field; one that runs can be cancelled', async () => {
    const wrong: Job = JSON.parse(
      (await post('/api/jobs', form({ parameters: { fast: '0' }, out: 'runs/wrong' }))).text,
    )
    const long = form({ kind: 'evaluate', options: { paths: '100000' }, out: 'runs/long' })
    const { id }: Job = JSON.parse((await post('/api/jobs', long)).text)
    await vi.waitFor(
      async () => {
        const told = await jobs()
        expect(told).toMatch(new RegExp(`"id":${wrong.id},.*"field":"parameters.fast"`))
        expect(told).toMatch(new RegExp(`"id":${id},.*"progress":{"done":\\d+,"total":100000,"unit":"paths"`))
      },
      { timeout: 60_000, interval: 100 },
    )
    expect((await post(`/api/jobs/${id}/cancel`, {})).status).toBe(200)
    await vi.waitFor(async () => expect(await jobs()).toMatch(new RegExp(`"id":${id},.*"endedAt":\\d`)), {
      timeout: 30_000,
      interval: 100,
    })
  })
})
