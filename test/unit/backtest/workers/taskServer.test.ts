// A machine that does the tasks of others, before a queue that is told what it holds: what it asks of it, and how often.

import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { serveTasks } from '../../../../src/backtest/workers/taskServer.ts'

const { queue } = vi.hoisted(() => {
  const queue = {
    /** Batches that have something, and what fetching from each gives. */
    holds: new Map<string, (() => unknown[])[]>(),
    refused: null as string | null,
    asked: [] as string[],
    stopped: 0,
  }
  return { queue }
})

vi.mock('../../../../src/backtest/workers/taskQueue.ts', async (original) => ({
  ...(await original<object>()),
  openQueue: async () => ({
    fetch: async (name: string) => {
      queue.asked.push(`fetch ${name}`)
      return (queue.holds.get(name.split('.').at(-1) as string) ?? []).shift()?.() ?? []
    },
    getQueueSize: async () => 1,
    getQueue: async () => ({}),
    complete: async (name: string, ids: readonly string[]) =>
      void queue.asked.push(`complete ${name} ${ids}`),
    send: async (name: string) => void queue.asked.push(`send ${name}`),
    stop: async () => {
      queue.stopped += 1
    },
  }),
  tasksOf: (id: string) => `tasks.${id}`,
  resultsOf: (id: string) => `results.${id}`,
  batches: async () => {
    queue.asked.push('batches')
    return [...queue.holds.keys()]
  },
  studyOf: async () => ({ setup: { kind: 'nothing' } }),
  whyOther: async () => queue.refused,
  packed: (message: unknown) => message,
  unpacked: (message: unknown) => message,
}))
vi.mock('../../../../src/backtest/workers/pool.ts', () => ({
  WorkerPool: class {
    readonly threads = 2
    readonly run = async (tasks: readonly unknown[]) => tasks.map((task) => `did ${task}`)
    readonly close = async () => void queue.asked.push('close')
  },
}))

/** Serves for so long; what was asked of the queue, and what was told. */
async function served(ms: number): Promise<{ asked: string[]; notices: string[] }> {
  Object.assign(queue, { asked: [], stopped: 0 })
  const [stop, notices] = [new AbortController(), [] as string[]]
  const onNotice = (notice: string) => void notices.push(notice)
  const serving = serveTasks({
    postgres: 'postgres://here',
    name: 'w',
    workers: 2,
    signal: stop.signal,
    onNotice,
  })
  await setTimeout(ms)
  stop.abort()
  await serving
  expect(queue.stopped).toBe(1)
  return { asked: queue.asked, notices }
}

const job = (id: string, tasks: readonly number[]) => ({ id, data: { index: 0, tasks } })

test('a batch that has nothing to do for now is looked at twice a second, and is not said to have been worked on', async () => {
  queue.holds = new Map([['one', []]])
  const { asked, notices } = await served(1_300)
  expect(asked.filter((what) => what === 'batches').length).toBeLessThanOrEqual(3)
  expect(asked.filter((what) => /complete|send/.test(what))).toEqual([])
  expect(notices.slice(0, 2)).toEqual(['waiting for tasks', 'takes part in one: nothing'])
  expect(notices.filter((notice) => /^did/.test(notice) && !/^did 0 tasks/.test(notice))).toEqual([])
})

test('what there is is done at once, answered before it is taken off the queue, and counted', async () => {
  queue.holds = new Map([['one', [() => [job('j1', [1, 2]), job('j2', [3])], () => [job('j3', [4])]]]])
  const { asked, notices } = await served(300)
  expect(asked.slice(0, 9)).toEqual([
    ...['batches', 'fetch tasks.one', 'send results.one', 'send results.one', 'complete tasks.one j1,j2'],
    ...['batches', 'fetch tasks.one', 'send results.one', 'complete tasks.one j3'],
  ])
  expect(notices).toEqual(['waiting for tasks', 'takes part in one: nothing', 'did 4 tasks of one'])
})

test('a batch that is not to be done here is said once, answered once, and not asked again', async () => {
  Object.assign(queue, { holds: new Map([['one', [() => [job('j1', [1])]]]]), refused: 'another version' })
  const { asked, notices } = await served(1_200)
  queue.refused = null
  expect(asked.filter((what) => what !== 'batches')).toEqual(['send results.one'])
  expect(notices).toEqual(['waiting for tasks', 'takes no part in one: another version'])
})
