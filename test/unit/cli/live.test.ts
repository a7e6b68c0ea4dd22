// A live run as it is typed: what is told on either output and noted in the journal, over a stream that is cut, until a signal.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { readJournalRun } from '../../../src/backtest/live/journalRun.ts'
import {
  ALICE,
  BTC,
  CONFIGURATION,
  limitOrder,
  marketOrder,
  startVenue,
  type VenueUnderTest,
} from '../../host/venue.ts'
import { type Ended, typed } from '../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-live-'))
afterAll(() => rmSync(folder, { recursive: true }))
const strategy = path.join(folder, 'waits.mjs')
writeFileSync(strategy, `export default () => ({ name: 'waits', onBar() {} })\n`)

/** What stands between a client and its venue, and can cut every connection there is. */
async function between(url: string) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const venue = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [one, other] of [
      [client, venue],
      [venue, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const end = () => {
    cut()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, cut, end }
}

const journalOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Begins a run, does something to it once it is there, ends it as Ctrl-C would. */
async function run(
  words: readonly string[],
  journal: string,
  meanwhile: () => Promise<void>,
  trades = strategy,
): Promise<Ended> {
  const written = typed([
    'backtest',
    '--strategy',
    trades,
    ...words,
    '--key',
    ALICE.key,
    '--journal',
    journal,
  ])
  await vi.waitFor(() => expect(journalOf(journal)[0]).toMatchObject({ type: 'run' }), { timeout: 60_000 })
  await meanwhile()
  process.emit('SIGINT')
  return written
}

const untimed = (text: string) => text.replace(/^\d{4}-\S+Z /gm, '')

test('a stream that is cut and made again is told once each, in words and in the journal, and what stays open at the end', async () => {
  const venue = await startVenue()
  const relay = await between(venue.venue.url)
  await venue.post('/orders', limitOrder())
  const journal = path.join(folder, 'cut.jsonl')
  const noted = (type: string) => journalOf(journal).filter((entry) => entry.type === type)
  const { code, stdout, stderr } = await run(['--live', relay.url], journal, async () => {
    // Until the run has connected there is nothing to cut.
    while (noted('lost').length === 0) {
      relay.cut()
      await setTimeout(50)
    }
    await vi.waitFor(() => expect(noted('back')).toHaveLength(1), { timeout: 60_000 })
  })
  relay.end()
  await venue.venue.close()
  expect(code).toBe(0)
  expect(stdout).toBe(
    `live on ${relay.url}, account ${ALICE.accountId}: waits\nstopped; 0 position(s) and 1 order(s) stay open on the venue (--on-exit flatten ends them)\n`,
  )
  const [[lost], [back]] = [noted('lost'), noted('back')]
  expect(Date.parse(back.at) - Date.parse(lost.at)).toBe(back.ms)
  const seconds = (back.ms / 1_000).toFixed(1)
  expect(untimed(stderr)).toBe(
    [
      'the stream is lost; connecting again',
      `the stream is there again, after ${seconds} s`,
      'ending once what is under way is done; a second Ctrl-C ends at once, and leaves everything as it is',
      '',
    ].join('\n'),
  )
})

test('a bar has its line, with the time of the venue, what is open and the equity to the cent', async () => {
  const venue = await startVenue({ ...CONFIGURATION })
  await venue.post('/orders', marketOrder())
  const journal = path.join(folder, 'bars.jsonl')
  const words = ['--live', venue.venue.url, '--interval', '60']
  const { stdout } = await run(words, journal, async () => {
    const told = (type: string) => journalOf(journal).filter((entry) => entry.type === type).length
    for (const [ms, price] of [
      [10_000, '50010330000000'],
      [60_000, '50020000000000'],
    ] as const) {
      const before = told('price')
      await venue.operate(
        { type: 'advanceTime', ms },
        { type: 'updatePrice', marketId: BTC, indexPrice: price },
      )
      await vi.waitFor(() => expect(told('price')).toBeGreaterThan(before), { timeout: 60_000 })
    }
    await vi.waitFor(() => expect(told('bar')).toBeGreaterThan(0), { timeout: 60_000 })
  })
  const lines = stdout.split('\n').filter((line) => line.includes(' BTC '))
  expect(lines[0]).toMatch(
    /^20\d\d-\d\d-\d\dT\d\d:\d\d:59\.999Z BTC 50010\.33, 1 open, equity \d?\d,?\d{3}\.\d\d$/,
  )
  await venue.venue.close()
})

test('a run that flattens at its end leaves nothing open, and says so', async () => {
  const venue = await startVenue({ ...CONFIGURATION })
  await venue.post('/orders', limitOrder())
  const words = ['--live', venue.venue.url, '--on-exit', 'flatten']
  const { code, stdout } = await run(words, path.join(folder, 'flat.jsonl'), async () => {})
  expect(stdout.split('\n').slice(1)).toEqual(['stopped; nothing is open', ''])
  expect(code).toBe(0)
  expect((await venue.get(`/orders/${ALICE.accountId}/active`)).body).toEqual([])
  await venue.venue.close()
})

test('a warm-up is told once, in a sentence and not bar by bar; what cannot be told is refused before anything begins', async () => {
  const venue = await startVenue({ ...CONFIGURATION })
  const now = venue.venue.engine.now
  const rows = Array.from({ length: 120 }, (_, minute) => {
    const open = Math.floor(now / 60_000 - 120 + minute) * 60_000
    return `${open},50000,50010,49990,${50_000 + (minute % 7)},1`
  })
  const data = path.join(folder, 'minutes.csv')
  writeFileSync(data, ['time,open,high,low,close,volume', ...rows, ''].join('\n'))
  const warm = path.join(folder, 'warm.mjs')
  const note = "{ name: 'warm', onBar(bar, { now }) { globalThis.heard.push([bar.closeTime, now]) } }"
  writeFileSync(warm, `export default () => (${note})\n`)
  const heard: [number, number][] = []
  Object.assign(globalThis, { heard })
  const journal = path.join(folder, 'warm.jsonl')
  const words = ['--live', venue.venue.url, '--data', data]
  const { code, stdout, stderr } = await run([...words, '--warm-up', '1h'], journal, async () => {}, warm)
  expect(code).toBe(0)
  expect(stdout.split('\n')).toHaveLength(3)
  expect(untimed(stderr)).toMatch(
    /^BTC: the strategy was told 60 row\(s\) from 20\d\d-\S+ \S+ to 20\d\d-\S+ \S+ UTC before it traded; nothing is missing until the begin of the run$/m,
  )
  expect(heard).toHaveLength(60)
  expect(heard.every(([closeTime, at]) => closeTime === at && at < now)).toBe(true)
  expect(journalOf(journal)[0].warmUp.markets).toMatchObject([{ asset: 'BTC', rows: 60, missing: 0 }])
  const refused = async (...more: readonly string[]) => {
    const never = path.join(folder, 'never.jsonl')
    const ended = await typed(['backtest', '--key', ALICE.key, '--journal', never, ...more])
    expect(existsSync(never) ? readFileSync(never, 'utf8') : '').toBe('')
    return `${ended.code} ${untimed(ended.stderr).split('\n').at(-2)}`
  }
  expect(await refused(...words)).toBe(
    '2 error: --data beside --live is what the strategy is told before it trades: say with --warm-up how much of it',
  )
  expect(await refused('--live', venue.venue.url, '--warm-up', '1h')).toBe(
    '2 error: --warm-up tells the strategy of data before now: give --data for BTC',
  )
  expect(await refused(...words, '--warm-up', '1h', '--interval', '30')).toMatch(
    /^2 error: BTC: the data has bars of 1 min, and the run tells bars of 30 s/,
  )
  await venue.operate({ type: 'advanceTime', ms: 7_200_000 })
  expect(await refused(...words, '--warm-up', '3h')).toMatch(
    /^2 error: BTC: the data ends at .* 2\.0 hours before the run begins, and at most 1\.0 hours may be missing/,
  )
  await venue.venue.close()
})

/** What a run of a venue says of what the venue does to it, and its journal's entries. */
async function befallen(
  name: string,
  strategyText: string,
  meanwhile: (venue: VenueUnderTest, noted: (type: string) => Promise<void>) => Promise<void>,
) {
  const venue = await startVenue({ ...CONFIGURATION })
  const file = path.join(folder, `${name}.mjs`)
  writeFileSync(file, `export default ({ asset }) => (${strategyText})\n`)
  const journal = path.join(folder, `${name}.jsonl`)
  const noted = async (type: string) => {
    const has = () => expect(journalOf(journal).map((entry) => entry.type)).toContain(type)
    await vi.waitFor(has, { timeout: 60_000 })
  }
  const ended = await run(
    ['--live', venue.venue.url, '--interval', '60'],
    journal,
    () => meanwhile(venue, noted),
    file,
  )
  await venue.venue.close()
  return { ...ended, said: untimed(ended.stderr).split('\n'), entries: journalOf(journal), journal }
}
const WAITS = "{ name: 'waits', onBar() {} }"

test('a key that is revoked ends the run with a sentence, and its journal can be drawn and compared', async () => {
  const { code, said, entries, journal } = await befallen('revoked', WAITS, async (venue, noted) => {
    await noted('price')
    const hash = createHash('sha256').update(ALICE.key).digest('hex')
    await venue.operate({ type: 'revokeApiKey', hash })
    await noted('end')
  })
  const why =
    'the venue has ended the stream (session_expired): the key was revoked or refreshed, or has expired'
  expect(said.at(-2)).toBe(`error: ${why}`)
  expect(said.at(-3)).toBe('the run has failed; nothing is open')
  expect(code).toBe(2)
  expect(entries.at(-1)).toMatchObject({ type: 'end', error: why, positions: 0, orders: 0 })
  expect((await readJournalRun(journal)).incidents).toMatchObject([{ kind: 'failed', what: why }])
  expect((await typed(['compare', journal, '--with-backtest'])).code).toBe(0)
})

test('a market that is paused and opened again is told, what it refuses the strategy hears, and a backtest of the journal is refused the same', async () => {
  const enters = `{
    name: 'enters',
    async onTick(_tick, context) {
      if (context.positions(asset).length > 0) return
      const entered = await context.open({ asset, direction: 'long', sizeBy: { margin: '50' }, leverage: '2' })
      if (!entered.ok) globalThis.codes?.push(entered.error.code)
    },
    async onBar(_bar, context) {
      const [position] = context.positions(asset)
      if (position === undefined) return
      const left = await context.close({ position })
      if (!left.ok) globalThis.codes?.push(left.error.code)
    },
  }`
  const codes: string[] = []
  Object.assign(globalThis, { codes })
  const { code, said, entries, journal } = await befallen('paused', enters, async (venue, noted) => {
    const price = async (text: string) =>
      venue.operate(
        { type: 'updatePrice', marketId: BTC, indexPrice: text },
        { type: 'advanceTime', ms: 30_000 },
      )
    const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000 })
    await noted('event')
    await venue.operate({ type: 'setMarketStatus', marketId: BTC, status: 'paused' })
    await noted('market')
    await price('50010000000000')
    await price('50020000000000')
    await until(() => expect(codes.length).toBeGreaterThan(0))
    await venue.operate({ type: 'setMarketStatus', marketId: BTC, status: 'open' })
    await price('50030000000000')
    await price('50040000000000')
    await venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice: '50050000000000' })
    await until(() =>
      expect(
        journalOf(path.join(folder, 'paused.jsonl')).filter(({ event }) => event?.type === 'closePosition'),
      ).not.toEqual([]),
    )
  })
  expect(code).toBe(0)
  expect(new Set(codes)).toEqual(new Set(['market_paused']))
  expect(said.filter((line) => line.startsWith('BTC: the venue'))).toEqual([
    'BTC: the venue has paused the market; it takes no orders',
    'BTC: the venue has opened the market; it takes orders again',
  ])
  expect(entries.filter(({ type }) => type === 'market').map(({ status }) => status)).toEqual([
    'paused',
    'open',
  ])
  const { incidents } = await readJournalRun(journal)
  expect(incidents.filter(({ kind }) => kind === 'market paused')).toMatchObject([
    { asset: 'BTC', what: 'until it was open again' },
  ])
  const compared = JSON.parse((await typed(['compare', journal, '--with-backtest', '--json'])).stdout)
  expect(compared.rows.map(({ found }: { readonly found: string }) => found)).not.toContain('only backtest')
  expect(compared.remainder).toBe('0')
})

test('an account that is stopped is told once, and so is a venue that closes; Ctrl-C then ends with what stays, as last heard of', async () => {
  const { code, said, entries } = await befallen('closing', WAITS, async (venue, noted) => {
    await noted('price')
    await venue.operate({ type: 'stopAccount', accountId: ALICE.accountId, reason: 'freeze' })
    await noted('account')
    await venue.venue.close()
    await noted('lost')
  })
  expect(said.filter((line) => /^the (account|stream)/.test(line))).toEqual([
    'the account is frozen now',
    'the stream is lost (closing); connecting again',
  ])
  expect(entries.find(({ type }) => type === 'lost')).toMatchObject({ why: 'closing' })
  expect(entries.at(-1)).toMatchObject({ type: 'end' })
  expect(code).toBe(2)
  expect(said.at(-2)).toMatch(/^error: http:\S+ cannot be reached/)
})
