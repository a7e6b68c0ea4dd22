// K15 where much time passes at once: funding instants run a few in a turn, and what comes meanwhile waits for the time it is.

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, manualClock } from '../../src/host/clock.ts'
import { DueInstants, type Loop } from '../../src/host/dueInstants.ts'
import { startFeed } from '../../src/host/feed/feed.ts'
import { priceWalk } from '../../src/host/feed/simulated.ts'
import { runSchedule } from '../../src/host/schedule.ts'
import { createServer } from '../../src/host/server.ts'
import { PATIENCE_MS } from '../../src/host/stillThere.ts'
import { type Command, type Commit, createEngine, type Engine, fp9 } from '../../src/index.ts'
import { ACCOUNT, DAY, HOUR, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, USER, Venue } from '../unit/venue.ts'
import { OPERATOR } from './venue.ts'

/** A loop that turns when it is told, and on which every look at the time costs a millisecond. */
class HandLoop implements Loop {
  readonly #turns: (() => void)[] = []
  #ms = 0

  later = (turn: () => void) => void this.#turns.push(turn)
  elapsed = () => (this.#ms += 1)

  get isIdle(): boolean {
    return this.#turns.length === 0
  }

  /** One turn, and whatever waited for it alone. */
  async turn(): Promise<void> {
    this.#turns.shift()?.()
    await new Promise(setImmediate)
  }

  /** The most that an engine commits in a turn, until nothing is left to do. */
  async turnToTheEnd(engine: Engine): Promise<number> {
    let most = 0
    while (!this.isIdle) {
      const { head } = engine
      await this.turn()
      most = Math.max(most, engine.head - head)
    }
    return most
  }

  /** The same until all of that has come about: what comes to a host that has stood still waits for turns of the real loop. */
  async turnUntil(done: Promise<unknown>, engine: Engine): Promise<number> {
    let [most, isDone] = [0, false]
    const noted = done.finally(() => {
      isDone = true
    })
    while (!isDone) most = Math.max(most, await this.turnToTheEnd(engine).finally(() => this.turn()))
    await noted
    return most
  }
}

/** Looks at the time in 5 ms, each of which follows an instant. */
const INSTANTS_A_TURN = 5

/** A venue with funding every hour and a position, whose clock is set by hand. */
function given() {
  const market = { ...PLAIN_MARKET, fundingRate: fp9('0.001%'), fundingIntervalMs: HOUR }
  const engine = createEngine({ seed: 's', at: START, markets: [market], accounts: [PLAIN_ACCOUNT] })
  engine.dispatch(new Venue().command())
  const wall = { ms: START }
  const clock: Clock = { mode: 'system', now: () => Math.max(wall.ms, engine.now), offset: () => 0 }
  const loop = new HandLoop()
  return { engine, wall, clock, loop, due: new DueInstants(engine, clock, loop) }
}

async function logOf({ engine }: { readonly engine: Engine }): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

const price = (value: string): Command => ({
  type: 'updatePrice',
  marketId: MARKET,
  indexPrice: fp9(value),
})

describe('a step of the clock by twenty days', () => {
  const END = START + 20 * DAY

  test('runs a few instants in a turn, in the commits of an engine that runs them all at once', async () => {
    const pieces = given()
    pieces.wall.ms = END
    const { head } = pieces.engine
    const waiting = pieces.due.before()
    expect(pieces.engine.head - head).toBe(INSTANTS_A_TURN)
    expect(await pieces.loop.turnToTheEnd(pieces.engine)).toBe(INSTANTS_A_TURN)
    expect(await waiting).toBe(END)
    pieces.engine.dispatch(price('101'), { at: END })
    const whole = given()
    whole.engine.dispatch(price('101'), { at: END })
    expect(pieces.engine.head - head).toBe(20 * 24 + 1)
    expect(await logOf(pieces)).toEqual(await logOf(whole))
    expect(pieces.engine.stateHash()).toBe(whole.engine.stateHash())
  })

  test('an hour that is due runs at once: nobody waits', () => {
    const { engine, wall, loop, due } = given()
    wall.ms = START + HOUR
    const { head } = engine
    expect(due.before()).toBe(START + HOUR)
    expect(engine.head).toBe(head + 1)
    expect(loop.isIdle).toBe(true)
  })

  test('those who come meanwhile go on in their order, each in a turn of their own, at the time that it is then', async () => {
    const { engine, wall, clock, loop, due } = given()
    wall.ms = END
    const wentOn: [string, number][] = []
    const come = async (name: string) => {
      await due.before()
      expect(engine.nextDueAt).toBeGreaterThanOrEqual(clock.now())
      wentOn.push([name, clock.now()])
    }
    for (const name of ['a', 'b', 'c']) void come(name)
    await loop.turn()
    void come('d')
    expect(wentOn).toEqual([])
    // A day more comes due before anybody goes on, and another one behind the first.
    wall.ms = END + DAY
    while (!loop.isIdle) {
      const before = wentOn.length
      await loop.turn()
      expect(wentOn.length - before).toBeLessThanOrEqual(1)
      if (wentOn.length === 1) wall.ms = END + 2 * DAY
    }
    expect(wentOn).toEqual([
      ['a', END + DAY],
      ['b', END + 2 * DAY],
      ['c', END + 2 * DAY],
      ['d', END + 2 * DAY],
    ])
  })

  test('a feed waits as well, and its ticks keep their order', async () => {
    const { engine, wall, clock, loop, due } = given()
    wall.ms = END
    const feed = { kind: 'simulated', seed: 's', intervalMs: 1_000_000, step: fp9('0.1%') } as const
    const others: string[] = []
    const first = await startFeed(feed, { engine, clock, due, metrics: { feedRefused: () => {} } })
    const second = await startFeed(
      { ...feed, seed: 't' },
      { engine, clock, due, metrics: { feedRefused: () => {} } },
    )
    engine.subscribe(({ command, at }) => {
      if (command.type === 'updatePrice') others.push(`${command.indexPrice} ${at}`)
    })
    expect(others).toEqual([])
    await loop.turnToTheEnd(engine)
    first.stop()
    second.stop()
    const firstOf = (seed: string) => priceWalk(`${seed} ${MARKET}`, fp9('100'), feed.step)()
    expect(others).toEqual([`${firstOf('s')} ${END}`, `${firstOf('t')} ${END}`])
  })

  test('the schedule waits and then sleeps; one that was stopped meanwhile does not begin again', async () => {
    const { engine, wall, clock, loop, due } = given()
    wall.ms = END
    const schedule = runSchedule(engine, clock, due)
    await expect.poll(() => loop.isIdle).toBe(false)
    schedule.stop()
    await loop.turnToTheEnd(engine)
    expect(engine.nextDueAt).toBe(END + HOUR - (END % HOUR))
    wall.ms = END + 2 * DAY
    const { head } = engine
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(engine.head).toBe(head)
  })

  test('an engine that stops keeps nobody waiting', async () => {
    const { engine, wall, loop, due } = given()
    wall.ms = END
    const waiting = [due.before(), due.before()]
    engine.stop(new Error('gone'))
    await loop.turnToTheEnd(engine)
    expect(await Promise.all(waiting)).toEqual([END, END])
    expect(due.before()).toBe(END)
  })
})

describe("an operator's advanceTime of twenty days", () => {
  const DAYS = 20 * DAY
  const advance = { type: 'advanceTime', ms: DAYS }
  const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: '101000000000' }

  async function served() {
    const { engine, loop } = given()
    const clock = manualClock(engine)
    const due = new DueInstants(engine, clock, loop)
    const sessions = [{ userId: USER, token: 'session' }]
    const app = await createServer({ engine, clock, due, sessions, operatorToken: OPERATOR })
    const operate = (...payload: object[]) =>
      app
        .inject({
          method: 'POST',
          url: '/operator/commands',
          headers: { authorization: `Bearer ${OPERATOR}` },
          payload,
        })
        .then((answer) => answer.json().results)
    const trade = (method: 'GET' | 'POST', url: string, payload?: object) =>
      app
        .inject({ method, url, headers: { authorization: 'Bearer session' }, ...(payload && { payload }) })
        .then((answer) => answer.json())
    return { app, engine, loop, due, operate, trade }
  }

  test('goes a few instants in a turn, with reading going on and commands behind it, into the same log', async () => {
    const { engine, loop, operate, trade } = await served()
    const { head } = engine
    const advanced = operate(tick, advance, tick)
    await expect.poll(() => engine.head - head).toBe(1 + INSTANTS_A_TURN)
    const placed = trade('POST', `/positions/${ACCOUNT}/close-all`)
    const other = operate({ ...advance, ms: DAY }, tick)
    // The turns stand still, and who reads is answered.
    expect((await trade('GET', `/positions/${ACCOUNT}/active`)).length).toBe(1)
    expect(engine.head - head).toBe(1 + INSTANTS_A_TURN)
    const answers = Promise.all([advanced, placed, other])
    expect(await loop.turnUntil(answers, engine)).toBeLessThanOrEqual(INSTANTS_A_TURN + 2)
    expect(await advanced).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
    expect(await placed).not.toHaveProperty('error')
    expect(await other).toMatchObject([{ ok: true }, { ok: true }])
    expect(engine.now).toBe(START + DAYS + DAY)

    const whole = given()
    const by = { type: 'operator', name: 'operator' } as const
    whole.engine.dispatch(price('101'), { by })
    whole.engine.dispatch({ type: 'advanceTime', ms: DAYS }, { by })
    const [log, same] = [await logOf({ engine }), await logOf(whole)]
    expect(log.slice(0, same.length)).toEqual(same)
    const types = log.slice(same.length).map(({ command }) => command.type)
    expect(types.filter((type) => type !== 'advanceTime')).toEqual(['closeAll', 'updatePrice', 'updatePrice'])
  })

  test('who has given up while it went on, and can be known by their half that ended alone, has nothing carried out behind it', async () => {
    const { app, engine, loop, due, operate, trade } = await served()
    const asked = vi.spyOn(due, 'before')
    const { port } = new URL(await app.listen({ port: 0 }))
    onTestFinished(() => app.close())
    const { head: opened } = engine
    const advanced = operate(advance)
    await expect.poll(() => engine.head - opened).toBe(INSTANTS_A_TURN)
    const client = connect(Number(port), 'localhost')
    onTestFinished(() => void client.destroy())
    const head = ['host: localhost', 'authorization: Bearer session', 'content-length: 0'].join('\r\n')
    const before = asked.mock.calls.length
    client.write(`POST /positions/${ACCOUNT}/close-all HTTP/1.1\r\n${head}\r\n\r\n`)
    const answered = text(client)
    // It waits behind the other, and its client gives up after as long as any client waits at least.
    await expect.poll(() => asked.mock.calls.length).toBe(before + 1)
    client.end()
    await sleep(PATIENCE_MS)
    await loop.turnUntil(Promise.all([advanced, answered]), engine)
    expect(await answered).toMatch(/^HTTP\/1\.1 503 /)
    expect(engine.read.activePositions(ACCOUNT)).toHaveLength(1)
    expect((await logOf({ engine })).map(({ command }) => command.type)).not.toContain('closeAll')
    await loop.turnUntil(trade('POST', `/positions/${ACCOUNT}/close-all`), engine)
    expect(engine.read.activePositions(ACCOUNT)).toEqual([])
  })

  test('one that is refused runs nothing', async () => {
    const { engine, loop, operate } = await served()
    const { head } = engine
    expect(await operate({ ...advance, ms: 3_654 * DAY })).toMatchObject([{ ok: false }])
    expect(loop.isIdle).toBe(true)
    expect(engine.head).toBe(head)
  }, 20_000)
})
