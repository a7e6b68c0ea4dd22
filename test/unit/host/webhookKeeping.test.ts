// What a webhook keeps of where it is: a host that dies at any moment tells again what was not taken, and knows since when it fails.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Commit } from '../../../src/events/commit.ts'
import {
  type Cursor,
  type CursorKeeper,
  Webhook,
  type WebhookClock,
} from '../../../src/host/webhooks/webhook.ts'
import { Webhooks } from '../../../src/host/webhooks/webhooks.ts'
import type { SnapshotInPieces, Store } from '../../../src/store/store.ts'

const CONFIGURATION = { url: 'http://receiver/hook', secret: 's', types: ['order.executed'] as const }
const PACE = { firstPause: 8, longestPause: 32, timeout: 60_000, patience: 100, keepEvery: 10 }

const executed = (seq: number) => ({ seq, at: 0, events: [{ type: 'orderExecuted' }] }) as unknown as Commit
const nothing = (seq: number) => ({ seq, at: 0, events: [] }) as unknown as Commit

/** An engine whose log is these commits, told one after the other; `before` comes before each. */
function engineOf(
  commits: readonly Commit[],
  before: (seq: number) => unknown = () => {},
  ended = async () => {},
) {
  return {
    durableHead: 0,
    async *follow({ from }: { from: number }) {
      try {
        for (const commit of commits.slice(from - 1)) {
          await before(commit.seq)
          yield commit
        }
      } finally {
        await ended()
      }
    },
  } as unknown as Engine
}

class Keeper implements CursorKeeper {
  readonly kept: Cursor[] = []
  read = async () => null
  async write(cursor: Cursor): Promise<void> {
    this.kept.push(cursor)
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

let answers: () => number
beforeEach(() => {
  answers = () => 204
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: answers() }))
})
afterEach(() => vi.restoreAllMocks())

test('what is passed over is kept once the pace says so, and not a millisecond before', async () => {
  let now = 0
  const pauses = [9, 1, 5, 4, 1, 30, 10, 0]
  let go = () => {}
  const begun = new Promise<void>((resolve) => {
    go = resolve
  })
  const keeper = new Keeper()
  const engine = engineOf(
    pauses.map((_, index) => nothing(index + 1)),
    async (seq) => {
      await begun
      now += pauses[seq - 1] as number
    },
  )
  const clock: WebhookClock = { wall: () => now, wait: async () => {} }
  const webhook = await Webhook.begin(engine, CONFIGURATION, keeper, { clock, pace: PACE })
  go()
  while (webhook.standing.seq < pauses.length) await turn()
  expect(keeper.kept.map(({ seq }) => seq)).toEqual([0, 2, 5, 6, 7])
  await webhook.stop()
  expect(keeper.kept.at(-1)).toEqual({ seq: 8, firstFailedAt: null })
})

test('before every pause it has kept what it waits to tell, and when that failed first', async () => {
  let now = 1_000
  const keeper = new Keeper()
  const [statuses, pauses]: [number[], unknown[]] = [[204, 500, 503, 500, 204], []]
  answers = () => statuses.shift() ?? 204
  const clock: WebhookClock = {
    wall: () => now,
    wait: async (ms) => {
      pauses.push([ms, keeper.kept.at(-1)])
      now += ms
    },
  }
  const webhook = await Webhook.begin(engineOf([executed(1), executed(2)]), CONFIGURATION, keeper, {
    clock,
    pace: { ...PACE, keepEvery: 1_000_000 },
  })
  while (webhook.standing.seq < 2) await turn()
  const kept = { seq: 1, firstFailedAt: 1_000 }
  expect(pauses).toEqual([8, 16, 32].map((ms) => [ms, kept]))
  expect(webhook.standing).toMatchObject({
    delivered: 2,
    attempts: 0,
    firstFailedAt: null,
    nextAttemptAt: null,
  })
  await webhook.stop()
})

// A part tells 500 events.
test('each part of a commit is tried for as long, whatever became of those before it', async () => {
  let now = 0
  const attempts: number[] = []
  answers = () => {
    attempts.push(now)
    return 500
  }
  const clock: WebhookClock = {
    wall: () => now,
    wait: async (ms) => {
      now += ms
    },
  }
  const events = Array.from({ length: 501 }, () => ({ type: 'orderExecuted' }))
  const commit = { seq: 1, at: 0, events }
  const pace = { ...PACE, firstPause: 50, longestPause: 50, patience: 100 }
  const engine = engineOf([commit as unknown as Commit])
  const webhook = await Webhook.begin(engine, CONFIGURATION, new Keeper(), { clock, pace })
  while (webhook.standing.seq < 1) await turn()
  expect(attempts).toEqual([0, 50, 100, 100, 150, 200])
  expect(webhook.standing).toMatchObject({ givenUp: 2 })
  await webhook.stop()
})

test('what is given up is said to operators by its commit, why, and after how many hours', async () => {
  let now = 0
  const notices: string[] = []
  answers = () => 500
  const pace = { ...PACE, firstPause: 3_600_000, longestPause: 3_600_000, patience: 7_200_000 }
  const clock: WebhookClock = {
    wall: () => now,
    wait: async (ms) => {
      now += ms
    },
  }
  const terms = { clock, pace, onNotice: (notice: string) => notices.push(notice) }
  const webhook = await Webhook.begin(engineOf([executed(1), nothing(2)]), CONFIGURATION, new Keeper(), terms)
  while (webhook.standing.seq < 2) await turn()
  expect(notices).toEqual([
    'webhook http://receiver/hook: what commit 1 holds for it was given up after 2 hours: it answered 500',
  ])
  expect(webhook.standing).toMatchObject({ givenUp: 1, givenUpSeq: 1, delivered: 0, lastErrorAt: 7_200_000 })
  await webhook.stop()
})

test('a cursor that cannot be kept is said, and keeps nothing back', async () => {
  const keeper = new Keeper()
  keeper.write = async () => {
    throw new Error('no room')
  }
  const webhook = await Webhook.begin(engineOf([executed(1)]), CONFIGURATION, keeper, { pace: PACE })
  while (webhook.standing.seq < 1) await turn()
  expect(webhook.standing).toMatchObject({ delivered: 1, lastError: 'its cursor could not be kept: no room' })
  await webhook.stop()
})

test('one that has stopped reads no more of the log, and has kept its cursor', async () => {
  const order: string[] = []
  const keeper = new Keeper()
  const engine = engineOf(
    [nothing(1), nothing(2)],
    () => {},
    async () => {
      for (let turns = 0; turns < 5; turns++) await turn()
      order.push('the log is let go of')
    },
  )
  const webhook = await Webhook.begin(engine, CONFIGURATION, keeper, { pace: { ...PACE, keepEvery: 1e15 } })
  await webhook.stop()
  order.push('stopped')
  expect(order).toEqual(['the log is let go of', 'stopped'])
  expect(keeper.kept.at(-1)?.seq).toBe(2)
})

test('a store has kept a cursor once that is said, under the address of its receiver, and gives it to the next life', async () => {
  const shelves = new Map<string, SnapshotInPieces[]>()
  const store = {
    shelf: async (name: string) => {
      const saved = shelves.get(name) ?? []
      shelves.set(name, saved)
      return {
        async *snapshots() {
          for (const { pieces, ...kept } of saved.toReversed())
            yield { ...kept, bytes: Buffer.concat([...pieces]) }
        },
        async saveSnapshot(snapshot: SnapshotInPieces) {
          for (let turns = 0; turns < 5; turns++) await turn()
          saved.push(snapshot)
        },
      }
    },
  } as unknown as Store
  const told = engineOf([executed(1), executed(2), executed(3)])
  const first = await Webhooks.begin(told, store, [CONFIGURATION], { pace: PACE })
  while (first.standings[0]?.seq !== 3) await turn()
  await first.stop()
  expect([...shelves.keys()]).toEqual([expect.stringMatching(/^webhook-[0-9a-f]{16}$/)])
  expect([...shelves.values()][0]?.at(-1)?.seq).toBe(3)
  const again = await Webhooks.begin(engineOf([]), store, [{ ...CONFIGURATION, secret: 'another' }], {
    pace: PACE,
  })
  expect(again.standings).toMatchObject([{ seq: 3, firstFailedAt: null }])
  const other = { ...CONFIGURATION, url: 'http://another/hook' }
  const beside = await Webhooks.begin(engineOf([]), store, [other], { pace: PACE })
  expect(beside.standings).toMatchObject([{ seq: 0 }])
  await Promise.all([again.stop(), beside.stop()])
})
