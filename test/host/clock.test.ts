// K12 on a running engine: a glitch books nothing, and a log that ends long ago is not run through by accident.

import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/host/clock.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import { gapBefore } from '../../src/host/gap.ts'
import { openVenue } from '../../src/host/venue.ts'
import { createEngine, fp9, MemoryStore } from '../../src/index.ts'
import { ACCOUNT, DAY, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../unit/venue.ts'
import { CONFIGURATION, OPERATOR, startVenue } from './venue.ts'

afterEach(() => vi.useRealTimers())

/** A machine whose clocks are turned by hand. */
class Machine {
  wall: number
  monotonic = 5

  constructor(wall: number) {
    this.wall = wall
  }

  readonly read = () => ({ wall: this.wall, monotonic: this.monotonic })

  pass(ms: number): void {
    this.wall += ms
    this.monotonic += ms
  }
}

function given() {
  const market = {
    ...PLAIN_MARKET,
    fundingRate: fp9('0.1%'),
    fundingIntervalMs: 3_600_000,
    maxPriceAgeMs: 10_000,
  }
  const engine = createEngine({ at: START, markets: [market], accounts: [PLAIN_ACCOUNT] })
  const machine = new Machine(START)
  const notices: string[] = []
  const clock = systemClock(engine, { read: machine.read, onNotice: (notice) => notices.push(notice) })
  const tick = () =>
    engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('100') }, { at: clock.now() })
  return { engine, machine, clock, notices, tick }
}

describe('the system clock', () => {
  test('a glitch of a year for 1.5 s books nothing and leaves nothing behind', () => {
    const { engine, machine, clock, notices, tick } = given()
    expect(engine.dispatch(new Venue().command(), { at: clock.now() }).ok).toBe(true)
    machine.pass(1_000)
    tick()
    machine.wall += 365 * DAY
    for (let ms = 0; ms < 1_500; ms += 100) {
      machine.pass(100)
      tick()
      expect(clock.offset()).toBe(365 * DAY)
    }
    machine.wall -= 365 * DAY
    machine.pass(1_000)
    tick()
    expect(clock.now()).toBe(START + 3_500)
    expect(engine.now).toBe(START + 3_500)
    expect(engine.read.activePositions(ACCOUNT)[0]?.funding).toBe(0n)
    expect(notices).toEqual([])
  })

  test('an hour back stops nothing: prices go on growing old, and time goes on', () => {
    const { engine, machine, clock, notices, tick } = given()
    tick()
    machine.wall -= 3_600_000
    for (let second = 0; second < 20; second++) {
      machine.pass(1_000)
      clock.now()
    }
    expect(clock.now()).toBeGreaterThan(START + 18_000)
    const stale = engine.dispatch(new Venue().command(), { at: clock.now() })
    expect(stale).toMatchObject({ ok: false, error: { code: 'market_price_stale' } })
    expect(notices).toEqual([
      'the wall clock is 3600.000 s behind: the time runs a tenth slower until it has caught up',
    ])
  })

  test('an hour forward is followed after 10 s, with a notice', () => {
    const { machine, clock, notices } = given()
    machine.wall += 3_600_000
    for (let second = 0; second < 10; second++) {
      machine.pass(1_000)
      expect(clock.now()).toBe(START + 1_000 * (second + 1))
    }
    machine.pass(1_000)
    expect(clock.now()).toBe(machine.wall)
    expect(notices).toEqual([
      'the time went forward by 3600.000 s at once, to where the wall clock has been for a while',
    ])
  })

  test('it is never before the engine, and runs on from there', () => {
    const { engine, machine, clock } = given()
    engine.dispatch({ type: 'advanceTime', ms: 60_000 })
    expect(clock.now()).toBe(START + 60_000)
    machine.pass(1_000)
    expect(clock.now()).toBeGreaterThan(START + 60_899)
  })

  test('the difference to the wall clock is told to the nearest millisecond', () => {
    const engine = createEngine({ at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] })
    const machine = new Machine(START)
    const clock = systemClock(engine, { read: machine.read })
    for (const [wall, told] of [
      [DAY + 0.6, DAY + 1],
      [DAY + 0.4, DAY],
      [-DAY - 0.6, -DAY - 1],
      [-DAY - 0.4, -DAY],
    ] as const) {
      machine.wall = START + wall
      expect(clock.offset()).toBe(told)
    }
  })

  test('what falls due by time alone comes when nobody asks for anything', async () => {
    // The wall clock stands just before a day begins; time runs on with the monotonic clock.
    const midnight = Math.ceil(START / DAY) * DAY + DAY
    vi.useFakeTimers({ now: midnight - 100, toFake: ['Date'] })
    const { venue } = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' } })
    expect(venue.engine.nextDueAt).toBeGreaterThanOrEqual(midnight)
    await expect.poll(() => venue.engine.now, { timeout: 10_000 }).toBeGreaterThanOrEqual(midnight)
    await venue.close()
  })

  test('health and metrics show how far the wall clock is off', async () => {
    const venue = await startVenue({ ...CONFIGURATION, clock: { mode: 'system' } })
    const { body } = await venue.get('/operator/health', { key: OPERATOR })
    expect(Number.isInteger(body.clockOffsetMs)).toBe(true)
    const { text } = await venue.get('/operator/metrics', { key: OPERATOR })
    expect(text).toMatch(/^margin_core_clock_offset_seconds -?[0-9.e-]+$/m)
    await venue.venue.close()
  })
})

describe('a log that ends long ago', () => {
  const configuration = readConfiguration(
    Buffer.from(JSON.stringify({ ...CONFIGURATION, clock: { mode: 'system' } })),
  )
  const days = (count: number) => new Date(START + count * DAY)

  async function logOf(store: MemoryStore): Promise<{ head: number; now: number }> {
    vi.useFakeTimers({ now: START, toFake: ['Date'] })
    const { engine } = await openVenue(configuration, { store })
    return { head: engine.head, now: engine.now }
  }

  test('is continued after 7 days, and after more only when that is accepted; it says what that runs', async () => {
    const store = new MemoryStore()
    const { head, now: ended } = await logOf(store)
    vi.setSystemTime(days(7))
    expect((await openVenue(configuration, { store })).engine.head).toBe(head)
    vi.setSystemTime(days(7).getTime() + 60_000)
    const end = new Date(ended).toISOString()
    const message = `the log ends at ${end}, 7 days ago: going on from there runs 42 funding instants of its markets and 7 day boundaries`
    await expect(openVenue(configuration, { store })).rejects.toMatchObject({
      name: 'LogBehind',
      message: `${message}; to do so, start with --accept-gap`,
    })
    const notices: string[] = []
    const onNotice = (notice: string) => notices.push(notice)
    const { engine, clock } = await openVenue(configuration, { store, acceptGap: true, onNotice })
    expect(notices).toEqual([message])
    expect(clock.now()).toBeGreaterThan(days(7).getTime())
    expect(engine.dispatch({ type: 'advanceTime', ms: clock.now() - engine.now }).ok).toBe(true)
    // 21 funding instants of both markets, seven of which are midnights.
    expect(engine.head - head).toBe(21 + 1)
  })

  test('is none where no time has begun yet', () => {
    const engineAt = (at: number) => createEngine({ at, markets: [PLAIN_MARKET] })
    expect(gapBefore(engineAt(START), days(8).getTime())).toContain('8 days ago')
    expect(gapBefore(engineAt(0), days(8).getTime())).toBeNull()
  })

  test('is continued from its end where the wall clock is behind it', async () => {
    const store = new MemoryStore()
    await logOf(store)
    vi.setSystemTime(days(-400))
    const { clock } = await openVenue(configuration, { store })
    expect(clock.now()).toBeGreaterThanOrEqual(START)
  })
})
