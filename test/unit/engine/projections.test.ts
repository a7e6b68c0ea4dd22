import { expect, onTestFinished, test } from 'vitest'
import {
  type Commit,
  CommitsArchived,
  createEngine,
  fp9,
  MemoryStore,
  openEngine,
  type Projection,
  projection,
  type Snapshot,
} from '../../../src/index.ts'
import { ACCOUNT, OTHER_ACCOUNT, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }

const deposits = projection({
  name: 'deposits',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: () => ({ count: 0, sum: 0n }),
  on: {
    balanceAdjusted(row, { amount }) {
      row.count += 1
      row.sum += amount
    },
  },
})

const deposit = (amount: bigint, accountId = ACCOUNT) =>
  ({ type: 'adjustBalance', accountId, amount }) as const

/** From where it was read. */
class ReadStore extends MemoryStore {
  from: number[] = []
  /** The first commit that is there. */
  first = 1

  override async *read(from: number): AsyncIterable<readonly Commit[]> {
    this.from.push(from)
    if (from < this.first) throw new CommitsArchived(this.first)
    yield* super.read(from)
  }
}

test('a listener reads what it is told of', () => {
  const { engine } = new Venue({ engine: { projections: [deposits] }, otherAccount: {} })
  const before = engine.projection(deposits).get(OTHER_ACCOUNT)?.sum ?? 0n
  const sums: (bigint | undefined)[] = []
  engine.subscribe(() => sums.push(engine.projection(deposits).get(OTHER_ACCOUNT)?.sum))
  engine.dispatch(deposit(1n, OTHER_ACCOUNT))
  engine.dispatch(deposit(2n, OTHER_ACCOUNT))
  expect(sums).toEqual([before + 1n, before + 3n])
})

test('a row ends where an event says so, and begins anew', async () => {
  const working = projection({
    name: 'working',
    version: 1,
    key: ({ orderId }) => orderId,
    initial: () => ({ placed: 0 }),
    on: {
      orderPlaced(row) {
        row.placed += 1
      },
      orderCanceled: () => null,
      orderExecuted: () => null,
    },
  })
  const alone = projection({
    name: 'alone',
    version: 1,
    initial: () => ({ sums: [] as bigint[] }),
    on: { balanceAdjusted: (row, { amount }) => (amount < 0n ? null : void row.sums.push(amount)) },
  })
  const last = projection({
    name: 'last',
    version: 1,
    initial: () => ({ placed: [] as string[] }),
    on: { orderReplaced: () => null, orderPlaced: (row, { orderId }) => void row.placed.push(orderId) },
  })
  const venue = new Venue({ engine: { projections: [working, alone, last] } })
  const { engine } = venue
  const first = venue.place({ orderType: 'limit', triggerPrice: fp9('90') })
  const second = venue.place({ orderType: 'limit', triggerPrice: fp9('91') })
  venue.place()
  expect([...engine.projection(working)].map(([key]) => key)).toEqual([first.id, second.id])
  venue.accepted({ type: 'cancelOrder', orderId: first.id })
  expect([...engine.projection(working)]).toEqual([[second.id, { placed: 1 }]])
  expect(engine.projection(working).get(first.id)).toBeUndefined()
  const edited = venue.accepted({ type: 'editOrder', orderId: second.id, triggerPrice: fp9('92') })
  expect(engine.projection(last).placed).toEqual([edited.value.id])
  engine.dispatch(deposit(1n))
  engine.dispatch(deposit(-1n))
  engine.dispatch(deposit(2n))
  expect(engine.projection(alone)).toEqual({ sums: [2n] })
  expect(engine.blockedProjections).toEqual([])
})

test('a commit is folded whole or not at all', () => {
  const placed = projection({
    name: 'placed',
    version: 1,
    key: ({ type }) => type,
    initial: () => ({ count: 0 }),
    on: {
      orderPlaced(row) {
        row.count += 1
      },
      increasePosition(row) {
        row.count += 1
        throw new Error('no')
      },
    },
  })
  const notices: string[] = []
  const venue = new Venue({
    engine: { projections: [placed, deposits], onNotice: (text) => notices.push(text) },
  })
  venue.place({ orderType: 'limit', triggerPrice: 90_000_000_000n })
  const rows = [...venue.engine.projection(placed)]
  venue.open()
  expect([...venue.engine.projection(placed)]).toEqual(rows)
  const seq = venue.engine.head
  venue.place({ orderType: 'limit', triggerPrice: 90_000_000_000n })
  expect([...venue.engine.projection(placed)]).toEqual(rows)
  expect(venue.engine.blockedProjections).toMatchObject([
    { name: 'placed', blocked: { seq, error: { message: 'no' } } },
  ])
  expect(notices).toEqual([`projection placed was blocked at commit ${seq}: no`])
  expect(venue.engine.failure).toBeNull()
})

test('a row that nothing was told of is the first one, and frozen', () => {
  const single = projection({
    name: 'single',
    version: 1,
    initial: () => ({ nested: { list: [1] } }),
    on: { engineCreated() {} },
  })
  const engine = createEngine({ projections: [single, deposits] })
  const row = engine.projection(single)
  expect(row).toEqual({ nested: { list: [1] } })
  expect(Object.isFrozen(row.nested.list)).toBe(true)
  expect([engine.projection(deposits).size, engine.projection(deposits).get(ACCOUNT)]).toEqual([0, undefined])
})

test('after a restart only the log behind what was saved is read', async () => {
  const store = new ReadStore()
  const opened = (...projections: Projection<unknown>[]) =>
    openEngine({ store, ...configuration, projections })
  const first = await opened(deposits)
  await first.send(deposit(5n))
  const saved = [...first.projection(deposits)]
  const { head } = first
  await first.close()
  store.from = []
  const second = await opened(deposits)
  expect([...second.projection(deposits)]).toEqual(saved)
  expect([...second.projection(deposits)].every(([, row]) => Object.isFrozen(row))).toBe(true)
  // From the commit of the snapshot on, which is looked at.
  expect(store.from).toEqual([head])
  await second.send(deposit(6n))
  await second.close()
  store.from = []
  const third = await opened(deposits, projection({ name: 'new', version: 1, initial: () => 0n, on: {} }))
  expect(third.projection(deposits).get(ACCOUNT)?.sum).toBe((saved[0]?.[1].sum ?? 0n) + 6n)
  expect(store.from).toEqual([head + 1, 1])
})

test('what was saved of a log that was cut off and has grown again is not gone on from (K8)', async () => {
  /** Makes a deposit of each amount, in a visit each: the logs differ in the amounts alone. */
  const visited = async (store: MemoryStore, ...amounts: bigint[]) => {
    const notices: string[] = []
    for (const amount of amounts) {
      const onNotice = (text: string) => notices.push(text)
      const engine = await openEngine({ store, ...configuration, projections: [deposits], onNotice })
      await engine.send(deposit(amount))
      await engine.close()
    }
    return notices
  }
  const sumOf = async (store: MemoryStore) => {
    const notices: string[] = []
    const onNotice = (text: string) => notices.push(text)
    const engine = await openEngine({ store, ...configuration, projections: [deposits], onNotice })
    onTestFinished(() => engine.close())
    return { row: engine.projection(deposits).get(ACCOUNT), notices }
  }
  const cut = new MemoryStore()
  await visited(cut, 1n, 2n, 3n)
  const grown = new MemoryStore()
  const notices = await visited(grown, 1n, 20n, 30n)
  expect(notices).toEqual([])
  const own = await sumOf(grown)
  const head = Number((await newestOf(cut)).seq)
  // As if it had been put back by hand.
  grown.shelf = (name) => cut.shelf(name)
  const ofAnother = (seq: number) =>
    `projection deposits: what was saved at commit ${seq} is of another log: that commit was another`
  expect(await sumOf(grown)).toEqual({ row: own.row, notices: [ofAnother(head), ofAnother(head - 1)] })
  expect(own.row?.sum).toBe(((await sumOf(cut)).row?.sum as bigint) + 45n)
})

async function newestOf(store: MemoryStore): Promise<Snapshot> {
  for await (const snapshot of (await store.shelf('deposits')).snapshots()) return snapshot
  throw new Error('nothing was saved')
}

test('one that needs what was archived is blocked, and the others are not', async () => {
  const store = new ReadStore()
  const opened = (...projections: Projection<unknown>[]) =>
    openEngine({ store, ...configuration, projections })
  await (await opened(deposits)).close()
  store.first = 3
  const late = projection({ name: 'late', version: 1, initial: () => 0n, on: { balanceAdjusted: () => 1n } })
  const engine = await opened(late, deposits)
  await engine.send(deposit(5n))
  expect(engine.blockedProjections).toMatchObject([
    { name: 'late', blocked: { seq: 1, error: { first: 3 } } },
  ])
  expect(engine.projection(late)).toBe(0n)
  expect(engine.projection(deposits).get(ACCOUNT)?.count).toBeGreaterThan(0)
  await engine.close()
})

test('one that was not run for a while is caught up from where it was, whatever the others need', async () => {
  const store = new ReadStore()
  const opened = (...projections: Projection<unknown>[]) =>
    openEngine({ store, ...configuration, projections })
  await (await opened(deposits)).close()
  const without = await opened()
  await without.send(deposit(5n))
  await without.send(deposit(6n))
  const { head } = without
  await without.close()
  store.first = 3
  store.from = []
  const late = projection({ name: 'late', version: 1, initial: () => 0n, on: { balanceAdjusted: () => 1n } })
  const engine = await opened(late, deposits)
  // Its own commit of what was saved is looked at as well.
  expect(store.from).toEqual([head, head - 2, 1, head - 1])
  expect(engine.projection(deposits).get(ACCOUNT)?.sum).toBe(11n)
  expect(engine.blockedProjections).toMatchObject([{ name: 'late', blocked: { seq: 1 } }])
})

test('one whose save outlived the snapshot of the state is not told twice', async () => {
  const store = new ReadStore()
  const opened = () => openEngine({ store, ...configuration, projections: [deposits] })
  const first = await opened()
  await first.send(deposit(5n))
  const saved = [...first.projection(deposits)]
  await first.close()
  store.snapshots = async function* () {}
  const second = await opened()
  expect(second.recovery).toMatchObject({ snapshotSeq: 0, replayed: first.head })
  expect([...second.projection(deposits)]).toEqual(saved)
})

test('rows read as they were saved, whatever they hold', async () => {
  const [texts, numbers] = [
    ['n1', 's', '', '\u{1f4c8} "x"', '__proto__'],
    [0, -1.5, 2 ** 60, 1e-300],
  ]
  const row = {
    texts,
    numbers,
    none: null,
    yes: true,
    big: [-(2n ** 80n), 0n],
    nested: { __proto__x: { a: [[]] } },
  }
  const odd = projection({
    name: 'odd',
    version: 1,
    key: ({ type }) => `${type} \u{1f4c8}`,
    initial: () => row,
    on: { accountOpened() {} },
  })
  const store = new MemoryStore()
  const projections = [odd]
  await (await openEngine({ store, ...configuration, projections })).close()
  const notices: string[] = []
  const again = await openEngine({
    store,
    ...configuration,
    projections,
    onNotice: (text) => notices.push(text),
  })
  expect([...again.projection(odd)]).toEqual([['accountOpened \u{1f4c8}', row]])
  expect(notices).toEqual([])
})

test.each([
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['no number', Number.NaN],
  ['a hole', [undefined]],
])('%s cannot be saved, which is told, and is folded again', async (_, value) => {
  const odd = projection({
    name: 'odd',
    version: 1,
    initial: () => ({ value }),
    on: { accountOpened: () => ({ value }) },
  })
  const store = new MemoryStore()
  const notices: string[] = []
  const opened = () =>
    openEngine({ store, ...configuration, projections: [odd], onNotice: (text) => notices.push(text) })
  await (await opened()).close()
  expect(notices).toEqual([expect.stringMatching(/^projection odd could not be saved: not plain data/)])
  expect((await opened()).projection(odd)).toEqual({ value })
})

test('names and versions are what they should be', () => {
  const named = (name: string, version = 1) => projection({ name, version, initial: () => 0n, on: {} })
  for (const name of ['', 'A', '../x', 'a b', '-a', 'a'.repeat(65)])
    expect(() => named(name)).toThrow(RangeError)
  expect(() => named('a', 1.5)).toThrow(RangeError)
  expect(() => createEngine({ projections: [named('a'), named('a')] })).toThrow(RangeError)
  expect(() => createEngine().projection(deposits)).toThrow(RangeError)
})

test('a feed goes in columns beside a projection that is not about ticks', () => {
  const ticks = projection({
    name: 'ticks',
    version: 1,
    initial: () => 0,
    on: { priceUpdated: (count) => count + 1 },
  })
  const rows = 500
  const feed = {
    at: new Float64Array(rows).fill(START),
    indexPrice: new BigInt64Array(rows).fill(100_000_000_000n),
    market: new Uint16Array(rows),
    marketIds: [PLAIN_MARKET.id],
  }
  const dispatched = (projections: Projection<unknown>[]) => {
    const engine = createEngine({ ...configuration, projections })
    let alone = 0
    const dispatch = engine.dispatch.bind(engine)
    engine.dispatch = (command, options) => {
      alone += 1
      return dispatch(command, options)
    }
    engine.dispatchTicks(feed)
    return alone
  }
  expect(dispatched([deposits])).toBe(dispatched([]))
  expect(dispatched([deposits])).toBeLessThan(rows)
  expect(dispatched([deposits, ticks])).toBe(rows)
})
