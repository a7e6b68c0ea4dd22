import { expect, test } from 'vitest'
import { LevelTriggers } from '../../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../../src/engine/fold.ts'
import { redecide } from '../../../src/engine/redecide.ts'
import { type Commit, createEngine, fp9 } from '../../../src/index.ts'
import {
  DAY,
  HOUR,
  MARKET,
  MINUTE,
  OTHER_MARKET,
  PLAIN_ACCOUNT,
  PLAIN_MARKET,
  START,
  Venue,
} from '../venue.ts'

const MIDNIGHT = START - 10 * MINUTE + DAY

const commitsOf = async (venue: Venue, from: number): Promise<Commit[]> => {
  const commits: Commit[] = []
  for await (const commit of venue.engine.commits({ from })) commits.push(commit)
  return commits
}

test('I17: what falls due happens in time order before a later input, each instant in its own commit', async () => {
  const venue = new Venue({ otherMarket: { fundingIntervalMs: 6 * HOUR } })
  const from = venue.engine.head + 1
  venue.accepted({ type: 'advanceTime', ms: 0 })
  venue.engine.dispatch(
    { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') },
    { at: MIDNIGHT + 1 },
  )
  const commits = await commitsOf(venue, from)
  const hours = commits.slice(0, -1).map(({ at }) => (at - (MIDNIGHT - DAY)) / HOUR)
  expect(hours).toEqual([6, 8, 12, 16, 18, 24])
  expect(commits.slice(0, -1).every(({ command }) => command.type === 'advanceTime')).toBe(true)
  expect(commits.map(({ seq }) => seq)).toEqual(commits.map((_, index) => from + index))
  expect(commits.at(-1)).toMatchObject({ at: MIDNIGHT + 1, command: { type: 'updatePrice' } })
})

test('E4: an instant comes before any other input stamped at it', async () => {
  const venue = new Venue({ market: { fundingRate: fp9('1%') } })
  venue.open()
  const at = START - 10 * MINUTE + 8 * HOUR
  const from = venue.engine.head + 1
  venue.engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('110') }, { at })
  const [funding, tick] = await commitsOf(venue, from)
  expect(funding).toMatchObject({ at, events: [{ type: 'payFunding', indexPrice: fp9('100') }] })
  expect(tick).toMatchObject({ at, command: { type: 'updatePrice' } })
})

test('E4: an instant happens once, however often the time of it is told', () => {
  const venue = new Venue({ market: { fundingRate: fp9('1%') } })
  venue.open()
  venue.waitUntil(START - 10 * MINUTE + 8 * HOUR)
  venue.wait(0)
  venue.tick('100')
  expect(venue.position().version).toBe(2)
})

test('J30: advancing the time far is the same as advancing it in steps', () => {
  const position = (steps: number[]) => {
    const venue = new Venue({ market: { fundingRate: fp9('0.1%'), fundingIntervalMs: HOUR } })
    venue.open()
    for (const ms of steps) venue.wait(ms)
    return { ...venue.position(), at: venue.now, day: venue.account().riskStatus.dayStartEquity }
  }
  expect(position([3 * DAY])).toEqual(position(Array.from({ length: 72 }, () => HOUR)))
})

test('time never goes back, and the clock ends with the year 9999 (K12)', () => {
  const venue = new Venue()
  const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('1') } as const
  const atFault = { ok: false, error: { code: 'validation_failed', details: ['at'] } }
  expect(venue.engine.dispatch(tick, { at: venue.now - 1 })).toEqual(atFault)
  expect(venue.engine.dispatch(tick, { at: venue.now + 0.5 })).toEqual(atFault)
  const last = Date.parse('9999-12-31T23:59:59.999Z')
  expect(venue.engine.dispatch(tick, { at: last + 1 })).toEqual(atFault)
  expect(venue.engine.dispatch({ type: 'advanceTime', ms: 1 }, { at: last })).toEqual(atFault)
  // What an advanceTime began at may be past, as long as it leads on.
  const begun = venue.now - HOUR
  expect(venue.engine.dispatch({ type: 'advanceTime', ms: HOUR - 1 }, { at: begun })).toEqual(atFault)
  expect(venue.engine.dispatch({ type: 'advanceTime', ms: 2 * HOUR }, { at: begun }).ok).toBe(true)
  expect(venue.now).toBe(begun + 2 * HOUR)
  const late = createEngine({ at: last - DAY, markets: [PLAIN_MARKET] })
  expect(late.dispatch(tick, { at: last }).ok).toBe(true)
  expect(late.now).toBe(last)
  expect(venue.rejection({ type: 'advanceTime', ms: -1 })).toBe('validation_failed ms')
  expect(venue.rejection({ type: 'advanceTime', ms: 1.5 })).toBe('validation_failed ms')
})

test('K12: one advance leads ten years ahead at most, and what an older log says is still what it says', async () => {
  const TEN_YEARS = 3_653 * DAY
  const engine = createEngine({ at: START, accounts: [PLAIN_ACCOUNT] })
  const far = { ok: false, error: { code: 'validation_failed', details: ['ms'] } }
  for (const ms of [TEN_YEARS + 1, 1e15, Number.MAX_SAFE_INTEGER])
    expect(engine.dispatch({ type: 'advanceTime', ms })).toEqual(far)
  expect(engine.now).toBe(START)
  expect(engine.dispatch({ type: 'advanceTime', ms: TEN_YEARS }).ok).toBe(true)

  const folded = new Folded((world) => new LevelTriggers(world))
  const at = START + 20 * TEN_YEARS
  const commits: Commit[] = [
    {
      seq: 1,
      at: START,
      command: { type: 'createEngine', seed: 's' },
      events: [{ type: 'engineCreated', seed: 's', dayBoundary: 'account' }],
    },
    { seq: 2, at, command: { type: 'advanceTime', ms: at - START }, events: [] },
  ]
  for (const commit of commits)
    expect(redecide(folded, commit)).toEqual({ events: commit.events, rejection: null })
  expect(folded.world.now).toBe(at)
})

test('a refused command moves neither the sequence nor the clock', () => {
  const venue = new Venue()
  const { head, now } = venue.engine
  venue.engine.dispatch(venue.command({ amount: 0n }), { at: now + 1_000 })
  expect([venue.engine.head, venue.engine.now]).toEqual([head, now])
})

test('a command that changes nothing is accepted and makes no commit; time that passes makes one', () => {
  const venue = new Venue()
  const { id } = venue.open()
  const { head } = venue.engine
  const outcome = venue.accepted({ type: 'changeMargin', positionId: id, marginChange: 0n })
  expect([outcome.seq, venue.engine.head]).toEqual([head, head])
  venue.wait(0)
  expect(venue.engine.head).toBe(head)
  venue.wait(1)
  expect(venue.engine.head).toBe(head + 1)
})

test('a market listed later falls due from its next instant on', () => {
  const venue = new Venue()
  venue.waitUntil(START + 50 * MINUTE)
  venue.accepted({
    type: 'configureMarket',
    market: {
      id: OTHER_MARKET,
      baseAsset: 'ETH',
      ticker: 'ETH/USD',
      category: 'crypto',
      fundingIntervalMs: HOUR,
    },
  })
  expect(venue.engine.read.market(OTHER_MARKET)?.state.nextFundingAt).toBe(START + 110 * MINUTE)
})

test('an engine that was never told the time starts at the first time it is told', async () => {
  const venue = new Venue({ at: 0 })
  const from = venue.engine.head + 1
  venue.engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('1') }, { at: START })
  expect((await commitsOf(venue, from)).length).toBe(1)
})
