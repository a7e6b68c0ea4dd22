/**
 * What searching and sorting the accounts of a venue takes, and for how long it holds the turn of the loop:
 * `npx tsx bench/operatorReads.ts [accounts] [positions] [row]`, 100,000 of either by default, and the rows whose name has the word.
 */
import { accountsImageOf, columnsOf } from '../src/engine/internals.ts'
import { ACCOUNT_SORTS, searchAccounts } from '../src/host/accountSearch.ts'
import { createEngine, fp9, uncheckedOrder } from '../src/index.ts'
import { Exposure } from '../src/projections/exposure.ts'
import { held } from './held.ts'

const [accounts = 100_000, positions = accounts] = process.argv.slice(2, 4).map(Number)
const word = process.argv[4] ?? ''
const uuid = (kind: number, at: number) =>
  `0000000${kind}-0000-4000-8000-${at.toString(16).padStart(12, '0')}`
const MARKET = uuid(1, 1)

const engine = createEngine({
  seed: 'bench',
  at: Date.UTC(2026, 0, 5),
  markets: [
    { id: MARKET, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') },
  ],
})
for (let at = 0; at < accounts; at++) {
  const balance = fp9(String(10_000 + ((at * 7_919) % 1_000)))
  engine.dispatch({ type: 'openAccount', account: { id: uuid(2, at), userId: uuid(3, at % 1_000), balance } })
  if (at >= positions) continue
  const order = {
    type: 'placeOrder',
    accountId: uuid(2, at),
    marketId: MARKET,
    orderType: 'market',
    amount: fp9('100'),
  } as const
  const direction = at % 2 === 0 ? 'long' : 'short'
  const outcome = engine.dispatch(uncheckedOrder({ ...order, direction, leverage: fp9('5') }))
  if (!outcome.ok) throw new Error(outcome.error.code)
}
engine.dispatch({ type: 'setFundingRate', marketId: MARKET, fundingRate: 1_000n })
engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('50100') })

/** Processor time of the whole process, ms: its collection of garbage included, others on the machine not. */
const spent = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Runs it to its end, and says what it took in all, ms of the processor, and for how long its longest piece held the loop. */
function timed(pieces: Iterator<undefined, unknown>): { all: number; longest: number } {
  let [all, longest] = [0, 0]
  for (;;) {
    // Asking the system whether a piece was interrupted is no part of it.
    const { result, ms } = held(() => {
      const began = spent()
      const next = pieces.next()
      all += spent() - began
      return next
    })
    longest = Math.max(longest, ms ?? 0)
    if (result.done === true) return { all, longest }
  }
}

function* exposed(): Generator<undefined, unknown> {
  const image = accountsImageOf(engine)
  const exposure = new Exposure(image)
  let began = performance.now()
  for (const account of image) {
    exposure.add(account)
    if (performance.now() - began < 2) continue
    yield
    began = performance.now()
  }
  image.release()
  return exposure.markets()
}

function* searched(terms: Parameters<typeof searchAccounts>[1]): Generator<undefined, unknown> {
  const image = accountsImageOf(engine)
  try {
    return yield* searchAccounts(image, terms)
  } finally {
    image.release()
  }
}

const row = (name: string, run: () => Iterator<undefined, unknown>, before = () => {}) => {
  if (!name.includes(word)) return
  const took = Array.from({ length: 9 }, () => {
    before()
    return timed(run())
  }).sort((a, b) => a.all - b.all)
  const longest = took.map((one) => one.longest).sort((a, b) => a - b)
  console.log(
    `${name.padEnd(40)} median ${took[4]?.all.toFixed(1)} ms, longest turn ${longest[4]?.toFixed(1)} ms (worst of 9: ${longest[8]?.toFixed(1)})`,
  )
}

/** Changes as many accounts, others each time. */
function change(count: number): void {
  for (let n = 0; n < count; n++)
    engine.dispatch({ type: 'adjustBalance', accountId: uuid(2, changed++ % accounts), amount: fp9('1') })
}
let changed = 0

/** Changes all accounts and their positions. */
function fund(): void {
  engine.dispatch({ type: 'advanceTime', ms: 8 * 3_600_000 })
}

console.log(`${accounts} accounts, ${positions} open positions`)
const byHeadroom = () => searched({ search: '', sort: 'headroom', limit: 100, offset: 0 })
const columns = () => columnsOf(engine, 0)?.broughtUp(64) as Iterator<undefined, void>
row('columns read ahead, all of them', columns, () => change(accounts))
row('first page by headroom, all changed', byHeadroom, () => change(accounts))
row('… funding came to all positions', byHeadroom, fund)
row('… a tenth of the accounts changed', byHeadroom, () => change(accounts / 10))
row('… a third', byHeadroom, () => change(Math.floor(accounts / 3)))
for (const sort of ACCOUNT_SORTS)
  row(`first page by ${sort}`, () => searched({ search: '', sort, limit: 100, offset: 0 }))
row('by headroom, from 90% on', () =>
  searched({ search: '', sort: 'headroom', limit: 100, offset: Math.floor(accounts * 0.9) }),
)
row('searched for a user, by pnl', () =>
  searched({ search: uuid(3, 77), sort: 'pnl', limit: 100, offset: 0 }),
)
row('exposure', exposed)
