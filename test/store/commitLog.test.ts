// Commits kept in memory, ticks as rows and others whole: what was given comes back, across every page.

import { expect, test } from 'vitest'
import { type Commit, createEngine, fp9 } from '../../src/index.ts'
import { CommitLog } from '../../src/store/commitLog.ts'
import { Chance, GENESIS, MARKETS, nextCommand, START } from './traffic.ts'

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
