// Commits kept in memory, ticks as rows and others whole: what was given comes back, across every page.

import { expect, test } from 'vitest'
import { type Commit, createEngine, type Event, fp9 } from '../../src/index.ts'
import { CommitLog } from '../../src/store/commitLog.ts'
import { Chance, drive, GENESIS, MARKETS, nextCommand, START } from './traffic.ts'

async function commitsOf(count: number): Promise<Commit[]> {
  const engine = createEngine(GENESIS)
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  // The rest as they are told, not as a log has kept them.
  engine.subscribe((commit) => commits.push(commit))
  for (let n = 0; engine.head < count; n++)
    if (n % 1_000 === 999) engine.dispatch({ type: 'advanceTime', ms: 1 })
    else
      engine.dispatch(
        { type: 'updatePrice', marketId: MARKETS[n % 2] as string, indexPrice: fp9(`${2_000 + (n % 7)}`) },
        { at: START + n * 10 },
      )
  return commits
}

/** What so many drawn commands come to. */
async function drawnCommits(commands: number): Promise<Commit[]> {
  const engine = createEngine(GENESIS)
  drive(engine, new Chance(11), commands)
  const drawn: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) drawn.push(commit)
  return drawn
}

test('every commit comes back as it was, wherever on a page it lies', async () => {
  const commits = await commitsOf(9_000)
  const log = new CommitLog()
  for (const commit of commits) log.push(commit)
  expect(log.length).toBe(commits.length)
  expect(log.slice(1, log.length + 1)).toEqual(commits)
  for (const seq of [1, 4_096, 4_097, 8_192, 8_193])
    expect(log.slice(seq, seq + 1)).toEqual([commits[seq - 1]])
})

test('commits of every kind and length come back, and one that is none leaves the log as it was', () => {
  const engine = createEngine(GENESIS)
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push({ ...commit, seq: commits.length + 1 }))
  const chance = new Chance(3)
  while (commits.length < 1_500) {
    const { command, at } = nextCommand(chance, engine)
    const name = 'x'.repeat(commits.length % 100 === 99 ? 20_000 : 3)
    engine.dispatch(command, { at, by: { type: 'operator', name } })
  }
  expect(new Set(commits.map(({ command }) => command.type)).size).toBeGreaterThan(8)
  const log = new CommitLog()
  for (const commit of commits) {
    if (commit.seq % 50 === 0)
      expect(() => log.push({ ...commit, events: [...commit.events, { type: 'none' } as never] })).toThrow(
        TypeError,
      )
    log.push(commit)
  }
  expect(log.slice(1, log.length + 1)).toEqual(commits)
})

test('any event is read by its place, of commits of few and of many, and of the one that comes next', async () => {
  const drawn = await drawnCommits(600)
  const some = drawn.flatMap(({ events }) => events)
  const commits = [
    ...drawn,
    ...[7, 8, 9, 16, 17, 600, 3_000].map((length, n) => ({
      ...(drawn.at(-1) as Commit),
      seq: drawn.length + n + 1,
      events: Array.from({ length }, (_, index) => some[(index * 7 + n) % some.length] as Event),
    })),
  ]
  const log = new CommitLog()
  let [read, many] = [0, 0]
  for (const commit of commits) {
    const { seq, at, events, command } = commit
    if (seq % 2 === 0) {
      log.expect(commit)
      for (const [index, event] of events.entries()) expect(log.event(seq, index)).toEqual({ event, at })
    }
    log.push(commit)
    if (command.type === 'updatePrice' && events.length === 1) continue
    for (let index = events.length - 1; index >= 0; index -= 1 + (index % 5)) {
      expect(log.event(seq, index)).toEqual({ event: events[index], at })
      read += 1
    }
    expect(() => log.event(seq, events.length)).toThrow(RangeError)
    if (events.length > 8) many += 1
  }
  expect(log.slice(1, log.length + 1)).toEqual(commits)
  expect(read).toBeGreaterThan(800)
  expect(many).toBeGreaterThan(4)
})

test('of what was read sixteen runs are at hand, and no more', async () => {
  const drawn = await drawnCommits(100)
  const some = drawn.flatMap(({ events }) => events)
  const log = new CommitLog()
  const events = Array.from({ length: 20 * 8 }, (_, index) => some[index % some.length] as Event)
  log.push({ ...(drawn.at(-1) as Commit), seq: 1, events })
  const first = log.event(1, 0).event
  for (let run = 1; run < 16; run++) log.event(1, run * 8)
  expect(log.event(1, 0).event).toBe(first)
  log.event(1, 16 * 8)
  expect(log.event(1, 0).event).not.toBe(first)
  expect(log.event(1, 0).event).toEqual(first)
})
