/**
 * `npx tsx --expose-gc bench/restingRows.ts [rows|engine] [resting] [seconds]`: limit orders that rest as rows of typed arrays, from which an object
 * is made when it is asked for, beside the engine's objects. A prototype: placed and cancelled by id, with the account's money moved, the level in a
 * book, the order in its account's chain and in an index of ids as words, and the engine's events made and written as a log. Nothing is checked and
 * nobody is told, nearest levels are not kept, so it is the least that such a form could take. One form in a process, since what one holds
 * is marked in the pauses of the other. Told are bytes for each order that rests, its log left out; pairs a second of the processor, all
 * threads; and how long the loop's turns of 100 commands took of its own thread.
 */

import { setImmediate } from 'node:timers/promises'
import { unseenMemory } from '../src/collections/unseenMemory.ts'
import { newOrder, setTrigger } from '../src/domain/flows/createOrder.ts'
import { IdSpace } from '../src/domain/state/ids.ts'
import type { OrderRecord } from '../src/domain/state/order.ts'
import { writeCommit } from '../src/events/codec/commitCodec.ts'
import { EncodedBlocks } from '../src/events/codec/encodedBlocks.ts'
import { wordsOf } from '../src/events/codec/uuidWords.ts'
import { type Command, type Event, ONE } from '../src/index.ts'
import { loopTime } from './attack/loopTime.ts'
import { collect } from './figure.ts'
import { accountId, away, benchVenue, marketId, must, START, scatter } from './venue.ts'

const ACCOUNTS = 1_000
const TURN = 100
const AMOUNT = 1_000n * ONE
const LEVERAGE = 2n * ONE

interface Venue {
  place(account: number, triggerPrice: bigint): string
  cancel(orderId: string): void
}

const [form = 'rows', resting = 1_000_000, seconds = 10] = process.argv
  .slice(2)
  .map((given, at) => (at === 0 ? given : Number(given))) as [string?, number?, number?]
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
function bytesOfEngine(count: number): number {
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

/** Every field of an order that opens, where it rests. Small tables of what orders have alike (type, direction, size mode) are a byte each. */
function rowsVenue(capacity: number): Venue {
  let bytes = 0
  const memory = (size: number) => {
    bytes += size * capacity
    return unseenMemory(size * capacity)
  }
  const big = () => new BigInt64Array(memory(8))
  const trigger = big()
  const limit = big()
  const requested = big()
  const stop = big()
  const take = big()
  const leverage = big()
  const amount = big()
  const baseSize = big()
  const expected = big()
  const reserve = big()
  const createdAt = new Float64Array(memory(8))
  const sequence = new Float64Array(memory(8))
  const account = new Int32Array(memory(4))
  const market = new Int32Array(memory(4))
  const parent = new Int32Array(memory(4))
  const alike = new Int32Array(memory(4))
  const [older, newer] = [new Int32Array(memory(4)), new Int32Array(memory(4))]
  const [olderOfMarket, newerOfMarket] = [new Int32Array(memory(4)), new Int32Array(memory(4))]
  const free = new Int32Array(memory(4))
  const ids = new RowIds(capacity)
  const book = new RowBook(capacity)
  const newest = new Int32Array(ACCOUNTS).fill(-1)
  const newestOfMarket = new Int32Array(1).fill(-1)
  const funds = new BigInt64Array(ACCOUNTS).fill(1_000_000_000n * ONE)
  const reserves = new BigInt64Array(ACCOUNTS)
  let freed = 0
  for (let row = 0; row < capacity; row++) free[freed++] = capacity - 1 - row
  const space = new IdSpace('bench')
  const blocks = new EncodedBlocks()
  let [seq, created, held] = [0, 0, 0]
  const decision = { newId: () => space.id(seq, 0) }
  process.once('exit', () =>
    console.log(`${((bytes + ids.room + book.room) / resting).toFixed(0)} B an order, held ${held}`),
  )
  return {
    place(who, triggerPrice) {
      seq += 1
      created += 1
      const command = orderAt(who, triggerPrice)
      const placed = newOrder(decision, command)
      setTrigger(placed, { triggerPrice, requestedTriggerPrice: null })
      placed.leverage = LEVERAGE
      placed.reserve = AMOUNT
      const row = free[--freed] as number
      trigger[row] = triggerPrice
      limit[row] = placed.limitPrice
      requested[row] = 0n
      stop[row] = placed.stopTriggerPrice
      take[row] = placed.takeTriggerPrice
      leverage[row] = LEVERAGE
      amount[row] = placed.amount
      baseSize[row] = 0n
      expected[row] = placed.expectedAmount
      reserve[row] = placed.reserve
      createdAt[row] = START
      sequence[row] = created
      account[row] = who
      market[row] = 0
      parent[row] = -1
      alike[row] = 0
      funds[who] = (funds[who] as bigint) - AMOUNT
      reserves[who] = (reserves[who] as bigint) + AMOUNT
      link(row, who, newest, older, newer)
      link(row, 0, newestOfMarket, olderOfMarket, newerOfMarket)
      ids.add(placed.orderId, row)
      book.insert(row, -Number(triggerPrice))
      record(command, placed)
      return recordOf(row, placed.orderId).id
    },
    cancel(orderId) {
      seq += 1
      const row = ids.take(orderId)
      const who = account[row] as number
      const released = reserve[row] as bigint
      funds[who] = (funds[who] as bigint) + released
      reserves[who] = (reserves[who] as bigint) - released
      unlink(row, who, newest, older, newer)
      unlink(row, 0, newestOfMarket, olderOfMarket, newerOfMarket)
      book.remove(row, -Number(trigger[row] as bigint))
      record(
        { type: 'cancelOrder', orderId },
        {
          type: 'orderCanceled',
          orderId,
          accountId: accountIds[who] as string,
          marketId: marketIds[0] as string,
          triggerPrice: trigger[row] as bigint,
          released,
          status: 'canceled',
          reason: null,
        },
      )
      held += recordOf(row, orderId).createdAt === START ? 1 : 0
      free[freed++] = row
    },
  }

  function record(command: Command, event: Event): void {
    blocks.begin()
    writeCommit(blocks.writer, { seq, at: START, command, events: [event] })
    blocks.end()
  }

  /** Of all fields of the resource, for whoever reads. */
  function recordOf(row: number, id: string): OrderRecord {
    return {
      id,
      accountId: accountIds[account[row] as number] as string,
      marketId: marketIds[market[row] as number] as string,
      status: 'active',
      orderType: 'limit',
      direction: 'long',
      triggerPrice: trigger[row] as bigint,
      requestedTriggerPrice: null,
      stopPrice: 0n,
      limitPrice: limit[row] as bigint,
      stopTriggerPrice: stop[row] as bigint,
      takeTriggerPrice: take[row] as bigint,
      trailingStopActivationPrice: 0n,
      trailingStopOffset: 0n,
      trailingStopOffsetPercent: 0n,
      leverage: leverage[row] as bigint,
      positionId: null,
      parentOrderId: null,
      amount: amount[row] as bigint,
      indexPrice: null,
      createdAt: createdAt[row] as number,
      realizedPnl: null,
      rawRealizedPnl: null,
      profitAdjustmentApplied: false,
      sizeMode: 'quote',
      baseSize: null,
      reservedAmount: null,
      errorCode: null,
      reason: null,
    }
  }
}

const accountIds = Array.from({ length: ACCOUNTS }, (_, n) => accountId(n))
const marketIds = [marketId(0)]

/** Puts a row at the end of a chain. */
function link(row: number, chain: number, last: Int32Array, older: Int32Array, newer: Int32Array): void {
  const before = last[chain] as number
  older[row] = before
  newer[row] = -1
  if (before >= 0) newer[before] = row
  last[chain] = row
}

function unlink(row: number, chain: number, last: Int32Array, older: Int32Array, newer: Int32Array): void {
  const [before, after] = [older[row] as number, newer[row] as number]
  if (before >= 0) newer[before] = after
  if (after >= 0) older[after] = before
  else last[chain] = before
}

/** Rows by the four words of a uuid. What leaves is closed up behind. */
class RowIds {
  readonly #table: Int32Array
  readonly #words: Uint32Array
  readonly #asked = new Uint32Array(4)
  readonly #mask: number

  constructor(capacity: number) {
    let length = 64
    while (length < 2 * capacity) length *= 2
    this.#mask = length - 1
    this.#table = new Int32Array(unseenMemory(4 * length)).fill(-1)
    this.#words = new Uint32Array(unseenMemory(16 * capacity))
  }

  get room(): number {
    return this.#table.byteLength + this.#words.byteLength
  }

  add(id: string, row: number): void {
    wordsOf(id, this.#asked)
    this.#words.set(this.#asked, 4 * row)
    let at = (this.#asked[0] as number) & this.#mask
    while ((this.#table[at] as number) >= 0) at = (at + 1) & this.#mask
    this.#table[at] = row
  }

  take(id: string): number {
    const [asked, words, table, mask] = [this.#asked, this.#words, this.#table, this.#mask]
    wordsOf(id, asked)
    let at = (asked[0] as number) & mask
    for (; ; at = (at + 1) & mask) {
      const row = table[at] as number
      if (row < 0) throw new ReferenceError(`no order ${id}`)
      const from = 4 * row
      if (words[from] !== asked[0] || words[from + 1] !== asked[1]) continue
      if (words[from + 2] === asked[2] && words[from + 3] === asked[3]) break
    }
    const found = table[at] as number
    for (let next = (at + 1) & mask; (table[next] as number) >= 0; next = (next + 1) & mask) {
      const home = (words[4 * (table[next] as number)] as number) & mask
      if (((next - home) & mask) < ((next - at) & mask)) continue
      table[at] = table[next] as number
      at = next
    }
    table[at] = -1
    return found
  }
}

const CAPACITY = 128

interface RowLeaf {
  readonly number: number
  readonly keys: Float64Array
  readonly rows: Int32Array
  count: number
}

/** Rows in order of their keys, as `src/collections/levelBook.ts` has entries: in leaves with what is between two bounds, in no order. */
class RowBook {
  readonly #leafOf: Int32Array
  readonly #slotOf: Uint8Array
  readonly #leaves: RowLeaf[] = []
  readonly #inOrder: RowLeaf[]
  readonly #bounds = [Number.NEGATIVE_INFINITY]

  constructor(capacity: number) {
    this.#leafOf = new Int32Array(unseenMemory(4 * capacity))
    this.#slotOf = new Uint8Array(unseenMemory(capacity))
    this.#inOrder = [this.#newLeaf()]
  }

  get room(): number {
    return this.#leafOf.byteLength + this.#slotOf.byteLength + this.#leaves.length * 12 * (CAPACITY + 1)
  }

  insert(row: number, key: number): void {
    const at = this.#find(key)
    const leaf = this.#inOrder[at] as RowLeaf
    this.#push(leaf, row, key)
    if (leaf.count > CAPACITY) this.#halve(leaf, at)
  }

  remove(row: number, key: number): void {
    const leaf = this.#leaves[this.#leafOf[row] as number] as RowLeaf
    const slot = this.#slotOf[row] as number
    const last = --leaf.count
    const moved = leaf.rows[last] as number
    leaf.keys[slot] = leaf.keys[last] as number
    leaf.rows[slot] = moved
    this.#slotOf[moved] = slot
    if (last > 0 || this.#inOrder.length === 1) return
    const at = this.#find(key)
    this.#inOrder.splice(at, 1)
    this.#bounds.splice(at, 1)
    this.#bounds[0] = Number.NEGATIVE_INFINITY
  }

  #newLeaf(): RowLeaf {
    const number = this.#leaves.length
    const keys = new Float64Array(unseenMemory(8 * (CAPACITY + 1)))
    const rows = new Int32Array(unseenMemory(4 * (CAPACITY + 1)))
    const leaf = { number, keys, rows, count: 0 }
    this.#leaves.push(leaf)
    return leaf
  }

  #push(leaf: RowLeaf, row: number, key: number): void {
    leaf.keys[leaf.count] = key
    leaf.rows[leaf.count] = row
    this.#leafOf[row] = leaf.number
    this.#slotOf[row] = leaf.count++
  }

  #halve(leaf: RowLeaf, at: number): void {
    const { count } = leaf
    const [keys, rows] = [leaf.keys.slice(0, count), leaf.rows.slice(0, count)]
    const middle = keys.slice().sort()[count >>> 1] as number
    const further = this.#newLeaf()
    leaf.count = 0
    for (let slot = 0; slot < count; slot++) {
      const key = keys[slot] as number
      this.#push(key < middle ? leaf : further, rows[slot] as number, key)
    }
    if (leaf.count === 0) throw new RangeError('levels of this prototype have to differ')
    this.#inOrder.splice(at + 1, 0, further)
    this.#bounds.splice(at + 1, 0, middle)
  }

  #find(key: number): number {
    let low = 1
    let high = this.#bounds.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#bounds[middle] as number) <= key) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

const venue = form === 'rows' ? rowsVenue(resting + 2 * TURN) : engineVenue(true)
for (let n = 0; n < resting; n++) venue.place(n % ACCOUNTS, levelOf(n))
console.log(`${resting.toLocaleString('en')} rest as ${form}`)

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
if (form !== 'rows') console.log(`${bytesOfEngine(Math.min(resting, 200_000)).toFixed(0)} B an order`)
