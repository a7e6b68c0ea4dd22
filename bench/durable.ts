// Figures of the durable engine, each as a line, with its aim beside it where it has one: `npx tsx bench/durable.ts [name ...]`. Names: senders, codec, replay, recovery,
// bytes, ticks, memory. MARGIN_CORE_NIGHTLY=1 measures the recovery of ten million commits that open and close positions besides.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ByteReader } from '../src/events/codec/byteReader.ts'
import { ByteWriter } from '../src/events/codec/byteWriter.ts'
import { readCommit, writeCommit } from '../src/events/codec/commitCodec.ts'
import {
  type Command,
  type Commit,
  type Engine,
  fp9,
  type Genesis,
  type MarketConfiguration,
  openEngine,
} from '../src/index.ts'
import { openLmdbStore } from '../src/store/lmdb/index.ts'

const START = Date.UTC(2026, 0, 5, 1)
const MARKET = '10000000-0000-4000-8000-000000000001'
const ACCOUNTS = Array.from(
  { length: 64 },
  (_, n) => `20000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
)
const GENESIS: Genesis = {
  seed: 'bench',
  at: START,
  markets: [
    {
      id: MARKET,
      baseAsset: 'BTC',
      ticker: 'BTC/USD',
      category: 'crypto',
      indexPrice: fp9('50000'),
      maxPriceAgeMs: 1_000_000_000,
    },
  ],
  accounts: ACCOUNTS.map((id) => ({
    id,
    userId: id,
    balance: fp9('1000000000'),
    maxActiveOrders: null,
    maxDailyLoss: fp9('1'),
    maxTotalLoss: fp9('1'),
  })),
}

/** Read from people's decimals once, not in the loops that are measured. */
const [FIFTY_THOUSAND, FORTY_THOUSAND, TEN, HUNDRED, FIVEFOLD] = ['50000', '40000', '10', '100', '5'].map(
  fp9,
) as [bigint, bigint, bigint, bigint, bigint]
const accountOf = (n: number) => ACCOUNTS[n % ACCOUNTS.length] as string

/** What the senders send: ticks; resting orders; or a position opened and closed again. */
const LOADS: Record<string, (n: number, engine: Engine) => Command> = {
  tick: (n) => ({
    type: 'updatePrice',
    marketId: MARKET,
    indexPrice: FIFTY_THOUSAND + BigInt(n % 1000) * 1_000_000n,
  }),
  'limit order': (n) => ({
    type: 'placeOrder',
    accountId: accountOf(n),
    marketId: MARKET,
    orderType: 'limit',
    direction: 'long',
    amount: TEN,
    leverage: FIVEFOLD,
    triggerPrice: FORTY_THOUSAND - BigInt(n % 10_000) * 1_000_000_000n,
  }),
  'open and close': roundTrip,
}

/** Commands a second of most senders. */
const SENT: Record<string, number> = { tick: 200_000, 'limit order': 200_000, 'open and close': 100_000 }
const MOST_SENDERS = 256
/** Events a second, read from disk and folded. */
const REPLAYED = 700_000

/** Even numbers open a position, odd ones close it. */
function roundTrip(n: number, engine: Engine): Command {
  const accountId = accountOf(n >> 1)
  const open = n % 2 === 1 ? engine.read.activePositions(accountId)[0] : undefined
  const on = { type: 'placeOrder', accountId, marketId: MARKET, direction: 'long' } as const
  return open === undefined
    ? { ...on, orderType: 'market', amount: HUNDRED, leverage: FIVEFOLD }
    : { ...on, orderType: 'take', triggerPrice: 0n, positionId: open.id, amount: open.size }
}

async function inDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-bench-'))
  try {
    return await use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const open = async (directory: string, snapshotEvery: number | null = null) =>
  openEngine({ ...GENESIS, store: await openLmdbStore(directory), snapshotEvery })

/** Wall clock and processor time, µs: on a machine that does other things besides, the second is the one that counts. */
function stopwatch(): () => { readonly ms: number; readonly cpu: number } {
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return { ms: performance.now() - began, cpu: user + system }
  }
}

const perSecond = (count: number, ms: number) => `${Math.round((count / ms) * 1_000).toLocaleString('en')}/s`
/** What a rate has to be, and whether it is. */
const beside = (aim: number, count: number, ms: number) =>
  ` (aim ${perSecond(aim, 1_000)}: ${(count / ms) * 1_000 >= aim ? 'met' : 'missed'})`
const line = (name: string, value: string) => process.stdout.write(`${name.padEnd(58)}${value}\n`)

/** Durable commands per second: every sender waits for its answer before it sends again. Median of three. */
async function senders(): Promise<void> {
  for (const [load, commandOf] of Object.entries(LOADS))
    for (const count of [1, 16, MOST_SENDERS]) {
      const rates: number[] = []
      const cpu = process.cpuUsage()
      let total = 0
      for (let round = 0; round < 3; round++)
        rates.push(
          await inDirectory(async (directory) => {
            const engine = await open(directory)
            let sent = 0
            const until = performance.now() + 1_500
            const sender = async () => {
              while (performance.now() < until) await engine.send(commandOf(sent++, engine))
            }
            const began = performance.now()
            await Promise.all(Array.from({ length: count }, sender))
            const took = performance.now() - began
            await engine.close()
            total += sent
            return sent / took
          }),
        )
      const median = rates.sort((a, b) => a - b)[1] as number
      const { user, system } = process.cpuUsage(cpu)
      const each = `${((user + system) / total).toFixed(1)} µs of processor time each`
      const aim = count === MOST_SENDERS ? beside(SENT[load] as number, median, 1) : ''
      line(`durable commands, ${load}, ${count} senders`, `${perSecond(median, 1)}${aim}, ${each}`)
    }
}

/** Fills a log without waiting for single answers. */
async function fill(directory: string, commits: number, load: string): Promise<void> {
  const engine = await open(directory)
  for (let n = 0; n < commits; n++) {
    engine.dispatch(LOADS[load]?.(n, engine) as Command, { at: START + n })
    if (n % 2_000 === 0) await engine.whenDurable()
  }
  await engine.close()
}

function sizeOf(directory: string): number {
  return readdirSync(directory)
    .map((name) => statSync(path.join(directory, name)).size)
    .reduce((sum, size) => sum + size, 0)
}

function rates(events: number, commits: number, { ms, cpu }: { ms: number; cpu: number }): string {
  const each = `${(cpu / events).toFixed(2)} µs of processor time an event`
  return `${perSecond(events, ms)} events, ${perSecond(commits, ms)} commits, ${each}`
}

/** The codec alone: commits of a log, written into memory and read back, the best of nine rounds, of processor time. */
async function codec(): Promise<void> {
  for (const load of Object.keys(LOADS))
    await inDirectory(async (directory) => {
      await fill(directory, 20_000, load)
      const store = await openLmdbStore(directory, { readOnly: true })
      const commits: Commit[] = []
      for await (const run of store.read(1)) commits.push(...run)
      await store.close()
      const events = commits.reduce((sum, commit) => sum + commit.events.length, 0)
      const writer = new ByteWriter()
      const best = { written: Number.POSITIVE_INFINITY, read: Number.POSITIVE_INFINITY }
      for (let round = 0; round < 9; round++) {
        const writing = stopwatch()
        writer.reset()
        for (const commit of commits) writeCommit(writer, commit)
        best.written = Math.min(best.written, writing().cpu)
        const reader = new ByteReader(writer.copy())
        const reading = stopwatch()
        for (const _ of commits) readCommit(reader)
        best.read = Math.min(best.read, reading().cpu)
      }
      const each = (cpu: number) => `${(cpu / events).toFixed(2)} µs`
      line(
        `codec, ${load}`,
        `an event is written in ${each(best.written)} of processor time, read in ${each(best.read)}`,
      )
    })
}

async function replay(): Promise<void> {
  for (const load of Object.keys(LOADS))
    await inDirectory(async (directory) => {
      await fill(directory, 300_000, load)
      const store = await openLmdbStore(directory, { readOnly: true })
      let [commits, events] = [0, 0]
      const reading = stopwatch()
      for await (const run of store.read(1))
        for (const commit of run) {
          commits += 1
          events += commit.events.length
        }
      line(`read and decode, ${load}`, rates(events, commits, reading()))
      await store.close()
      // What a restart without a snapshot does once the log is open.
      const writable = await openLmdbStore(directory)
      const replaying = stopwatch()
      const engine = await openEngine({ store: writable, snapshotEvery: null })
      const took = replaying()
      const aim = beside(REPLAYED, events, took.ms)
      line(`replay from disk, ${load}`, `${rates(events, commits, took)}${aim}`)
      await engine.close()
    })
}

/** Recovery of logs of ticks, and of positions opened and closed, whose history lists are kept as well. */
async function recovery(): Promise<void> {
  await recoveryOf('tick', 1_000_000)
  await recoveryOf('tick', 10_000_000)
  await recoveryOf('open and close', 1_000_000)
  if (process.env.MARGIN_CORE_NIGHTLY === '1') await recoveryOf('open and close', 10_000_000)
}

async function recoveryOf(load: string, size: number): Promise<void> {
  await inDirectory(async (directory) => {
    await fill(directory, size, load)
    const timed = async (what: string, snapshotEvery: number | null) => {
      const recovering = stopwatch()
      const engine = await open(directory, snapshotEvery)
      const { ms, cpu } = recovering()
      const rss = Math.round(process.memoryUsage.rss() / 2 ** 20)
      line(
        `recovery of ${size.toLocaleString('en')} commits, ${load}, ${what}`,
        `${Math.round(ms)} ms, ${Math.round(cpu / 1_000)} ms of processor time, ${rss} MiB resident`,
      )
      await engine.close()
    }
    await timed('whole log', 100_000)
    await timed('from a snapshot', null)
    rmSync(path.join(directory, 'history'), { recursive: true })
    await timed('whole log, history built again', null)
  })
}

async function bytes(): Promise<void> {
  for (const load of Object.keys(LOADS))
    await inDirectory(async (directory) => {
      await fill(directory, 100_000, load)
      const log = usedBytes(path.join(directory, 'log'))
      const history = sizeOf(path.join(directory, 'history'))
      line(
        `bytes per commit, ${load}`,
        `log ${(log / 100_000).toFixed(1)}, history ${Math.round(history / 100_000)}`,
      )
    })
}

/** Ten markets at ten ticks a second each, sent one at a time: bytes and groups as the log has them. */
async function ticks(): Promise<void> {
  const markets = Array.from({ length: 10 }, (_, n) => ({
    ...(GENESIS.markets?.[0] as MarketConfiguration),
    id: `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    baseAsset: `M${n}`,
    ticker: `M${n}/USD`,
  }))
  for (const awaited of [true, false])
    await inDirectory(async (directory) => {
      const store = await openLmdbStore(directory)
      const engine = await openEngine({ ...GENESIS, markets, accounts: [], store, snapshotEvery: null })
      await engine.whenDurable()
      const log = path.join(directory, 'log')
      const [before, { head }] = [usedBytes(log), engine]
      const watch = stopwatch()
      for (let n = 0; n < 2_000; n++) {
        const wait = 10 * (n + 1) - watch().ms
        if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
        const { id: marketId } = markets[n % 10] as MarketConfiguration
        const indexPrice = FIFTY_THOUSAND + BigInt((n * 7) % 1000) * 10_000_000n
        const command: Command = { type: 'updatePrice', marketId, indexPrice }
        if (awaited) await engine.send(command, { at: START + 10 * n })
        else engine.dispatch(command, { at: START + 10 * n })
      }
      await engine.whenDurable()
      const { cpu } = watch()
      const count = engine.head - head
      const bytes = (usedBytes(log) - before) / count
      await engine.close()
      const how = awaited ? 'each waited for' : 'nobody waits'
      line(
        `100 ticks a second of ten markets, ${how}`,
        `${bytes.toFixed(1)} bytes a tick, ${(cpu / count).toFixed(0)} µs of processor time each`,
      )
    })
}

/** Bytes of a log up to the last that is not zero: behind it there is room for groups to come. */
function usedBytes(log: string): number {
  return readdirSync(log)
    .map((name) => readFileSync(path.join(log, name)).findLastIndex((byte) => byte !== 0) + 1)
    .reduce((sum, size) => sum + size, 0)
}

/** Heap in use after many positions were opened and closed, the garbage collected. */
async function memory(): Promise<void> {
  const { gc } = globalThis
  if (gc === undefined) {
    line('memory', 'run with NODE_OPTIONS=--expose-gc')
    return
  }
  await inDirectory(async (directory) => {
    const store = await openLmdbStore(directory)
    const engine = await openEngine({ ...GENESIS, store, snapshotEvery: Number.MAX_SAFE_INTEGER })
    for (const positions of [10_000, 100_000, 1_000_000]) {
      for (let n = 2 * engine.head; engine.head < 2 * positions; n++) {
        engine.dispatch(roundTrip(n, engine), { at: START + n })
        if (n % 1_000 === 0) await engine.whenDurable()
      }
      // Which writes the history lists first.
      await engine.saveSnapshot()
      gc()
      const { heapUsed, external } = process.memoryUsage()
      line(
        `heap after ${positions.toLocaleString('en')} closed positions`,
        `${Math.round((heapUsed + external) / 2 ** 20)} MiB`,
      )
    }
    await engine.close()
  })
}

const FIGURES: Record<string, () => Promise<void>> = {
  senders,
  codec,
  replay,
  recovery,
  bytes,
  ticks,
  memory,
}
const chosen = process.argv.slice(2)
for (const [name, figure] of Object.entries(FIGURES))
  if (chosen.length === 0 || chosen.includes(name)) await figure()
