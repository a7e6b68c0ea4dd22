// K10: a commit says who caused it, and nothing depends on that.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forkLog } from '../../../src/engine/fork.ts'
import { ByteReader } from '../../../src/events/codec/byteReader.ts'
import { ByteWriter } from '../../../src/events/codec/byteWriter.ts'
import { readCommit, writeCommit } from '../../../src/events/codec/commitCodec.ts'
import {
  type CausedBy,
  type Commit,
  createEngine,
  type Engine,
  fp9,
  lifeOf,
  verifyLog,
  whyOf,
} from '../../../src/index.ts'
import { ACCOUNT, MARKET, START, Venue } from '../venue.ts'

const KEY = 'd0000000-0000-4000-8000-000000000001'
const anyone: fc.Arbitrary<CausedBy> = fc.oneof(
  fc
    .tuple(fc.oneof(fc.uuid(), fc.string()), fc.option(fc.oneof(fc.uuid(), fc.string()), { nil: null }))
    .map(([userId, keyId]) => ({ type: 'user', userId, keyId }) as const),
  fc.string({ unit: 'binary' }).map((name) => ({ type: 'operator', name }) as const),
)

async function logOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

async function* inOne(commits: readonly Commit[]): AsyncGenerator<readonly Commit[]> {
  yield commits
}

const bytesOf = (commit: Commit) => {
  const writer = new ByteWriter()
  writeCommit(writer, commit)
  return writer.copy()
}

describe('the stored form', () => {
  const tick = (by?: CausedBy): Commit => ({
    seq: 7,
    at: START,
    ...(by !== undefined && { by }),
    command: { type: 'updatePrice', marketId: MARKET, indexPrice: 5n },
    events: [{ type: 'priceUpdated', marketId: MARKET, indexPrice: 5n }],
  })

  test('whoever it was is read back', () => {
    fc.assert(
      fc.property(fc.option(anyone, { nil: undefined }), (by) => {
        const commit = tick(by)
        expect(readCommit(new ByteReader(bytesOf(commit)))).toStrictEqual(commit)
      }),
    )
  })

  test('says it between time and command; without it nothing is added', () => {
    const without = bytesOf(tick())
    const head = bytesOf({ ...tick(), events: [] }).indexOf(7, 1)
    const by = bytesOf(tick({ type: 'operator', name: 'ann' }))
    expect([...by]).toEqual([
      ...without.subarray(0, head),
      ...[0, 2, 3, ...Buffer.from('ann')],
      ...without.subarray(head),
    ])
  })
})

describe('an engine', () => {
  const byUser = { type: 'user', userId: 'user', keyId: KEY } as const

  test('marks commits with the caller, or with whom it is told; feeds and time with nobody', async () => {
    const venue = new Venue()
    const { engine } = venue
    const before = engine.head
    const caller = { userId: 'user', apiKey: true, keyId: KEY }
    const at = START + 1_000
    const on = { accountId: ACCOUNT, marketId: MARKET, direction: 'long' } as const
    const order = { type: 'placeOrder', ...on, amount: fp9('100'), leverage: fp9('5') } as const
    const resting = { ...order, orderType: 'limit', triggerPrice: fp9('90') } as const
    engine.dispatch(resting, { at, caller: { ...caller, userId: userOf(engine) } })
    engine.dispatch(resting, { at, caller: { userId: userOf(engine), apiKey: false } })
    const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') } as const
    engine.dispatch(tick, { at, by: { type: 'operator', name: 'desk' } })
    engine.dispatch(tick, { at })
    engine.dispatch({ type: 'closeAll', accountId: ACCOUNT }, { at, caller, by: byUser })
    expect((await logOf(engine)).slice(before).map(({ by }) => by)).toEqual([
      { ...byUser, userId: userOf(engine) },
      { type: 'user', userId: userOf(engine), keyId: null },
      { type: 'operator', name: 'desk' },
      undefined,
    ])
    const nextDay = at + 2 * 86_400_000
    const adjust = { type: 'adjustBalance', accountId: ACCOUNT, amount: 1n } as const
    engine.dispatch(adjust, { at: nextDay, by: { type: 'operator', name: 'desk' } })
    const due = (await logOf(engine)).slice(before + 4)
    expect(due.length).toBeGreaterThan(1)
    expect(due.map(({ command, by }) => [command.type, by?.type])).toEqual([
      ...due.slice(1).map(() => ['advanceTime', undefined]),
      ['adjustBalance', 'operator'],
    ])
  })

  test.each<[string, object, string]>([
    ['a type nobody knows', { by: { type: 'cat', name: 'x' } }, 'by'],
    ['an operator without a name', { by: { type: 'operator' } }, 'by'],
    ['a user without a key or the lack of one', { by: { type: 'user', userId: 'u' } }, 'by'],
    ['a caller that is no text', { caller: { userId: 5, apiKey: true } }, 'caller'],
  ])('refuses what could not be written: %s', (_name, options, path) => {
    const engine = createEngine()
    const { head } = engine
    expect(engine.dispatch({ type: 'advanceTime', ms: 1 }, options)).toEqual({
      ok: false,
      error: { code: 'validation_failed', details: [path] },
    })
    expect(engine.head).toBe(head)
  })

  test('hands out its own copy of what it was told', async () => {
    const engine = createEngine()
    const by = { type: 'operator', name: 'ann' } as const
    engine.dispatch({ type: 'advanceTime', ms: 1 }, { by })
    Object.assign(by, { name: 'bob' })
    expect((await logOf(engine)).at(-1)?.by).toEqual({ type: 'operator', name: 'ann' })
  })

  test('is in the same state whoever it was, and so are the past, a verification and a fork', async () => {
    const run = (options: { by?: CausedBy }) => {
      const venue = new Venue()
      const { engine } = venue
      const place = venue.command({ orderType: 'limit', triggerPrice: fp9('99') })
      engine.dispatch(place, { at: START + 1, ...options })
      const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('98') } as const
      engine.dispatch(tick, { at: START + 2, ...options })
      return engine
    }
    const [nobody, somebody] = [run({}), run({ by: byUser })]
    const log = await logOf(somebody)
    expect(log.map(({ by, ...rest }) => rest)).toEqual(await logOf(nobody))
    expect(somebody.stateHash()).toBe(nobody.stateHash())
    expect((await somebody.asOf(somebody.head)).stateHash()).toBe(nobody.stateHash())
    expect(await verifyLog(inOne(log))).toMatchObject({ ok: true, stateHash: nobody.stateHash() })
    const change = { rule: 'market', market: { id: MARKET, feeRate: fp9('1%') } } as const
    expect(await forkLog(inOne(log), 1 + 2, change)).toEqual(
      await forkLog(inOne(await logOf(nobody)), 1 + 2, change),
    )
  })

  test('its log tells who is behind an order', async () => {
    const venue = new Venue()
    const placed = venue.engine.dispatch(venue.command({ orderType: 'limit', triggerPrice: fp9('99') }), {
      by: byUser,
    })
    const id = placed.ok ? placed.value.id : ''
    const log = await logOf(venue.engine)
    expect((await lifeOf(() => inOne(log), id)).map(({ by }) => by)).toContainEqual(byUser)
    expect((await whyOf(() => inOne(log), id)).map(({ by }) => by)).toContainEqual(byUser)
  })
})

function userOf(engine: Engine): string {
  return engine.read.accountParameters(ACCOUNT)?.userId as string
}
