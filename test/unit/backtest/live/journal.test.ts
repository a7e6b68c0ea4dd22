// The journal of a live run: torn at any byte it is read up to there, it goes on in further files, and a run that was killed
// is told what it missed; its report comes to what the venue has, to the last digit.

import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { saveLiveRun } from '../../../../src/backtest/export/saveLiveRun.ts'
import type { JournalEntry, JournalEvent } from '../../../../src/backtest/live/journal.ts'
import { JournalFile, journalParts } from '../../../../src/backtest/live/journalFile.ts'
import { readJournalRun } from '../../../../src/backtest/live/journalRun.ts'
import { LiveAccount } from '../../../../src/backtest/live/liveAccount.ts'
import { LiveContext } from '../../../../src/backtest/live/liveContext.ts'
import { journalBegin, runLive } from '../../../../src/backtest/live/liveRun.ts'
import { readJournal } from '../../../../src/backtest/live/readJournal.ts'
import { resumedHead } from '../../../../src/backtest/live/resumedHead.ts'
import { streamOf } from '../../../../src/backtest/live/streamOf.ts'
import { portfolio } from '../../../../src/backtest/portfolio/portfolio.ts'
import type { Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { MarginTradingClient } from '../../../../src/client/index.ts'
import { fp9, type PositionRecord } from '../../../../src/index.ts'
import { ALICE, BTC, CONFIGURATION, startVenue, type VenueUnderTest } from '../../../host/venue.ts'
import { openIn } from '../../../openFiles.ts'

let venue: VenueUnderTest
let folder: string
let file: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-journal-'))
  file = path.join(folder, 'live.jsonl')
  venue = await startVenue({ ...CONFIGURATION, rateLimit: null })
  await price('50000')
  await journaled(file, opener, async () => {
    await heard('increasePosition')
    await price('50500')
    await price('51000', 70_000)
    await priced('51000')
    await venue.operate({ type: 'adjustBalance', accountId: ALICE.accountId, amount: fp9('25').toString() })
  })
  // Killed here, as far as the journal goes: while nothing runs, the stop fires.
  entries = await read(file)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^.*"type":"end".*\n/m, ''))
  await price('44000')
  await journaled(file, listener, async () => {
    await heard('closePosition')
    await price('45000')
  })
})
afterAll(async () => {
  await venue.venue.close()
  rmSync(folder, { recursive: true })
})

let entries: JournalEntry[] = []
let live: JournalEntry[] = []

const price = (text: string, ms = 1_000) =>
  venue.operate(
    { type: 'advanceTime', ms },
    { type: 'updatePrice', marketId: BTC, indexPrice: fp9(text).toString() },
  )
const heard = (type: string) =>
  vi.waitFor(() => expect(live.some((e) => e.type === 'event' && e.event.type === type)).toBe(true), 20_000)
const priced = (text: string) =>
  vi.waitFor(() => expect(live.some((e) => e.type === 'price' && e.price === fp9(text))).toBe(true), 20_000)

const ENTRY = { asset: 'BTC', direction: 'long', sizeBy: { margin: '50' }, leverage: '2' } as const
const opener: Strategy = portfolio([
  {
    name: 'bold',
    strategy: {
      name: 'opens',
      async onStart(context) {
        const opened = await context.open({ ...ENTRY, stopLoss: fp9('45000') })
        expect(opened.ok).toBe(true)
        // What it has just done is its own at once.
        expect(context.positions('BTC')).toHaveLength(1)
        expect((await context.open({ ...ENTRY, leverage: '4000' })).ok).toBe(false)
      },
    },
  },
])
const listener: Strategy = { name: 'listens' }
const PLAN = {
  strategy: 'portfolio',
  portfolio: [{ name: 'bold', strategy: 'opens' }],
  markets: [{ asset: 'BTC' }],
}

async function journaled(to: string, strategy: Strategy, meanwhile: () => Promise<void>): Promise<void> {
  const client = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.key })
  const [stop, over] = [new AbortController(), new AbortController()]
  const context = await LiveContext.open(client, () => venue.venue.engine.now)
  const stream = await streamOf(client, context.accountId, over.signal)
  if (stream === null) throw new Error('the venue has a stream')
  const head = await resumedHead(to, undefined).catch(() => null)
  const streamFrom = (from: number) =>
    client.stream({ accountIds: [context.accountId], from, signal: over.signal })
  live = []
  const options = {
    ...{ context, strategy, assets: ['BTC'], stream, signal: stop.signal, sleep: async () => {} },
    ...(head === null ? {} : { resume: { head, streamFrom } }),
    ...{ venue: venue.venue.url, plan: PLAN },
    onEntry: (entry: JournalEntry) => {
      live.push(entry)
      journal.add(entry)
    },
  }
  const journal = new JournalFile(to, (at) => journalBegin(options, at, true))
  const run = runLive(options)
  try {
    await Promise.race([run, meanwhile()])
  } finally {
    stop.abort()
  }
  await run
  over.abort()
  journal.close()
}

async function read(from: string, torn: (line: number) => void = () => {}): Promise<JournalEntry[]> {
  const all: JournalEntry[] = []
  for await (const entry of readJournal(from, ({ line }) => torn(line))) all.push(entry)
  return all
}

test('the journal is what was told, to the last digit', () => {
  expect(entries.at(-1)).toMatchObject({ type: 'end', positions: 1, error: null })
  const begin = entries[0]
  expect(begin).toMatchObject({ type: 'run', plan: PLAN, assets: ['BTC'] })
  const refused = entries.find((entry) => entry.type === 'asked' && entry.answer !== 'accepted')
  expect(refused).toMatchObject({ answer: 'invalid_leverage', part: 'bold', side: 'long', asset: 'BTC' })
  // By the venue's clock, which went on by 71 seconds meanwhile.
  const took = entries.flatMap((entry) => (entry.type === 'asked' ? [entry.tookMs] : []))
  expect(took).not.toEqual([])
  for (const ms of took) expect([ms >= 0, ms <= 71_000]).toEqual([true, true])
  expect(entries.some((entry) => entry.type === 'bar')).toBe(true)
  const opened = entries.find((entry) => entry.type === 'event' && entry.event.type === 'increasePosition')
  const [before] = venue.venue.engine.read.positionHistory(ALICE.accountId, BTC).data
  expect(opened).toMatchObject({ part: 'bold', event: { positionId: before?.id, opens: true } })
})

test('a run that was killed is told what it missed, once, and its report comes to what the venue has', async () => {
  const run = await readJournalRun(file)
  expect(live.filter((entry) => entry.type === 'event' && entry.event.type === 'closePosition')).toHaveLength(
    1,
  )
  expect(run.incidents.map(({ kind }) => kind)).toContain('not running')
  const { result } = run
  const { read: reader } = venue.venue.engine
  expect(result.account.riskStatus.currentEquity).toBe(reader.equity(ALICE.accountId))
  expect(result.costs.transfers).toBe(fp9('25'))
  const [record] = reader.positionHistory(ALICE.accountId, BTC).data
  expect(result.trades).toHaveLength(1)
  expect(result.trades[0]?.realizedPnl).toBe(record?.pnl)
  expect(result.trades[0]?.fees).toBe(record?.fee)
  const { pricePnl, spread, scalping, fees, liquidationPenalties, funding, profitCap, lossesAbsorbed } =
    result.costs
  const costs = spread + scalping + fees + liquidationPenalties + funding + profitCap
  expect(result.statistics.netProfit).toBe(pricePnl - costs + lossesAbsorbed + result.costs.transfers)
  expect(result.rejections).toEqual({ invalid_leverage: 1 })
  expect(result.portfolio?.parts[0]?.netProfit).toBe(result.statistics.netProfit - result.costs.transfers)
  const events: JournalEvent[] = []
  for await (const entry of readJournal(file)) if (entry.type === 'event') events.push(entry)
  const out = path.join(folder, 'saved')
  await saveLiveRun(out, run, events)
  expect(readFileSync(path.join(out, 'fills.csv'), 'utf8')).toMatch(/,part\n.*,bold\n.*,bold\n$/)
  expect(readFileSync(path.join(out, 'incidents.csv'), 'utf8')).toMatch(/refused,BTC,.*invalid_leverage/)
  expect(readFileSync(path.join(out, 'report.html'), 'utf8')).toContain('What befell the run')
  expect(JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8')).live.incidents.length).toBe(
    run.incidents.length,
  )
})

describe('a journal on disk', () => {
  test('is read up to where it was torn, at any byte, and goes on from there', async () => {
    const torn = path.join(folder, 'torn.jsonl')
    const bytes = readFileSync(file)
    const lines = bytes.toString().trimEnd().split('\n')
    const whole = lines.length
    const last = Buffer.byteLength(`${lines.at(-1)}\n`)
    const [begin] = entries
    if (begin?.type !== 'run') throw new Error('a journal begins with a run')
    for (let cut = 1; cut < last; cut += 97) {
      writeFileSync(torn, bytes)
      truncateSync(torn, bytes.length - cut)
      const told: number[] = []
      const found = await read(torn, (line) => told.push(line))
      expect(found).toHaveLength(cut === 1 ? whole : whole - 1)
      expect(told).toEqual(cut === 1 ? [] : [whole])
      const journal = new JournalFile(torn, () => begin)
      journal.add(begin)
      journal.close()
      expect(await read(torn)).toHaveLength(found.length + 1)
    }
  })

  test('a line that is damaged and not torn is named', async () => {
    const damaged = path.join(folder, 'damaged.jsonl')
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[3] = (lines[3] as string).slice(0, 20)
    writeFileSync(damaged, lines.join('\n'))
    await expect(read(damaged)).rejects.toThrow(/damaged\.jsonl:4: it is no JSON/)
    writeFileSync(damaged, '')
    await expect(read(damaged)).rejects.toThrow(/the journal is empty/)
    writeFileSync(damaged, 'no\njournal\n')
    await expect(read(damaged)).rejects.toThrow(/no line of it is an entry of a journal/)
    await expect(read(folder)).rejects.toThrow(/a journal is a file, and this is a folder/)
    await expect(read(path.join(folder, 'nothing.jsonl'))).rejects.toThrow(/there is no such journal/)
  })

  test('goes on in further files, keeps the newest, and each can be read without those before it', async () => {
    const parted = path.join(folder, 'parted.jsonl')
    const [begin] = entries
    if (begin?.type !== 'run') throw new Error('a journal begins with a run')
    const journal = new JournalFile(parted, (head) => ({ ...begin, head, isContinued: true }), {
      ...{ partBytes: 8_000, parts: 3 },
    })
    for (let round = 0; round < 12; round++) for (const entry of entries) journal.add(entry)
    journal.close()
    const parts = journalParts(parted)
    expect(parts).toHaveLength(3)
    expect(path.basename(parts[0] as string)).toMatch(/^parted\.0000[0-9]{2}\.jsonl$/)
    for (const part of parts) expect(readFileSync(part).length).toBeLessThan(16_000)
    expect((await read(parted))[0]).toMatchObject({ type: 'run', isContinued: true })
    await readJournalRun(parted)
  })
})

test('a verdict is the first thing that the venue says of it, with the rule whose floor was broken; freezes are counted', () => {
  const [first] = entries
  if (first?.type !== 'run') throw new Error('a journal begins with a run')
  const [daily, total] = [fp9('9500'), fp9('9000')]
  const riskStatus = { ...first.account.riskStatus, dailyLossFloor: daily, totalLossFloor: total }
  const begin = { ...first, account: { ...first.account, riskStatus } }
  const told = (...accounts: readonly Partial<typeof begin.account>[]) => {
    const account = new LiveAccount(begin)
    for (const [at, more] of accounts.entries())
      account.add({ type: 'account', at: begin.at + at, account: { ...begin.account, ...more } })
    return account.result()
  }
  const at = (currentEquity: bigint) => ({ riskStatus: { ...riskStatus, currentEquity } })
  expect(told({ status: 'frozen' }, { status: 'frozen' }, {}, { status: 'frozen' }).freezes).toBe(2)
  expect(told({ status: 'frozen' }).verdict).toEqual({ outcome: 'undecided' })
  expect(told({ status: 'failed', ...at(daily - 1n) }).verdict).toMatchObject({
    breach: { rule: 'daily_loss', floor: daily, equity: daily - 1n },
  })
  const failed = told({ status: 'failed', ...at(total - 1n) }, { currentPhase: 'funded' })
  expect(failed.verdict).toMatchObject({ outcome: 'failed', breach: { rule: 'total_loss', floor: total } })
  // At its floor nothing is broken yet (H6): whoever fails there has lost the day.
  for (const [equity, rule] of [
    [total - 1n, 'total_loss'],
    [total, 'daily_loss'],
    [total + 1n, 'daily_loss'],
  ] as const)
    expect(told({ status: 'failed', ...at(equity) }).verdict).toMatchObject({ breach: { rule, equity } })
  expect(told({ currentPhase: 'funded' }).verdict).toMatchObject({ outcome: 'passed' })
})

test('a position from before a run is a trade of it once it has ended, opened when it was', () => {
  const [first] = entries
  const events = entries.flatMap((entry) => (entry.type === 'event' ? [entry] : []))
  const opening = events.find(({ event }) => event.type === 'increasePosition')
  if (first?.type !== 'run' || opening?.event.type !== 'increasePosition') throw new Error('it opens one')
  const { positionId: id, accountId, marketId, direction, size, notional, margin, feeRate } = opening.event
  const record = {
    ...{ id, accountId, marketId, direction, size, notional, margin, feeRate },
    openedAt: first.at - 9_000,
  }
  const account = new LiveAccount({ ...first, positions: [record as unknown as PositionRecord] })
  const end = {
    ...{
      type: 'forceClose',
      positionId: id,
      accountId,
      marketId,
      direction,
      size,
      margin,
      feeRate,
      spread: 0n,
    },
    ...{ exchangedQuote: notional, cost: notional, rawPnl: 0n, pnl: 0n, fee: 0n, credit: margin, formula: 1 },
    ...{ marginReleased: margin, profitReferenceUsed: 0n, holdingTimeMs: 0, closeReason: 'force_close' },
    indexPrice: opening.event.indexPrice,
  } as JournalEvent['event']
  account.add({ ...opening, at: first.at + 1_000, event: end })
  expect(account.result().trades).toMatchObject([{ positionId: id, size, openedAt: first.at - 9_000 }])
})

describe('prices that were told', () => {
  /** A run that holds what it held in the journal, with daily and total floors, and is told these prices at these seconds. */
  function priced(...prices: readonly (readonly [asset: string, second: number, price: string])[]) {
    const [first] = entries
    if (first?.type !== 'run') throw new Error('a journal begins with a run')
    const opening = entries.find(
      (entry): entry is JournalEvent => entry.type === 'event' && entry.event.type === 'increasePosition',
    ) as JournalEvent
    const riskStatus = {
      ...first.account.riskStatus,
      dailyLossFloor: fp9('9500'),
      totalLossFloor: fp9('9000'),
    }
    const account = new LiveAccount({ ...first, account: { ...first.account, riskStatus } })
    account.add(opening)
    const at = (second: number) => opening.at + 1_000 * second
    for (const [asset, second, price] of prices)
      account.add({ type: 'price', at: at(second), asset, price: fp9(price) })
    return {
      account,
      at,
      opening: opening.event as Extract<JournalEvent['event'], { type: 'increasePosition' }>,
    }
  }

  test('are counted, end in the last of the market and stand in its candles; another market has none', () => {
    const { account, at } = priced(
      ['BTC', 1, '50100'],
      ['BTC', 2, '49900'],
      ['DOGE', 3, '1'],
      ['BTC', 61, '51000'],
    )
    expect([account.prices, account.pricesOf(0), account.pricesOf(1)]).toEqual([3, 3, 0])
    expect(account.priceOf(BTC)).toBe(fp9('51000'))
    const [candles] = account.recording.candles
    expect(candles?.close.map(String)).toEqual(['50100', '49900', '51000'].map((price) => String(fp9(price))))
    expect(candles?.time).toEqual([1, 2, 61].map((second) => Math.floor(at(second) / 1_000) * 1_000))
  })

  test('are what the position is worth: of a minute the first and what is last, and the least room above each floor', () => {
    const { account, at, opening } = priced(
      ['BTC', 60, '48000'],
      ['BTC', 90, '20000'],
      ['BTC', 121, '52000'],
      ['BTC', 150, '51000'],
    )
    const { curve, leastDailyHeadroom, leastTotalHeadroom, costs } = account.result()
    const equityAt = (price: string) => {
      const worth = (opening.size * fp9(price)) / 1_000_000_000n
      return (curve.equity[0] as bigint) - opening.fee + worth - opening.notional
    }
    const expected = ['48000', '52000', '51000'].map(equityAt)
    const points = [60, 121, 150].map((second) => curve.equity[curve.time.indexOf(at(second))] as bigint)
    for (const [index, equity] of points.entries())
      expect(Number(equity - (expected[index] as bigint))).toBeLessThanOrEqual(1)
    expect(curve.time).not.toContain(at(90))
    expect(leastDailyHeadroom).toBe((points[0] as bigint) - fp9('9500'))
    expect(leastTotalHeadroom).toBe((points[0] as bigint) - fp9('9000'))
    expect(costs.fees).toBe(opening.fee)
  })

  test('tell how near a liquidation the position came, which has its level', () => {
    const closest = (price: string) => priced(['BTC', 1, price]).account.result().closestToLiquidation
    expect(closest('49000')).not.toBeNull()
    expect(Number(closest('48000'))).toBeLessThan(Number(closest('49000')))
    const { levels } = priced(['BTC', 1, '49000']).account.recording
    expect(levels.map(({ kind }) => kind)).toContain('liquidation')
  })

  test('make a curve that never goes back in time', () => {
    const { account, at } = priced(['BTC', 60, '48000'], ['BTC', 130, '48100'])
    account.add({ type: 'bar', at: at(70), bar: {} as never })
    const { time } = account.result().curve
    expect([...time.subarray(0, account.result().curve.length)]).toEqual(
      [...time.subarray(0, account.result().curve.length)].sort((a, b) => a - b),
    )
  })

  test('after events that nobody told, what is open is what the last run began with', () => {
    const { account, at, opening } = priced(['BTC', 60, '48000'])
    const [first] = entries
    if (first?.type !== 'run') throw new Error('a journal begins with a run')
    const { direction, size, notional, margin, feeRate } = opening
    const of = { accountId: opening.accountId, marketId: opening.marketId, openedAt: at(65) }
    const another = {
      ...of,
      id: 'another',
      direction,
      size: size / 2n,
      notional: notional / 2n,
      margin,
      feeRate,
    }
    const worth = () => account.result().account.riskStatus.currentEquity
    expect(account.result().openPositions).toBe(1)
    const before = worth()
    account.add({ ...first, at: at(70), positions: [another as unknown as PositionRecord] })
    expect(worth()).toBe(before)
    account.add({ type: 'untold', at: at(71) })
    expect(account.result().openPositions).toBe(1)
    expect(worth()).not.toBe(before)
  })
})

test('a journal is not open any more once it has been read, to its end or not', async () => {
  for (const least of [1, 2, Number.POSITIVE_INFINITY]) {
    let entries = 0
    for await (const { type } of readJournal(file)) {
      expect(type).toBeDefined()
      entries += 1
      if (entries >= least) break
    }
    expect(entries).toBeGreaterThan(0)
    expect(openIn(folder)).toEqual([])
  }
})
