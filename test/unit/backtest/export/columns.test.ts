// docs/exports.md over runs: each column of each file is named there, each cell has the form of its unit, and the figures are the engine's and add up.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { tradeNumbers } from '../../../../src/backtest/accounting/tradeNumbers.ts'
import { saveLiveRun } from '../../../../src/backtest/export/saveLiveRun.ts'
import { saveRun } from '../../../../src/backtest/export/saveRun.ts'
import type { Learning } from '../../../../src/backtest/learned/learning.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import type { JournalEntry, JournalEvent } from '../../../../src/backtest/live/journal.ts'
import { readJournalRun } from '../../../../src/backtest/live/journalRun.ts'
import { journalLine } from '../../../../src/backtest/live/journalText.ts'
import { portfolio } from '../../../../src/backtest/portfolio/portfolio.ts'
import type { BacktestOptions, BacktestResult } from '../../../../src/backtest/run/run.ts'
import { demoFeed } from '../../../../src/backtest/simulated/demoFeed.ts'
import { emaCross } from '../../../../src/backtest/strategies/emaCross.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { recordedRun } from '../../../../src/cli/recordedRun.ts'
import { formatDecimal, fp9 } from '../../../../src/index.ts'
import { LiveRig } from '../compare/liveRig.ts'
import { restlessTrader } from '../run/restlessTrader.ts'
import { wildMarket } from '../run/venue.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-columns-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Column {
  readonly name: string
  readonly unit: string
  readonly meaning: string
}

const DECIMAL = '-?\\d+(\\.\\d{1,9})?'
const NUMBER = '-?\\d+(\\.\\d+)?(e[+-]\\d+)?'
const FORMS: Readonly<Record<string, string>> = {
  ...{ amount: DECIMAL, price: DECIMAL, size: DECIMAL, fraction: NUMBER, number: NUMBER, count: '\\d+' },
  ms: '\\d+(\\.\\d+)?',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  ...{ date: '\\d{4}-\\d\\d-\\d\\d', month: '\\d{4}-\\d\\d' },
  ...{ id: '[0-9a-f-]{36}', word: '[A-Za-z_]+', text: '.+' },
}

/** The tables of the page by its headings, each a list of rows of three. */
const PAGE = new Map(
  readFileSync(path.join(import.meta.dirname, '../../../../docs/exports.md'), 'utf8')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [heading = ''] = section.split('\n')
      const tables = section.split(/\n\n(?=\|)/).slice(1)
      return [
        heading.replaceAll('`', ''),
        tables.map((table) =>
          table
            .split('\n')
            .filter((line) => line.startsWith('| '))
            .slice(1)
            .map((line): Column => {
              const [name = '', unit = '', meaning = ''] = line.slice(2, -2).split(' | ')
              return { name, unit, meaning }
            }),
        ),
      ] as const
    }),
)

type Row = Readonly<Record<string, string>>
type Saved = Readonly<Record<string, readonly Row[]>>

const tablesOf = (place: string): Saved =>
  Object.fromEntries(
    readdirSync(place)
      .filter((name) => name.endsWith('.csv'))
      .map((name) => [name, parse(readFileSync(path.join(place, name)), { columns: true })]),
  )

const isOptional = ({ meaning }: Column) =>
  /^(of a portfolio|with `--path both`|of a run with fits that are used later|of a live run that waited for a fit):/.test(
    meaning,
  )

function mustFit(value: string, { name, unit }: Column): void {
  const form = FORMS[unit.replace(/ or empty$/, '')]
  expect(form, `${name} has the unit ${unit}`).toBeDefined()
  if (value === '') return expect(unit, name).toMatch(/ or empty$/)
  expect(value, name).toMatch(new RegExp(`^${form}$`, 's'))
}

function mustBeDocumented(place: string): void {
  for (const [file, rows] of Object.entries(tablesOf(place))) {
    const [columns = [], figures = []] = PAGE.get(file) ?? []
    expect(columns.length, `${file} is in docs/exports.md`).toBeGreaterThan(0)
    const [head = []] = parse(readFileSync(path.join(place, file)), { to: 1 }) as string[][]
    const isScore = (name: string) => / (in|out of) sample$/.test(name)
    const said = columns.filter(({ name }) => !name.startsWith('…'))
    const there = head.filter((name) => !isScore(name))
    expect(said.map(({ name }) => name).filter((name) => there.includes(name))).toEqual(there)
    expect(said.filter((column) => !there.includes(column.name) && !isOptional(column))).toEqual([])
    const unitOf = new Map(said.map((column) => [column.name, column]))
    for (const row of rows) {
      for (const [name, value] of Object.entries(row))
        mustFit(value, unitOf.get(name) ?? (columns.find((column) => isScore(column.name)) as Column))
      if (file !== 'statistics.csv') continue
      const figure = figures.find(({ name }) => name === row.figure)
      expect(figure, `${row.figure} is in docs/exports.md`).toBeDefined()
      mustFit(row.value ?? '', figure as Column)
    }
  }
  expect(
    readdirSync(place).filter((name) => !PAGE.has(name) && name !== 'report.html' && name !== 'result.json'),
  ).toEqual([])
}

const sum = (rows: readonly Row[], column: string) =>
  rows.reduce((all, row) => all + fp9(row[column] === '' ? '0' : (row[column] as string)), 0n)
const decimal = (text: unknown) => formatDecimal(BigInt(String(text)))

/** The tables against each other, against result.json, and against the result of the engine. */
const AMOUNT =
  /(?:^|\.)(?:netProfit|grossProfit|grossLoss|largestWin|largestLoss|expectancy|amount|pricePnl|fees|funding)(?:\.(?:low|high))?$/

function mustReconcile(place: string, result: BacktestResult, hasStream = true): void {
  const tables = tablesOf(place)
  const [trades = [], fills = []] = [tables['trades.csv'], tables['fills.csv']]
  const json = JSON.parse(readFileSync(path.join(place, 'result.json'), 'utf8'))
  const { statistics, costs, curve, initialBalance } = result

  const numbers = tradeNumbers(result.trades)
  expect(trades).toHaveLength(result.trades.length)
  for (const [index, trade] of result.trades.entries()) {
    const row = trades[index] as Row
    for (const name of [
      'size',
      'entryPrice',
      'exitPrice',
      'realizedPnl',
      'rawPnl',
      'fees',
      'funding',
      'pnl',
    ] as const)
      expect(row[name]).toBe(formatDecimal(trade[name]))
    expect(Number(row.number)).toBe(numbers.get(trade.positionId))
    expect(fp9(row.pnl ?? '')).toBe(trade.realizedPnl - trade.fees + trade.funding)
    const own = fills.filter(({ positionId }) => positionId === trade.positionId)
    const isEntry = ({ action }: Row) => action === 'open' || action === 'increase'
    if (own[0]?.action !== 'open') continue
    expect(sum(own, 'fee')).toBe(trade.fees)
    expect(sum(own.filter(isEntry), 'size')).toBe(trade.size)
    expect(sum(own, 'pnl')).toBe(trade.realizedPnl)
    expect([row.openedAt, row.closedAt]).toEqual([own[0]?.at, own.at(-1)?.at])
    expect(row.endedBy).toBe(own.at(-1)?.reason)
  }
  expect(
    [...trades].sort((a, b) => Number(a.number) - Number(b.number)).map(({ openedAt }) => openedAt),
  ).toEqual(trades.map(({ openedAt }) => openedAt).sort())
  expect(sum(trades, 'pnl')).toBe(statistics.trades.netProfit)
  expect(fills).toHaveLength(result.fills)
  expect(sum(fills, 'fee')).toBe(costs.fees + costs.liquidationPenalties)

  const points = tables['curve.csv'] ?? []
  expect(points.map(({ equity }) => fp9(equity as string))).toEqual([...curve.equity])
  expect(points.map(({ balance }) => fp9(balance as string))).toEqual([...curve.balance])
  expect(fp9(points.at(-1)?.equity ?? '0') - fp9(points[0]?.equity ?? '0')).toBe(statistics.netProfit)
  expect(fp9(points[0]?.equity ?? '0')).toBe(initialBalance)

  const lines = tables['costs.csv'] ?? []
  const { pricePnl, lossesAbsorbed, transfers, ...paid } = json.costs
  for (const { line = '', amount } of lines.slice(0, -1))
    expect(amount).toBe(line in paid ? formatDecimal(-BigInt(paid[line])) : decimal(json.costs[line]))
  expect([pricePnl, lossesAbsorbed, transfers].map(String)).not.toContain('undefined')
  expect(sum(lines.slice(0, -1), 'amount')).toBe(statistics.netProfit)
  expect(fp9(lines.at(-1)?.amount ?? '')).toBe(statistics.netProfit)
  if (hasStream) expect(json.statistics.netProfit).toBe(String(statistics.netProfit))

  const flat = (figures: object, prefix = ''): [string, unknown][] =>
    Object.entries(figures).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? flat(value, `${prefix}${name}.`)
        : [[`${prefix}${name}`, value] as [string, unknown]],
    )
  const told = new Map(tables['statistics.csv']?.map(({ figure, value }) => [figure, value]))
  for (const [name, value] of flat(json.statistics)) {
    const cell =
      typeof value === 'string'
        ? decimal(value)
        : name.endsWith('At') && value !== null
          ? new Date(Number(value)).toISOString()
          : String(value ?? '')
    expect(told.get(name), name).toBe(cell)
  }
  // An amount is text wherever it is told, where its redraws lie as well.
  for (const [name, value] of [...flat(json.statistics), ...flat(json.beside ?? {}), ...flat(json.costs)])
    if (AMOUNT.test(name) && value !== null) expect(value, name).toMatch(/^-?\d+$/)
  const [redrawn] = (tables['statistics.csv'] ?? []).filter(({ figure }) => figure === 'trades.netProfit')
  const between = json.beside?.confidence.netProfit
  for (const end of ['low', 'high'])
    if (between) expect(Number(redrawn?.[end])).toBeCloseTo(Number(decimal(between[end])), 8)
    else expect(redrawn?.[end]).toBe('')
  for (const name of ['fills', 'freezes', 'liquidations', 'openPositions'])
    expect(told.get(name)).toBe(String(json[name]))
  expect(tables['rejections.csv']).toEqual(
    Object.entries(json.rejections).map(([code, count]) => ({ code, count: String(count) })),
  )
  expect(tables['data.csv']?.map(({ rows, missingBars }) => [Number(rows), Number(missingBars)])).toEqual(
    json.feeds.map(({ rows, missingBars }: { rows: number; missingBars: number }) => [rows, missingBars]),
  )
  for (const name of ['monthly', 'drawdowns', 'ambiguousBars', 'orders', 'decidingBars', 'divergences']) {
    if (json[name] === undefined) continue
    const cells = json[name].map((row: object) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value ?? '')])),
    )
    expect(tables[`${name}.csv`], name).toEqual(cells)
  }
  expect(tables['rolling.csv']).toHaveLength(json.rolling.length)
  const cellsOf = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name === 'netProfit' && value !== null ? decimal(value) : String(value ?? ''),
      ]),
    )
  const { links, periods } = json.markets as { links: MarketLinks[]; periods: object[] }
  expect(tables['markets.csv']).toEqual(links.map(({ rolling: _, ...link }) => cellsOf(link)))
  expect(tables['rollingBeta.csv']).toEqual(
    links.flatMap(({ market, rolling }) => rolling.map((row) => cellsOf({ market, ...row }))),
  )
  expect(tables['stress.csv']).toEqual(periods.map(cellsOf))
  expect(tables['learned.csv'] ?? []).toEqual(
    (json.learned ?? []).flatMap(
      ({ name, asset, fits }: { name: string; asset: string; fits: Readonly<Record<string, unknown>>[] }) =>
        fits.map(({ inSample, outOfSample, predictions, at, usedFrom, rows, from, to, knownTo }) => ({
          ...{
            model: name,
            asset,
            at,
            ...(usedFrom === undefined ? {} : { usedFrom }),
            rows: String(rows),
            from,
            to,
            knownTo,
            predictions: String(predictions),
          },
          ...scoresOf('in sample', inSample as Scores),
          ...scoresOf('out of sample', outOfSample as Scores),
        })),
    ),
  )
  const parts = json.portfolio?.parts ?? []
  for (const { name, openPnl, netProfit } of parts) {
    const last = tables['strategies.csv']?.findLast(({ strategy }) => strategy === name)
    expect(fp9(last?.earned ?? '0') + BigInt(openPnl)).toBe(BigInt(netProfit))
  }
  expect(tables['beside.csv']?.slice(1).map(({ netProfit }) => netProfit)).toEqual(
    json.beside?.benchmarks.map(({ netProfit }: { netProfit: string }) => decimal(netProfit)),
  )
}

type MarketLinks = { readonly market: string; readonly rolling: readonly object[] }
type Scores = Readonly<Record<string, number | null>>
const scoresOf = (kind: string, scores: Scores) =>
  Object.fromEntries(Object.entries(scores).map(([name, value]) => [`${name} ${kind}`, String(value ?? '')]))

/** Each fill is an event of its commit. */
function mustBeEvents(place: string, amountOf: (value: unknown) => string): void {
  const events = readFileSync(path.join(place, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  for (const { seq, positionId, size, fee, indexPrice } of tablesOf(place)['fills.csv'] ?? [])
    expect(
      events.filter(
        ({ seq: commit, event }) =>
          String(commit) === seq &&
          event.positionId === positionId &&
          ['increasePosition', 'closePosition', 'liquidate', 'forceClose'].includes(event.type) &&
          amountOf(event.size) === size &&
          amountOf(event.fee) === fee &&
          amountOf(event.indexPrice) === indexPrice,
      ),
    ).toHaveLength(1)
}

const learns = (asset: string, more: Partial<Learning> = {}): Strategy => ({
  name: 'learns',
  onStart(context: StrategyContext) {
    context.learn(asset, 'change', {
      ...{ horizon: 2, window: '2h', every: '30m', atLeast: 20 },
      features: ({ open, close }) => [Number(close - open) / 1e9],
      label: (ahead, { close }) => Number((ahead.at(-1)?.close ?? close) - close) / 1e9,
      fit: ridge(),
      ...more,
    })
  },
  onBar() {},
})

const LIMITS = {
  balance: fp9('10000'),
  maxLeverage: fp9('60'),
  maxDailyLoss: fp9('90%'),
  maxTotalLoss: fp9('90%'),
}

const RUNS: Readonly<Record<string, readonly [both: boolean, options: () => BacktestOptions]>> = {
  'of one strategy that is liquidated now and then': [
    false,
    () => ({
      markets: [wildMarket('BTC', 'columns', 400)],
      strategy: restlessTrader('columns/a', ['BTC'], 6),
      account: LIMITS,
      afterVerdict: 'go-on',
    }),
  ],
  'of a portfolio on two markets that learns, on both paths': [
    true,
    () => ({
      markets: [wildMarket('BTC', 'columns/btc', 150), wildMarket('ETH', 'columns/eth', 150)],
      strategy: portfolio([
        { name: 'restless', strategy: restlessTrader('columns/b', ['BTC', 'ETH'], 8) },
        { name: 'learner', strategy: learns('BTC'), assets: ['BTC'] },
      ]),
      account: LIMITS,
      afterVerdict: 'go-on',
    }),
  ],
  'of a model whose fits are used later': [
    false,
    () => ({
      markets: [wildMarket('BTC', 'columns/later', 400)],
      strategy: portfolio([
        { name: 'restless', strategy: restlessTrader('columns/later', ['BTC'], 8) },
        { name: 'learner', strategy: learns('BTC', { takesEffectAfter: '20m' }), assets: ['BTC'] },
      ]),
      account: LIMITS,
      afterVerdict: 'go-on',
    }),
  ],
  'of five weeks': [
    false,
    () => ({
      markets: [{ asset: 'BTC', feed: demoFeed('columns', 36) }],
      strategy: emaCross({ asset: 'BTC', fast: 300, slow: 1_200 }),
      account: LIMITS,
      afterVerdict: 'go-on',
    }),
  ],
}

describe('a backtest', () => {
  test.each(Object.entries(RUNS))(
    '%s',
    async (name, [both, options]) => {
      const place = path.join(folder, name.replaceAll(' ', '-'))
      const named = [{ name: 'a day', from: Date.UTC(2026, 0, 6), to: Date.UTC(2026, 0, 7) }]
      const { result, recording, comparison, beside, against } = await recordedRun(options, both, named)
      await saveRun(place, result, recording, comparison, null, beside, against)
      expect(against.periods.filter(({ name }) => name === 'a day')).toHaveLength(options().markets.length)
      if (name.includes('five weeks')) expect(against.links[0]?.rolling.length).toBeGreaterThan(3)
      expect(result.trades.length).toBeGreaterThan(5)
      if (name.includes('liquidated')) expect(result.liquidations).toBeGreaterThan(0)
      mustBeDocumented(place)
      mustReconcile(place, result)
      mustBeEvents(place, decimal)
    },
    300_000,
  )
})

test('a journal: its lines, its tables and its events', async () => {
  const rig = await LiveRig.start()
  const told: JournalEntry[] = []
  await rig.run(
    {
      name: 'flips',
      async onBar(_bar, context) {
        const [position] = context.positions('BTC')
        if (position !== undefined) await context.close({ position })
        await context.open({ asset: 'BTC', direction: 'long', sizeBy: { base: '0.02' }, leverage: '2' })
        await context.open({ asset: 'BTC', direction: 'long', sizeBy: { base: '900' }, leverage: '2' })
      },
    },
    async () => {
      for (const price of ['50010', '50020', '50040', '49990', '50060', '50005']) {
        await rig.price(price)
        await rig.endBar()
      }
      rig.note({ type: 'waited', at: rig.now, ms: 1_000, why: 'a limit' })
    },
  )
  const run = await readJournalRun(rig.file, (entry) => told.push(entry))
  const place = path.join(folder, 'lived')
  const events = told.filter((entry): entry is JournalEvent => entry.type === 'event')
  await saveLiveRun(place, run, events)
  expect(run.result.trades.length).toBeGreaterThan(3)
  mustBeDocumented(place)
  mustReconcile(place, run.result)
  mustBeEvents(place, String)
  const json = JSON.parse(readFileSync(path.join(place, 'result.json'), 'utf8'))
  expect(tablesOf(place)['incidents.csv']).toEqual(
    json.live.incidents.map(({ at, kind, asset, ms, what }: Row) => ({
      at,
      kind,
      asset: asset ?? '',
      ms: String(ms),
      what,
    })),
  )
  expect(json.live.incidents.length).toBeGreaterThan(2)

  const lines = new Map(PAGE.get('A journal')?.[0]?.map(({ name, unit }) => [name, unit]))
  for (const entry of told) {
    const { at, type, ...more } = JSON.parse(journalLine(entry))
    expect(at).toMatch(new RegExp(`^${FORMS.time}$`))
    for (const field of Object.keys(more)) expect(lines.get(`\`${type}\``), type).toContain(`\`${field}\``)
  }
  await rig.close()
})
