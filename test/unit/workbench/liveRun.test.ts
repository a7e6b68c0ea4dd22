// A live run from the page, on a venue over a socket: what the page is told is what the venue says, it ends as it was chosen, and only venues
// that the workbench was started for are traded on.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { liquidationPrice } from '../../../src/domain/formulas/liquidation.ts'
import { argumentsOf } from '../../../src/workbench/commandLine.ts'
import type { Contents } from '../../../src/workbench/contents.ts'
import { TOLD_BY_MESSAGE, TOLD_PROGRESS } from '../../../src/workbench/jobProgress.ts'
import type { Job } from '../../../src/workbench/jobs.ts'
import { isStanding } from '../../../src/workbench/liveStanding.ts'
import { EMPTY_FORM, type RunForm } from '../../../src/workbench/runForm.ts'
import { type ServedWorkbench, serveWorkbench } from '../../../src/workbench/server.ts'
import { ALICE, BTC, startVenue, type VenueUnderTest } from '../../host/venue.ts'
import { emptyFolder, program } from './research.ts'

/** Opens once, with both exits, and rests an order below. */
const OPENS = `
let isOpen = false
export default () => ({ name: 'opens', async onTick({ asset, price }, context) {
  if (isOpen) return
  isOpen = true
  if (context.positions().length > 0) return
  await context.open({ asset, direction: 'long', sizeBy: { margin: '10%' }, leverage: '5', stopLoss: price - price / 50n, takeProfit: price + price / 50n })
  await context.open({ asset, direction: 'short', sizeBy: { margin: '1%' }, leverage: '2', type: 'limit', triggerPrice: price + price / 4n })
  await context.open({ asset, direction: 'short', sizeBy: { margin: '1%' }, leverage: '2000' })
} })
`

let home: string
let venue: VenueUnderTest
let started: { readonly file: string; readonly words: readonly string[] }
beforeAll(async () => {
  home = emptyFolder()
  started = program()
  writeFileSync(path.join(home, 'opens.mjs'), OPENS)
  writeFileSync(path.join(home, 'venue.key'), `${ALICE.key}\n`, { mode: 0o600 })
  venue = await startVenue()
})
afterAll(async () => {
  await venue?.venue.close()
  rmSync(home, { recursive: true })
})

const at = (venues: readonly string[]) =>
  serveWorkbench({ home, host: '127.0.0.1', port: 0, program: started, atOnce: 1, venues })

async function asked(served: ServedWorkbench, target: string, body?: object) {
  const response = await fetch(served.origin + target, {
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text }
}

/** A job as it is told by now. */
async function told(served: ServedWorkbench, id: number): Promise<Job> {
  const ending = new AbortController()
  const response = await fetch(`${served.origin}/api/jobs`, {
    headers: { authorization: `Bearer ${served.token}` },
    signal: ending.signal,
  })
  let text = ''
  try {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString()
      const job = text
        .split('\n\n')
        .slice(0, -1)
        .filter((block) => block.startsWith('data: '))
        .map((block) => JSON.parse(block.slice(6)) as Job)
        .find((one) => one.id === id)
      if (job !== undefined) return job
    }
  } finally {
    ending.abort()
  }
  throw new Error('the job is not told')
}

async function until(served: ServedWorkbench, id: number, is: (job: Job) => boolean): Promise<Job> {
  return vi.waitFor(
    async () => {
      const job = await told(served, id)
      if (!is(job)) throw new Error(JSON.stringify(job))
      return job
    },
    { timeout: 90_000, interval: 100 },
  )
}

const form = (change: Partial<RunForm> = {}): RunForm => ({
  ...{ ...EMPTY_FORM, kind: 'live', strategy: './opens.mjs', out: 'live.jsonl' },
  options: { live: venue.venue.url, 'key-file': 'venue.key', 'on-exit': 'flatten' },
  ...change,
})
const begun = async (served: ServedWorkbench, of: RunForm): Promise<Job> => {
  const { status, text } = await asked(served, '/api/jobs', of)
  expect([status, text]).toEqual([200, expect.any(String)])
  return JSON.parse(text)
}
const contentsOf = async (served: ServedWorkbench): Promise<Contents> =>
  JSON.parse((await asked(served, '/api/folder')).text)
const openAtVenue = async () => (await venue.get(`/positions/${ALICE.accountId}/active`)).body
const restingAtVenue = async () => (await venue.get(`/orders/${ALICE.accountId}/active`)).body

test('what is told is what the venue says; stopped, it closes everything, its report opens, and its journal is gone on with', {
  timeout: 240_000,
}, async () => {
  const served = await at([venue.venue.url])
  const { id, command } = await begun(served, form())
  expect(command).not.toContain(ALICE.key)
  await until(served, id, ({ standing }) => standing?.incidents.length === 1)
  // Within a minute of an entry equity counts its profit as capped.
  await venue.operate(
    { type: 'advanceTime', ms: 61_000 },
    { type: 'updatePrice', marketId: BTC, indexPrice: '50100000000000' },
  )
  const { standing } = await until(
    served,
    id,
    (job) =>
      job.standing?.markets[0]?.price === '50100000000000' && job.standing.equity !== job.standing.balance,
  )
  const [position] = await openAtVenue()
  const orders = await restingAtVenue()
  expect(standing?.positions).toEqual([
    expect.objectContaining({
      ...{ asset: 'BTC', side: 'long' },
      size: position.size,
      margin: position.margin,
    }),
  ])
  const account = (await venue.get('/accounts/with-risk-status')).body.find(
    ({ accountId }: { accountId: string }) => accountId === ALICE.accountId,
  )
  expect(standing).toMatchObject({
    ...{ accountId: ALICE.accountId, status: 'active', open: 1, resting: 3, lostAt: null },
    equity: account.riskStatus.currentEquity,
    balance: account.accountBalance,
    free: account.riskStatus.freeBalance,
  })
  const [told] = standing?.positions ?? []
  expect(BigInt(standing?.equity ?? 0) - BigInt(standing?.balance ?? 0)).toBe(BigInt(told?.pnl ?? 0))
  const { config } = (await venue.get(`/v2/markets?accountId=${ALICE.accountId}`)).body.find(
    ({ id }: { id: string }) => id === BTC,
  )
  const [size, notional, margin] = [position.size, position.notional, position.margin].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ]
  expect(told?.liquidation).toBe(
    String(
      liquidationPrice({ direction: 'long', size, notional, margin }, BigInt(config.maintenanceMarginRate)),
    ),
  )
  expect(standing?.orders.map(({ type, trigger }) => `${type} ${trigger}`).sort()).toEqual(
    orders.map(({ type, triggerPrice }: Record<string, string>) => `${type} ${triggerPrice}`).sort(),
  )
  expect(standing?.fills).toEqual([
    expect.objectContaining({ action: 'open', side: 'long', size: position.size, pnl: null }),
  ])
  expect(standing?.incidents).toEqual([expect.objectContaining({ kind: 'refused', asset: 'BTC' })])

  // The same journal by its name, and by another name of the same.
  const again = await asked(served, '/api/jobs', form())
  expect([again.status, JSON.parse(again.text).faults[0].field]).toEqual([400, 'out'])
  const twice = await begun(served, form({ out: './live.jsonl' }))
  const refused = await until(served, twice.id, ({ endedAt }) => endedAt !== null)
  expect(refused).toMatchObject({ state: 'failed', faults: [{ field: 'out' }] })
  expect(refused.faults[0]?.message).toMatch(/another live run writes this journal/)

  expect((await asked(served, `/api/jobs/${id}/cancel`, {})).status).toBe(200)
  const ended = await until(served, id, ({ endedAt }) => endedAt !== null)
  expect(ended).toMatchObject({ state: 'done', standing: { open: 0, resting: 0, positions: [], orders: [] } })
  expect(ended.standing?.fills[0]).toMatchObject({ action: 'close', pnl: expect.stringMatching(/^\d+$/) })
  expect([await openAtVenue(), await restingAtVenue()]).toEqual([[], []])

  const row = (await contentsOf(served)).results.find(({ place }) => place === 'live.jsonl')
  expect(row).toMatchObject({ kind: 'live', strategy: 'opens', markets: ['BTC'] })
  expect(row?.note).toMatch(new RegExp(`^${venue.venue.url}, equity [\\d,.]+ as last told$`))
  const page = await fetch(served.origin + row?.url)
  expect(page.headers.get('content-security-policy')).toMatch(/^sandbox/)
  expect(await page.text()).toContain('opens')
  for (const other of ['opens.mjs', 'venue.key', '../live.jsonl']) {
    const [, , ticket] = row?.url?.split('/') ?? []
    expect((await fetch(`${served.origin}/journals/${ticket}/${other}`)).status).toBe(404)
  }

  const goOn = row?.journal?.goOn as RunForm
  expect(goOn).toEqual({
    ...{ ...EMPTY_FORM, kind: 'live', strategy: './opens.mjs', out: 'live.jsonl' },
    options: { live: venue.venue.url, asset: 'BTC' },
  })
  const second = await begun(served, {
    ...goOn,
    options: { ...goOn.options, 'key-file': 'venue.key', 'on-exit': 'flatten' },
  })
  await until(served, second.id, (job) => job.standing?.open === 1)
  expect(served.live).toHaveLength(1)
  // The workbench ends, and the run by then as it was asked to.
  await served.close()
  expect([await openAtVenue(), await restingAtVenue()]).toEqual([[], []])
  const types = readFileSync(path.join(home, 'live.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  expect(types.filter((type) => type === 'run' || type === 'end')).toEqual(['run', 'end', 'run', 'end'])
  expect(readFileSync(path.join(home, 'live.jsonl'), 'utf8')).not.toContain(ALICE.key)
})

test.each([false, true])(
  'whoever started it gone without a word, it ends as was chosen (by then ending: %s)',
  {
    timeout: 120_000,
  },
  async (isEnding) => {
    const child = spawn(
      started.file,
      [...started.words, ...argumentsOf(form({ out: `alone-${isEnding}.jsonl` }))],
      {
        cwd: home,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...process.env, [TOLD_PROGRESS]: TOLD_BY_MESSAGE },
      },
    )
    const ended = once(child, 'exit')
    await new Promise<void>((resolve) =>
      child.on('message', (said) => isStanding(said) && said.standing.open === 1 && resolve()),
    )
    if (isEnding) {
      child.kill('SIGINT')
      // Twice is at once, and this is not.
      await once(child.stderr as Readable, 'data')
    }
    child.disconnect()
    child.stdout?.destroy()
    child.stderr?.destroy()
    expect(await ended).toEqual([0, null])
    expect([await openAtVenue(), await restingAtVenue()]).toEqual([[], []])
  },
)

describe('a form of a live run', () => {
  const refusals: readonly (readonly [string, () => Partial<RunForm>, string | null])[] = [
    ['no venue', () => ({ options: { 'key-file': 'venue.key' } }), 'options.live'],
    [
      'a venue that was not named',
      () => ({ options: { live: 'http://enemy.example', 'key-file': 'venue.key' } }),
      'options.live',
    ],
    [
      'a named venue with more behind it',
      () => ({ options: { live: `${venue.venue.url}@enemy.example`, 'key-file': 'venue.key' } }),
      'options.live',
    ],
    ['no key', () => ({ options: { live: venue.venue.url } }), 'options.key-file'],
    [
      'a key of elsewhere',
      () => ({ options: { live: venue.venue.url, 'key-file': '../venue.key' } }),
      'options.key-file',
    ],
    [
      'a key file that is not there',
      () => ({ options: { live: venue.venue.url, 'key-file': 'another.key' } }),
      'options.key-file',
    ],
    ['a key in a field', () => ({ parameters: { note: 'mtk_0123456789' } }), null],
    [
      'a key for its file',
      () => ({ options: { live: venue.venue.url, 'key-file': `mtk_${'k'.repeat(43)}` } }),
      null,
    ],
    [
      'models of elsewhere',
      () => ({ options: { ...form().options, models: '../models' } }),
      'options.models',
    ],
    [
      'models kept elsewhere',
      () => ({ options: { ...form().options, 'keep-models': '/tmp/models' } }),
      'options.keep-models',
    ],
    ['a journal of elsewhere', () => ({ out: '../live.jsonl' }), 'out'],
    ['a journal that is a script', () => ({ out: 'opens.mjs' }), 'out'],
    [
      'an end that there is not',
      () => ({ options: { ...form().options, 'on-exit': 'double' } }),
      'options.on-exit',
    ],
  ]
  let served: ServedWorkbench
  beforeAll(async () => {
    served = await at([venue.venue.url])
  })
  afterAll(() => served?.close())

  test.each(refusals)('with %s starts nothing', async (_what, change, field) => {
    const { status, text } = await asked(served, '/api/jobs', form({ out: 'other.jsonl', ...change() }))
    expect(status).toBe(400)
    const { faults } = JSON.parse(text)
    expect(faults.map((fault: { field: string | null }) => fault.field)).toContain(field)
    expect(text).not.toMatch(/mtk_\w/)
    expect(served.live).toEqual([])
  })

  test('says where it may trade and which files hold a key, and never what they hold', async () => {
    writeFileSync(path.join(home, 'keyboard.txt'), 'this is no key\nbut two lines')
    const { text } = await asked(served, '/api/folder')
    expect((JSON.parse(text) as Contents).live).toEqual({
      ...{ venues: [venue.venue.url], hasKey: false, keyFiles: ['venue.key'] },
    })
    expect(text).not.toContain(ALICE.key)
  })
})

test('without --live no form trades, also where the environment has a key', async () => {
  vi.stubEnv('MARGIN_CORE_KEY', ALICE.key)
  const served = await at([])
  try {
    const { status, text } = await asked(served, '/api/jobs', form({ out: 'off.jsonl' }))
    expect([status, JSON.parse(text).faults]).toEqual([
      400,
      [{ field: 'kind', message: expect.stringMatching(/start it with --live URL/) }],
    ])
    expect((await contentsOf(served)).live).toMatchObject({ venues: [], hasKey: false })
    // An option of a live run makes none of a backtest.
    const backtest = { ...form({ kind: 'backtest', strategy: 'breakout', out: 'runs/off' }) }
    const { command } = await begun(served, { ...backtest, options: { ...backtest.options, days: '1' } })
    expect(command).toBe('npx margin-core backtest --strategy breakout --days 1 --out runs/off')
  } finally {
    vi.unstubAllEnvs()
    await served.close()
  }
})

test('the key may be that of the environment the workbench was started with', async () => {
  vi.stubEnv('MARGIN_CORE_KEY', ALICE.key)
  const served = await at([venue.venue.url])
  try {
    expect((await contentsOf(served)).live.hasKey).toBe(true)
    const options = { live: venue.venue.url, 'on-exit': 'flatten' } as const
    const { id } = await begun(served, form({ out: 'by-environment.jsonl', options }))
    await until(served, id, ({ standing }) => standing?.open === 1)
  } finally {
    vi.unstubAllEnvs()
    await served.close()
  }
  expect(await openAtVenue()).toEqual([])
}, 120_000)
