import { expect, test } from 'vitest'
import { type Commit, createEngine, fp9, MemoryStore, openEngine } from '../../../src/index.ts'
import { ACCOUNT, DAY, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../venue.ts'

const configuration = { markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }

/** A day with a bit of everything. */
function busyDay(venue: Venue): void {
  venue.open({ stopTriggerPrice: fp9('95'), takeTriggerPrice: fp9('120') })
  venue.open({ direction: 'short', leverage: fp9('50'), idempotencyKey: 'k' })
  const positionId = venue.position().id
  venue.place({ orderType: 'trailing_stop', positionId, amount: fp9('1'), trailingStopOffset: fp9('3') })
  venue.place({ orderType: 'limit', triggerPrice: fp9('99') })
  for (const price of ['101', '103', '99.5', '98', '104']) venue.tick(price)
  venue.wait(2 * DAY)
  venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
  venue.open()
}

test('a log opens with the engine, then the configuration', async () => {
  const engine = createEngine({ seed: 's', at: START, ...configuration })
  const types: string[] = []
  for await (const { command } of engine.commits({ from: 0 })) types.push(command.type)
  expect(types).toEqual(['createEngine', 'configureMarket', 'openAccount'])
})

test('what a caller does to its objects afterwards changes neither the log nor the engine', async () => {
  const market = { ...PLAIN_MARKET }
  const account = { ...PLAIN_ACCOUNT, allowedCategories: ['crypto' as 'crypto' | 'rwa'] }
  const engine = createEngine({ seed: 's', at: START, markets: [market], accounts: [account] })
  const kept = async () => {
    const lines: string[] = []
    for await (const commit of engine.commits({ from: 1 })) lines.push(text(commit))
    return [...lines, engine.stateHash()]
  }
  const before = await kept()
  market.spread = fp9('0.5')
  account.balance = 0n
  account.allowedCategories.push('rwa')
  expect(await kept()).toEqual(before)
})

test('without a seed every engine draws its own and records it', async () => {
  const seedOf = async () => {
    for await (const { command } of createEngine().commits({ from: 1 }))
      if (command.type === 'createEngine') return command.seed
    return undefined
  }
  expect(await seedOf()).not.toBe(await seedOf())
})

test('a configuration that is refused names what is wrong', () => {
  expect(() => createEngine({ markets: [{ ...PLAIN_MARKET, spread: fp9('1') }] })).toThrow(
    'configureMarket refused: validation_failed market.spread',
  )
})

test('I17: state is the fold of the log: the past at every commit, and the present at the last', async () => {
  const venue = new Venue()
  const hashes = new Map([[venue.engine.head, venue.engine.stateHash()]])
  venue.engine.subscribe(({ seq }) => {
    if (seq === venue.engine.head) hashes.set(seq, venue.engine.stateHash())
  })
  busyDay(venue)
  for (const [seq, hash] of hashes) expect((await venue.engine.asOf(seq)).stateHash()).toBe(hash)
  const past = await venue.engine.asOf(venue.engine.head)
  expect(past.read.portfolio(ACCOUNT)).toEqual(venue.engine.read.portfolio(ACCOUNT))
  expect(past.read.account(ACCOUNT)).toEqual(venue.engine.read.account(ACCOUNT))
  expect(past.read.ledger()).toEqual(venue.engine.read.ledger())
})

test('the past before the first commit is empty, and there is none beyond the last', async () => {
  const venue = new Venue()
  expect((await venue.engine.asOf(0)).read.accounts()).toEqual([])
  await expect(venue.engine.asOf(venue.engine.head + 1)).rejects.toThrow(RangeError)
  await expect(venue.engine.asOf(-1)).rejects.toThrow(RangeError)
})

test('I17: the same commands give byte-identical commits, ids included', async () => {
  const log = async () => {
    const venue = new Venue()
    busyDay(venue)
    const lines: string[] = []
    for await (const commit of venue.engine.commits({ from: 1 })) lines.push(text(commit))
    return lines
  }
  expect(await log()).toEqual(await log())
})

test('an engine on a store comes back as it was; the configuration adds only what the log does not know', async () => {
  const store = new MemoryStore()
  const first = await openEngine({ store, seed: 's', at: START, ...configuration })
  await first.send({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('107') })
  const hash = first.stateHash()
  const again = await openEngine({
    store,
    seed: 'another',
    markets: [{ ...PLAIN_MARKET, indexPrice: fp9('1'), feeRate: fp9('1%') }],
    accounts: [PLAIN_ACCOUNT],
  })
  expect(again.stateHash()).toBe(hash)
  expect(again.now).toBe(first.now)
  const later = await openEngine({
    store,
    accounts: [{ ...PLAIN_ACCOUNT, id: 'another account' }],
  })
  expect(later.read.accounts().length).toBe(2)
})

test('I4: idempotency outcomes survive a restart', async () => {
  const store = new MemoryStore()
  const venue = new Venue()
  const command = venue.command({ idempotencyKey: 'k' })
  const first = await openEngine({ store, seed: 's', at: START, ...configuration })
  const placed = await first.send(command)
  const again = await openEngine({ store })
  const repeated = await again.send(command)
  expect(placed.ok && repeated.ok && repeated.value).toEqual(placed.ok && placed.value)
  expect(repeated).toMatchObject({ replayedFrom: START })
})

test('commits are served from any sequence on', async () => {
  const venue = new Venue()
  busyDay(venue)
  const sequences: number[] = []
  for await (const { seq } of venue.engine.commits({ from: 5 })) sequences.push(seq)
  expect(sequences[0]).toBe(5)
  expect(sequences.at(-1)).toBe(venue.engine.head)
})

test('a log is begun once', () => {
  expect(new Venue().rejection({ type: 'createEngine', seed: 'again' })).toBe('validation_failed type')
})

const text = (commit: Commit): string =>
  JSON.stringify(commit, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
