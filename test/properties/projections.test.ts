// What an engine shows of a projection is the fold of the log up to what is durable, at every moment: while writes are held
// up, after a restart, from what was saved or from the first commit, under another version, and beside one that throws.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AccountRecord,
  accountRecords,
  type Commit,
  createEngine,
  type Engine,
  ledgerBalances,
  openEngine,
  type Projection,
  projection,
  type Rows,
} from '../../src/index.ts'
import { aProgram, drive, venue } from '../../src/testing/index.ts'
import { HeldStore } from '../host/slowStore.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../unit/venue.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const UNLUCKY = 13n

interface Deposits {
  readonly version: number
  readonly amounts: readonly bigint[]
  readonly last: { readonly seq: number }
}

/** By what is left over when they are divided by three. */
const depositsAs = (version: number): Projection<Rows<Deposits>> =>
  projection({
    name: 'deposits',
    version,
    key: ({ amount }) => `rest ${amount % 3n}`,
    initial: (): Deposits => ({ version, amounts: [], last: { seq: 0 } }),
    on: {
      balanceAdjusted(row, { amount }, { seq }) {
        row.amounts.push(amount)
        row.last.seq = seq
      },
    },
  })

const prices = projection({
  name: 'prices',
  version: 1,
  initial: () => ({ ticks: 0, last: 0n }),
  on: { priceUpdated: ({ ticks }, { indexPrice }) => ({ ticks: ticks + 1, last: indexPrice }) },
})

const superstitious = projection({
  name: 'superstitious',
  version: 1,
  initial: () => ({ sum: 0n }),
  on: {
    balanceAdjusted(all, { amount }) {
      all.sum += amount
      if (amount === UNLUCKY) throw new Error('thirteen')
    },
  },
})

function depositsIn(log: readonly Commit[], version: number): Record<string, Deposits> {
  const rows: Record<string, Deposits> = {}
  for (const { seq, events } of log)
    for (const event of events)
      if (event.type === 'balanceAdjusted') {
        const key = `rest ${event.amount % 3n}`
        rows[key] = { version, amounts: [...(rows[key]?.amounts ?? []), event.amount], last: { seq } }
      }
  return rows
}

function pricesIn(log: readonly Commit[]): { ticks: number; last: bigint } {
  const updates = log.flatMap(({ events }) => events.filter((event) => event.type === 'priceUpdated'))
  return { ticks: updates.length, last: updates.at(-1)?.indexPrice ?? 0n }
}

function amountsIn(log: readonly Commit[]): readonly { readonly seq: number; readonly amount: bigint }[] {
  return log.flatMap(({ seq, events }) =>
    events.flatMap((event) => (event.type === 'balanceAdjusted' ? [{ seq, amount: event.amount }] : [])),
  )
}

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen))

const anAction = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('deposit' as const), amount: fc.bigInt(1n, 20n) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('feed' as const), ticks: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'turn' as const }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('hold' as const), held: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('restart' as const),
      bump: fc.boolean(),
      closing: fc.boolean(),
    }),
  },
)

let [compared, behind, blocked, restarted, folded] = [0, 0, 0, 0, 0]

test('on a store they are the fold of what is durable', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anAction, { minLength: 10, maxLength: 60 }),
      fc.boolean(),
      async (actions, ticks) => {
        const store = new HeldStore()
        let version = 1
        let deposits = depositsAs(version)
        const notices: string[] = []
        const opened = () =>
          openEngine({
            store,
            ...configuration,
            snapshotEvery: 7,
            projections: [superstitious, deposits, ...(ticks ? [prices] : [])],
            onNotice: (notice) => notices.push(notice),
          })
        let engine = await opened()

        const check = async () => {
          const { head, durableHead } = engine
          const [shown, price] = [engine.projection(deposits), ticks ? engine.projection(prices) : null]
          const [rows, one, sum] = [[...shown], shown.get('rest 1'), engine.projection(superstitious).sum]
          const stopped = engine.blockedProjections.map(({ name, blocked: { seq } }) => `${name} ${seq}`)
          const log = (await commitsOf(store)).slice(0, durableHead)
          expect(Object.fromEntries(rows)).toEqual(depositsIn(log, version))
          expect(one).toBe(rows.find(([key]) => key === 'rest 1')?.[1])
          expect(rows.every(([, row]) => isFrozen(row))).toBe(true)
          if (price !== null) expect(price).toEqual(pricesIn(log))
          const amounts = amountsIn(log)
          const unlucky = amounts.find(({ amount }) => amount === UNLUCKY)
          expect(stopped).toEqual(unlucky === undefined ? [] : [`superstitious ${unlucky.seq}`])
          const before = amounts.filter(({ seq }) => unlucky === undefined || seq < unlucky.seq)
          expect(sum).toBe(before.reduce((total, { amount }) => total + amount, 0n))
          compared += 1
          if (head > durableHead) behind += 1
          if (unlucky !== undefined) blocked += 1
        }

        for (const action of actions) {
          switch (action.type) {
            case 'deposit':
              engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: action.amount })
              break
            case 'feed':
              engine.dispatchTicks({
                at: new Float64Array(action.ticks).fill(engine.now),
                indexPrice: BigInt64Array.from(
                  { length: action.ticks },
                  (_, tick) => 100_000_000_000n + BigInt(tick),
                ),
                market: new Uint16Array(action.ticks),
                marketIds: [MARKET],
              })
              break
            case 'turn':
              await new Promise((resolve) => setImmediate(resolve))
              break
            case 'hold':
              if (action.held) store.held = true
              else store.release()
              break
            case 'restart':
              store.release()
              await engine.whenDurable()
              if (action.closing) await engine.close()
              if (action.bump) deposits = depositsAs(++version)
              notices.length = 0
              engine = await opened()
              restarted += 1
              if (notices.some((notice) => notice.includes('another version'))) folded += 1
          }
          await check()
        }
      },
    ),
    runs(60),
  )
})

async function commitsOf(store: HeldStore): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const run of store.read(1)) commits.push(...run)
  return commits
}

const outcomes = projection({
  name: 'outcomes',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: () => ({ opened: 0, closed: 0, fees: 0n }),
  on: {
    increasePosition(row, { fee }) {
      row.opened += 1
      row.fees += fee
    },
    closePosition(row, { fee }) {
      row.closed += 1
      row.fees += fee
    },
    liquidate(row, { fee }) {
      row.closed += 1
      row.fees += fee
    },
  },
})

function outcomesIn(log: readonly Commit[]) {
  const rows: Record<string, { opened: number; closed: number; fees: bigint }> = {}
  for (const { events } of log)
    for (const event of events)
      if (event.type === 'increasePosition' || event.type === 'closePosition' || event.type === 'liquidate') {
        rows[event.accountId] ??= { opened: 0, closed: 0, fees: 0n }
        const row = rows[event.accountId] as (typeof rows)[string]
        row.fees += event.fee
        if (event.type === 'increasePosition') row.opened += 1
        else row.closed += 1
      }
  return rows
}

let [rows, held] = [0, 0]

test('in memory they are in step with every commit that a listener is told', async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(60, 120), async (program) => {
      const engine: Engine = createEngine({ ...venue(), projections: [outcomes, prices] })
      const log = await logOf(engine)
      const told = [...log]
      engine.subscribe((commit) => {
        told.push(commit)
        if (told.length % 8 !== 0 || engine.durableHead !== commit.seq) return
        expect(Object.fromEntries(engine.projection(outcomes))).toEqual(outcomesIn(told))
        expect(engine.projection(prices)).toEqual(pricesIn(told))
      })
      drive(engine, log, program, { laws: [] })
      expect(Object.fromEntries(engine.projection(outcomes))).toEqual(outcomesIn(await logOf(engine)))
      rows += engine.projection(outcomes).size
    }),
    runs(12),
  )
})

test('C11: the ledger folded from postings is the one that the state adds up to, account by account', async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(100, 200), async (program) => {
      const engine = createEngine({ ...venue(), projections: [ledgerBalances] })
      drive(engine, await logOf(engine), program, { laws: [] })
      const { read } = engine
      const balances = engine.projection(ledgerBalances)
      const total = { free: 0n, reserve: 0n, margin: 0n, house: 0n }
      for (const [accountId, { free, reserve, margin, house }] of balances) {
        expect(free).toBe(read.riskStatus(accountId)?.freeBalance)
        expect(margin).toBe(
          read.activePositions(accountId).reduce((sum, position) => sum + position.margin, 0n),
        )
        expect(free + reserve + margin).toBe(read.balance(accountId))
        expect(free + reserve + margin + house).toBe(0n)
        total.free += free
        total.reserve += reserve
        total.margin += margin
        total.house += house
        if (margin > 0n && reserve > 0n) held += 1
      }
      expect(balances.size).toBe(read.accounts().length)
      expect(total).toEqual(read.ledger())
    }),
    runs(20),
  )
})

const standings = new Set<string>()

test('H8: the account record folded from events is the one that is read, but for what prices and days decide', async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(100, 200), async (program) => {
      const engine = createEngine({ ...venue(), projections: [accountRecords] })
      drive(engine, await logOf(engine), program, { laws: [] })
      const { read } = engine
      const records = engine.projection(accountRecords)
      for (const [accountId, record] of records) {
        const { riskStatus, profitableDays, ...rest } = read.account(accountId) as AccountRecord
        expect(record).toEqual(rest)
        standings.add(record.status).add(`${record.currentPhase}`)
        if (record.apiTrading) standings.add('api trading')
      }
      expect(records.size).toBe(read.accounts().length)
    }),
    runs(20),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(compared).toBeGreaterThan(1_000)
  expect(behind).toBeGreaterThan(100)
  expect(blocked).toBeGreaterThan(100)
  expect(restarted).toBeGreaterThan(50)
  expect(folded).toBeGreaterThan(20)
  expect(rows).toBeGreaterThan(20)
  expect(held).toBeGreaterThan(5)
  expect([...standings]).toEqual(
    expect.arrayContaining(['active', 'frozen', 'active_verification', 'api trading']),
  )
})
