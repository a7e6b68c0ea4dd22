/**
 * `npx tsx --expose-gc bench/restingRows.ts [resting] [seconds]`: limit orders that are placed and cancelled among so many that rest. Told are pairs a
 * second of the processor, all threads; how long the loop's turns of 100 commands took of its own thread; and bytes for each order
 * that rests, its log left out.
 */

import { setImmediate } from 'node:timers/promises'
import { type Command, ONE } from '../src/index.ts'
import { loopTime } from './attack/loopTime.ts'
import { collect } from './figure.ts'
import { accountId, away, benchVenue, marketId, must, scatter } from './venue.ts'

const ACCOUNTS = 1_000
const TURN = 100
const AMOUNT = 1_000n * ONE
const LEVERAGE = 2n * ONE

interface Venue {
  place(account: number, triggerPrice: bigint): string
  cancel(orderId: string): void
}

const [resting = 1_000_000, seconds = 10] = process.argv.slice(2).map(Number)

async function work(seconds: number): Promise<void> {
  const end = performance.now() + 1_000 * seconds
  while (performance.now() < end) {
    const before = loopTime(process.pid)
    for (let n = 0; n < TURN; n += 2) {
      const id = venue.place(pairs % ACCOUNTS, levelOf(pairs))
      venue.cancel(id)
      pairs += 1
    }
    turns.push(loopTime(process.pid) - before)
    await setImmediate()
  }
}

function levelOf(n: number): bigint {
  return away(-200 - scatter(n, 2_000)) + BigInt(scatter(n + 1, 1_000_000))
}

function engineVenue(log: boolean): Venue {
  const engine = benchVenue({ accounts: ACCOUNTS }, { log })
  for (let n = 0; n < ACCOUNTS; n++)
    must(engine, { type: 'adjustBalance', accountId: accountId(n), amount: 100_000_000n * ONE })
  return {
    place: (account, triggerPrice) => must(engine, orderAt(account, triggerPrice)).value.id,
    cancel: (orderId) => void must(engine, { type: 'cancelOrder', orderId }),
  }
}

/** Without a log, and less than all where many rest, which would take as long again. */
function bytesOfEach(count: number): number {
  const other = engineVenue(false)
  collect()
  const before = process.memoryUsage()
  for (let n = 0; n < count; n++) other.place(n % ACCOUNTS, levelOf(n))
  collect()
  const after = process.memoryUsage()
  other.place(0, levelOf(0))
  return (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / count
}

function orderAt(account: number, triggerPrice: bigint) {
  return {
    type: 'placeOrder',
    accountId: accountId(account),
    marketId: marketId(0),
    orderType: 'limit',
    direction: 'long',
    amount: AMOUNT,
    leverage: LEVERAGE,
    triggerPrice,
  } as const satisfies Command
}

const venue = engineVenue(true)
for (let n = 0; n < resting; n++) venue.place(n % ACCOUNTS, levelOf(n))
console.log(`${resting.toLocaleString('en')} rest`)

let pairs = 0
const turns: number[] = []
await work(2)
turns.length = 0
pairs = 0
collect()
const began = process.cpuUsage()
await work(seconds)
const { user, system } = process.cpuUsage(began)
turns.sort((a, b) => a - b)
const share = (of: number) => `${(turns[Math.floor((turns.length - 1) * of)] as number).toFixed(1)} ms`
console.log(
  `${Math.round((1e6 * pairs) / (user + system)).toLocaleString('en')} pairs a second of the processor`,
)
console.log(`longest turn ${share(1)}, 99.9% ${share(0.999)}, half ${share(0.5)}, of ${turns.length}`)
console.log(`${bytesOfEach(Math.min(resting, 200_000)).toFixed(0)} B an order`)
