// Runs wait for their turn, tell how far they are, can be ended, and end with the workbench.

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { constants, getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type Job, Jobs, QueueFull } from '../../../src/workbench/jobs.ts'
import { EMPTY_FORM, type RunForm } from '../../../src/workbench/runForm.ts'

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'margin-core-jobs-')))
afterAll(() => rmSync(home, { recursive: true }))

/** Takes the place of the program; `--out` says what it does. */
const PROGRAM = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
const out = process.argv.at(-1)
process.send({ done: 1, total: 4, unit: 'runs', detail: '' })
process.send({ done: 'x' })
if (out === 'waits') { console.log('waiting'); setInterval(() => {}, 1000) }
if (out === 'deaf') { process.on('SIGINT', () => {}); console.log('deaf'); setInterval(() => {}, 1000) }
if (out === 'priority') console.log(getPriority())
if (out === 'fails') { console.log('begun'); console.error('error: --days is zero'); process.exitCode = 2 }
if (out === 'finds') { mkdirSync(out); writeFileSync(out + '/report.html', ''); process.exitCode = 1 }
if (out === 'breaks') process.exitCode = 1
if (out === 'tells') { console.log(process.cwd()); for (let at = 0; at < 300; at++) console.log('line ' + at) }
process.disconnect()
`
const program = path.join(home, 'program.mjs')
writeFileSync(program, PROGRAM)

const open: Jobs[] = []
afterEach(async () => {
  for (const jobs of open.splice(0)) await jobs.close()
})

function fresh(atOnce = 2): Jobs {
  const jobs = new Jobs({ file: process.execPath, words: [program] }, home, atOnce)
  open.push(jobs)
  return jobs
}

const saying = (out: string): RunForm => ({ ...EMPTY_FORM, out })

async function until(jobs: Jobs, id: number, is: (job: Job) => boolean): Promise<Job> {
  const find = () => jobs.all.find((job) => job.id === id) as Job
  await vi.waitFor(() => expect(is(find())).toBe(true), { timeout: 30_000, interval: 5 })
  return find()
}

test('a run has a lower priority than the page that it was started from', async () => {
  const jobs = fresh()
  const { id } = jobs.add(saying('priority'))
  const { output } = await until(jobs, id, ({ state }) => state === 'done')
  expect(Number(output.at(-1))).toBe(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
})

test('a run is told from its begin to its end, in the folder, with the last of what it printed', async () => {
  const jobs = fresh()
  const states: string[] = []
  const unfollow = jobs.follow(({ state }) => states.push(state))
  const { id, command } = jobs.add(saying('tells'))
  const { output, faults, progress } = await until(jobs, id, ({ state }) => state === 'done')
  unfollow()
  expect([...new Set(states)]).toEqual(['waiting', 'running', 'done'])
  expect(command).toBe('npx margin-core backtest --strategy ema-cross --out tells')
  expect(output).toHaveLength(200)
  expect(output.at(-1)).toBe('line 299')
  expect(faults).toEqual([])
  expect(progress).toEqual({ done: 1, total: 4, unit: 'runs', detail: '' })
})

test('a look-ahead that finds something has not failed: its page is there', async () => {
  const jobs = fresh()
  const stateOf = async (form: RunForm) => {
    const { id } = jobs.add(form)
    return (await until(jobs, id, ({ endedAt }) => endedAt !== null)).state
  }
  expect(await stateOf({ ...saying('breaks'), kind: 'look-ahead' })).toBe('failed')
  expect(await stateOf({ ...saying('finds'), kind: 'look-ahead' })).toBe('found')
  rmSync(path.join(home, 'finds'), { recursive: true })
  expect(await stateOf(saying('finds'))).toBe('failed')
})

test('a mistake is told at its field', async () => {
  const jobs = fresh()
  const { id } = jobs.add(saying('fails'))
  const { faults, output } = await until(jobs, id, ({ state }) => state === 'failed')
  expect(faults).toEqual([{ field: 'options.days', message: '--days is zero' }])
  expect(output).toEqual(expect.arrayContaining(['begun', 'error: --days is zero']))
})

test('so many at once; those that wait begin as others end, and one that is cancelled never does', async () => {
  const jobs = fresh(1)
  const [first, second, third] = ['waits', 'waits', 'tells'].map((out) => jobs.add(saying(out)).id) as [
    number,
    number,
    number,
  ]
  await until(jobs, first, ({ output }) => output.includes('waiting'))
  expect(jobs.all.map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting'])
  expect(jobs.cancel(second)).toBe(true)
  expect(jobs.cancel(first)).toBe(true)
  await until(jobs, third, ({ state }) => state === 'done')
  expect(jobs.all.map(({ state, startedAt }) => [state, startedAt !== null])).toEqual([
    ['cancelled', true],
    ['cancelled', false],
    ['done', true],
  ])
  expect(jobs.cancel(first)).toBe(false)
  expect(jobs.cancel(77)).toBe(false)
})

test('a hundred wait and no more', () => {
  const jobs = fresh(1)
  for (let at = 0; at <= 100; at++) jobs.add(saying('waits'))
  expect(() => jobs.add(saying('waits'))).toThrow(QueueFull)
  for (const { id } of jobs.all) jobs.cancel(id)
})

test('nothing goes on when it is closed, nor begins', async () => {
  const jobs = fresh(1)
  const { id } = jobs.add(saying('waits'))
  jobs.add(saying('tells'))
  await until(jobs, id, ({ output }) => output.includes('waiting'))
  await jobs.close()
  expect(jobs.all.map(({ state, endedAt }) => [state, endedAt !== null])).toEqual([
    ['cancelled', true],
    ['cancelled', true],
  ])
})

test('one that does not listen is ended all the same', async () => {
  const jobs = fresh()
  const { id } = jobs.add(saying('deaf'))
  await until(jobs, id, ({ output }) => output.includes('deaf'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    jobs.cancel(id)
    vi.advanceTimersByTime(10_000)
  } finally {
    vi.useRealTimers()
  }
  await until(jobs, id, ({ endedAt }) => endedAt !== null)
})
