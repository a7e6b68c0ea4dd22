// The files that the kept transcripts are typed beside: prices, trades, rules, traders, configurations and a log, the same on every machine.

import { copyFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { optionsOf, preparePlan } from '../../../src/backtest/plan/options.ts'
import { strategyFilesOf } from '../../../src/backtest/replay/journalStrategy.ts'
import { type Commit, openEngine } from '../../../src/index.ts'
import { openLmdbStore } from '../../../src/store/lmdb/index.ts'
import { CONFIGURATION } from '../../host/venue.ts'
import { Chance, drive, GENESIS, MARKETS } from '../../store/traffic.ts'
import { LiveRig } from '../backtest/compare/liveRig.ts'

const START = Date.UTC(2026, 0, 5)
const MINUTE = 60_000

/** Cents of a price: a walk of up to `step` a minute, above which it leans now up and now down. */
function walk(seed: number, length: number, first: number, step: number): number[] {
  const chance = new Chance(seed)
  const prices = [first]
  for (let minute = 1; minute <= length; minute++) {
    const lean = Math.floor(minute / 500) % 2 === 0 ? 1 : -1
    prices.push((prices.at(-1) as number) + chance.below(2 * step + 1) - step + lean * Math.floor(step / 8))
  }
  return prices
}

const amount = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

function barRows(seed: number, minutes: number, first: number, step: number): string[] {
  const prices = walk(seed, minutes, first, step)
  return Array.from({ length: minutes }, (_, minute) => {
    const [open, close] = [prices[minute] as number, prices[minute + 1] as number]
    const [high, low] = [Math.max(open, close) + (minute % 7) * 10, Math.min(open, close) - (minute % 5) * 10]
    return [START + minute * MINUTE, ...[open, high, low, close].map(amount), 1].join()
  })
}

const DAYS = 4
const HEAD = 'open_time_ms,open,high,low,close,volume'

/** Some trades of a month, as a platform exports them. */
function tradeRows(): string[] {
  const chance = new Chance(5)
  return Array.from({ length: 40 }, (_, trade) => {
    const closed = new Date(START + trade * 17 * 60 * MINUTE).toISOString().replace('T', ' ').slice(0, 19)
    return `${closed},${amount(chance.below(40_000))}`.replace(/,/, trade % 3 === 0 ? ',-' : ',')
  })
}

const write = (folder: string, name: string, content: readonly string[] | readonly object[] | object) =>
  writeFileSync(
    path.join(folder, name),
    Array.isArray(content) && typeof content[0] === 'string'
      ? `${content.join('\n')}\n`
      : JSON.stringify(content, null, 2),
  )

/** Prices, what is played on them, and under which rules. */
export function prices(folder: string): Readonly<Record<string, string>> {
  const bars = barRows(3, DAYS * 1_440, 5_000_000, 4_000)
  write(folder, 'bars.csv', [HEAD, ...bars])
  write(folder, 'eth.csv', [HEAD, ...barRows(8, (DAYS - 1) * 1_440, 300_000, 400)])
  write(folder, 'ticks.csv', [
    'time,price',
    ...walk(9, 3_000, 5_000_000, 900).map((cents, at) => `${START + at * 7_000},${amount(cents)}`),
  ])
  const hours = walk(4, 7 * 24, 5_000_000, 900).map((cents, hour) => [hour, amount(cents)] as const)
  const kept = hours.filter(([hour]) => [0, 1, 4, 6].includes(Math.floor(hour / 24)))
  write(folder, 'lacking.csv', [
    'time,price',
    ...kept.map(([hour, cents]) => `${START + hour * 60 * MINUTE},${cents}`),
  ])
  const [first = '', second = '', ...others] = bars.slice(0, 400)
  const jumped = others.map((row, index) => (index === 200 ? row.replace(/,[\d.]+,1$/, ',90000,1') : row))
  write(folder, 'holes.csv', [HEAD, first, second, 'no row', ...jumped.filter((_, index) => index % 150 > 9)])
  const funding = [0, 8, 16, 40, 48].map((hours) => `${START + hours * 60 * MINUTE},0.0001`)
  write(folder, 'funding.csv', ['time,rate', ...funding])
  write(folder, 'mine.csv', ['Close time,Profit', ...tradeRows()])
  write(folder, 'one-step.json', {
    fee: 400,
    maxDailyLoss: '4%',
    payout: { days: 7, share: '80%', least: 50 },
  })
  write(folder, 'two-step.json', {
    fee: 250,
    phases: [{ profitTarget: '8%' }, { profitTarget: '5%' }],
    payout: { days: 14 },
  })
  write(folder, 'traders.json', [
    { name: 'fast', strategy: 'breakout', parameters: { lookback: 60, width: 5 }, share: 3 },
    { name: 'slow', strategy: 'ema-cross', share: 1 },
  ])
  write(folder, 'periods.json', [
    { name: 'a day', from: '2026-01-06', to: '2026-01-07' },
    { name: 'before', from: '2025-12-01', to: '2025-12-02' },
  ])
  write(folder, 'best.mjs', ['export default ({ trades }) => trades.length'])
  write(folder, 'run.json', {
    strategy: 'breakout',
    parameters: { lookback: 60, width: 5 },
    markets: [{ asset: 'BTC', data: 'bars.csv' }],
  })
  return {}
}

export function configurations(folder: string): void {
  write(folder, 'venue.json', CONFIGURATION)
  write(folder, 'wrong.json', { ...CONFIGURATION, accounts: [{ id: 'none' }], clock: 'never' })
}

/** A log, and some that are decided otherwise today. @returns an order and a position of it that have ended. */
export async function logs(folder: string): Promise<{ order: string; position: string }> {
  const engine = await openEngine({
    ...GENESIS,
    store: await openLmdbStore(path.join(folder, 'data'), { segmentBytes: 4_096 }),
  })
  const chance = new Chance(4)
  for (let round = 0; round < 12; round++) {
    drive(engine, chance, 25)
    await engine.whenDurable()
    if (round === 8) await engine.saveSnapshot()
  }
  const [account] = GENESIS.accounts ?? []
  const [position] = engine.read.portfolio(account?.id as string, { limit: 1, offset: 0 }).data
  const [order] = engine.read.orderHistory(account?.id as string, MARKETS[0], { limit: 1, offset: 0 }).data
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  await engine.close()
  await otherLogs(folder, commits)
  return { order: order?.id as string, position: position?.id as string }
}

const FLIPS = `export default ({ asset }) => ({
  name: 'flips',
  async onBar(bar, context) {
    const [open] = context.positions(asset)
    if (open !== undefined) await context.close({ position: open })
    else await context.open({ asset, direction: bar.close > bar.open ? 'long' : 'short', sizeBy: { base: '0.02' }, leverage: '2' })
  },
})
`

/** The journal of a live run whose strategy trades more by now than it did then. */
export async function liveJournal(folder: string): Promise<void> {
  const rig = await LiveRig.start()
  const file = path.join(folder, 'flips.mjs')
  writeFileSync(file, FLIPS)
  const plan = { strategy: file, markets: [{ asset: 'BTC' }] }
  try {
    const { strategy } = optionsOf(plan, await preparePlan(plan))
    await rig.run(
      strategy,
      async () => {
        for (let bar = 0; bar < 6; bar++) {
          await rig.price(String(50_000 + 70 * bar), 15_000)
          await rig.price(String(50_000 + (bar % 3) * 90), 15_000)
          await rig.endBar()
        }
        rig.note({ type: 'lost', at: rig.now })
        rig.note({ type: 'back', at: rig.now, ms: 2_000 })
      },
      { plan, files: await strategyFilesOf(plan), onExit: 'flatten', venue: 'http://venue' },
    )
    copyFileSync(rig.file, path.join(folder, 'live.jsonl'))
    writeFileSync(file, FLIPS.replace("'0.02'", "'0.03'"))
  } finally {
    await rig.close()
  }
}

/** Logs whose commits are decided otherwise today: of another figure, of an event too many, of one too few, and where today refuses. */
async function otherLogs(folder: string, commits: readonly Commit[]): Promise<void> {
  const at = commits.findIndex(({ events }) => events.some(({ type }) => type === 'increasePosition'))
  const of = ({ command, ...commit }: Commit, change: Partial<Commit>) => ({ ...commit, command, ...change })
  const changed: Readonly<Record<string, (commit: Commit) => Commit>> = {
    figure: (commit) =>
      of(commit, {
        events: commit.events.map((event) =>
          'feeRate' in event ? { ...event, feeRate: 7n } : event,
        ) as Commit['events'],
      }),
    more: (commit) => of(commit, { events: [...commit.events, ...commit.events.slice(-1)] }),
    fewer: (commit) => of(commit, { events: commit.events.slice(0, -1) }),
    refused: ({ command, ...commit }) => ({
      ...commit,
      command: { ...command, leverage: 1_000_000_000_000n } as unknown as Commit['command'],
    }),
  }
  for (const [name, change] of Object.entries(changed)) {
    const store = await openLmdbStore(path.join(folder, name))
    const { epoch } = await store.open()
    const log = commits.slice(0, at + 1).map((commit, place) => (place === at ? change(commit) : commit))
    await store.append(log, 0, epoch)
    await store.close()
  }
}
