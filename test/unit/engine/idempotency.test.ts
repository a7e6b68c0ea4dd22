import { expect, test } from 'vitest'
import { earlierOutcome } from '../../../src/engine/internals.ts'
import {
  createEngine,
  type Engine,
  fp9,
  MemoryStore,
  openEngine,
  type PlaceOrder,
} from '../../../src/index.ts'
import {
  ACCOUNT,
  HOUR,
  OTHER_ACCOUNT,
  OTHER_USER,
  PLAIN_ACCOUNT,
  PLAIN_MARKET,
  START,
  USER,
  Venue,
} from '../venue.ts'

const replayed = (engine: Engine, command: PlaceOrder) => {
  const outcome = engine.dispatch(command)
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome
}

test('I4: the same key within the hour repeats the stored order, whatever the new body, and does nothing', () => {
  const venue = new Venue()
  const first = venue.accepted(venue.command({ idempotencyKey: 'k' }))
  const before = venue.engine.stateHash()
  const second = venue.accepted(venue.command({ idempotencyKey: 'k', direction: 'short', amount: fp9('1') }))
  expect(second.value).toEqual(first.value)
  expect(second).toMatchObject({ events: [], seq: first.seq, replayedFrom: venue.now })
  expect(venue.engine.stateHash()).toBe(before)
})

test('I4: a repeat is answered with the order as it was when the first call completed', () => {
  const venue = new Venue()
  const command = venue.command({ orderType: 'limit', triggerPrice: fp9('90'), idempotencyKey: 'k' })
  const first = venue.accepted(command)
  venue.tick('89')
  expect(venue.order(first.value.id).status).toBe('executed')
  expect(venue.accepted(command).value).toEqual(first.value)
})

test('I4: the window is [t, t + 1 h): one millisecond before its end the key repeats, at its end it acts again', () => {
  const venue = new Venue()
  const command = venue.command({ idempotencyKey: 'k' })
  const first = venue.accepted(command)
  venue.wait(HOUR - 1)
  expect(replayed(venue.engine, command).replayedFrom).toBeDefined()
  venue.wait(1)
  const again = replayed(venue.engine, command)
  expect(again.replayedFrom).toBeUndefined()
  expect(again.value.id).not.toBe(first.value.id)
})

test('I4: after the hour the key counts anew from the second order', () => {
  const venue = new Venue()
  const command = venue.command({ idempotencyKey: 'k' })
  venue.accepted(command)
  venue.wait(HOUR)
  const second = venue.accepted(command)
  venue.wait(HOUR - 1)
  expect(replayed(venue.engine, command).value.id).toBe(second.value.id)
})

test('I4: a rejection leaves the key free', () => {
  const venue = new Venue()
  expect(venue.placeRefusal({ amount: 0n, idempotencyKey: 'k' })).toBe('amount_not_positive')
  expect(venue.accepted(venue.command({ idempotencyKey: 'k' })).replayedFrom).toBeUndefined()
})

test('I4: an order that was cancelled by an error is stored: it was accepted', () => {
  const venue = new Venue({ market: { minNotional: fp9('2000') } })
  const command = venue.command({ idempotencyKey: 'k' })
  const first = venue.accepted(command)
  expect(first.value.errorCode).toBe('order_below_min_notional')
  expect(replayed(venue.engine, command).value).toEqual(first.value)
})

test('I1, I4: a repeat comes before the schema, the shape and the account', () => {
  const venue = new Venue()
  const first = venue.accepted(venue.command({ idempotencyKey: 'k' }))
  venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'manual' })
  const wrong = { ...venue.command({ idempotencyKey: 'k', amount: -1n }), misspelt: 1n }
  expect(replayed(venue.engine, wrong).value).toEqual(first.value)
})

test('I4: the key belongs to its user: another user, or another key, acts', () => {
  const venue = new Venue({ otherAccount: {} })
  const mine = venue.accepted(venue.command({ idempotencyKey: 'k' }), { userId: USER, apiKey: true })
  const theirs = venue.accepted(venue.command({ idempotencyKey: 'k', accountId: OTHER_ACCOUNT }), {
    userId: OTHER_USER,
    apiKey: true,
  })
  expect(theirs.value.id).not.toBe(mine.value.id)
  expect(venue.place({ idempotencyKey: 'l' }).id).not.toBe(mine.value.id)
})

test('I4: an empty key is no key, 255 characters are one, 256 are refused', () => {
  const venue = new Venue()
  const first = venue.place({ idempotencyKey: '' })
  expect(venue.place({ idempotencyKey: '' }).id).not.toBe(first.id)
  const longest = venue.place({ idempotencyKey: 'k'.repeat(255) })
  expect(venue.place({ idempotencyKey: 'k'.repeat(255) }).id).toBe(longest.id)
  expect(venue.placeRefusal({ idempotencyKey: 'k'.repeat(256) })).toBe('validation_failed idempotencyKey')
})

test('I4: a second call while the first waits for its commit is refused, and repeats it afterwards', async () => {
  const engine = await openEngine({
    at: START,
    store: new MemoryStore(),
    markets: [PLAIN_MARKET],
    accounts: [PLAIN_ACCOUNT],
  })
  const command = new Venue().command({ idempotencyKey: 'k' })
  const first = engine.send(command)
  const inFlight = { ok: false, error: { code: 'idempotency_key_in_flight' } }
  expect(await engine.send(command)).toEqual(inFlight)
  const outcome = await first
  expect(await engine.send(command)).toMatchObject({ ok: true, value: outcome.ok && outcome.value })
  // Who decides without waiting is told the same: what is not durable is nobody's outcome yet (K6).
  const other = { ...command, idempotencyKey: 'l' }
  expect(engine.dispatch(other).ok).toBe(true)
  expect(engine.dispatch(other)).toEqual(inFlight)
  expect(earlierOutcome(engine, USER, 'l', engine.now)).toEqual(inFlight)
  await engine.whenDurable()
  expect(engine.dispatch(other)).toMatchObject({ ok: true, replayedFrom: START })
})

test('I4: user and key are told apart whatever they are made of', () => {
  const users = ['a', 'a\nb', '1 a', 'aa']
  const accounts = users.map((userId) => ({ ...PLAIN_ACCOUNT, id: userId, userId }))
  const engine = createEngine({ at: START, markets: [PLAIN_MARKET], accounts })
  const keys = ['b\nc', 'c', 'ab', 'b']
  const ids = users.flatMap((accountId) =>
    keys.map((idempotencyKey) => {
      const outcome = engine.dispatch({ ...new Venue().command(), accountId, idempotencyKey })
      return outcome.ok ? outcome.value.id : outcome.error.code
    }),
  )
  expect(new Set(ids).size).toBe(ids.length)
})

test('a close that promotes the account is stored under its key although its phase is over', () => {
  const venue = new Venue({ account: { autoPromote: true } })
  venue.open({ amount: fp9('1000') })
  venue.wait(60_000)
  venue.tick('200')
  const positionId = venue.position().id
  const command = venue.command({
    orderType: 'take',
    triggerPrice: 0n,
    positionId,
    amount: fp9('1000'),
    idempotencyKey: 'k',
  })
  const first = venue.accepted(command)
  expect(venue.account().currentPhase).toBe('active_verification')
  expect(first.value.status).toBe('executed')
  expect(replayed(venue.engine, command).value).toEqual(first.value)
})
