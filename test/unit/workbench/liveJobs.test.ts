// A live run waits for nothing and gives way to nothing; it is asked to end once, ends by itself, and its key is in no other process.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { type Job, Jobs } from '../../../src/workbench/jobs.ts'
import type { LiveStanding } from '../../../src/workbench/liveStanding.ts'
import { EMPTY_FORM, type RunForm } from '../../../src/workbench/runForm.ts'

const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'margin-core-live-jobs-')))
afterAll(() => rmSync(home, { recursive: true }))

const STANDING: LiveStanding = {
  ...{ at: 1, accountId: 'a', status: 'active', phase: null, equity: '1', balance: '1', free: '1' },
  ...{
    dailyLossLeft: null,
    totalLossLeft: null,
    markets: [],
    open: 0,
    positions: [],
    resting: 0,
    orders: [],
  },
  ...{ fills: [], incidents: [], lostAt: null },
}

/** Takes the place of the program; the last word says what it does. */
const PROGRAM = `
import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
const does = process.argv.at(-1)
const group = () => execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)], { encoding: 'utf8' }).trim()
let asked = 0
if (does === 'ends') process.on('SIGINT', () => { asked++; console.log('asked ' + asked); setTimeout(() => { console.log('ended'); process.exit(0) }, 300) })
if (does === 'fails') process.on('SIGINT', () => { console.error('error: it cannot be reached'); process.exit(2) })
if (does === 'deaf') process.on('SIGINT', () => console.log('closing'))
if (does === 'slow') process.once('SIGINT', () => console.log('closing'))
console.log(JSON.stringify({ key: process.env.MARGIN_CORE_KEY ?? null, priority: getPriority(), ownGroup: group() === String(process.pid) }))
if (does === 'tells') {
  process.send({ standing: { equity: 1 } })
  process.send({ standing: ${JSON.stringify(STANDING)} })
  console.log('with mtk_abc-DEF_123, and "mtk_x".')
}
if (does !== 'tells') setInterval(() => {}, 1000)
else process.disconnect()
`
const program = path.join(home, 'program.mjs')
writeFileSync(program, PROGRAM)

const open: Jobs[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const jobs of open.splice(0)) {
    for (const { id } of jobs.live) jobs.cancel(id)
    await jobs.close()
  }
})

function fresh(atOnce = 1): Jobs {
  const jobs = new Jobs({ file: process.execPath, words: [program] }, home, atOnce)
  open.push(jobs)
  return jobs
}

const doing = (out: string): RunForm => ({ ...EMPTY_FORM, kind: 'live', out })

async function until(jobs: Jobs, id: number, is: (job: Job) => boolean): Promise<Job> {
  const find = () => jobs.all.find((job) => job.id === id) as Job
  await vi.waitFor(() => expect(is(find())).toBe(true), { timeout: 30_000, interval: 5 })
  return find()
}
const hasSaid = (word: string) => (job: Job) => job.output.some((line) => line.includes(word))

test('it does not wait behind research, nor research behind it, and has the priority of the page and a group of its own', async () => {
  vi.stubEnv('MARGIN_CORE_KEY', 'mtk_of_the_environment')
  const jobs = fresh(1)
  const first = jobs.add({ ...EMPTY_FORM, out: 'waits' }).id
  const waiting = jobs.add({ ...EMPTY_FORM, out: 'waits' }).id
  const lives = [jobs.add(doing('waits')).id, jobs.add(doing('waits')).id]
  for (const id of lives) {
    const { output } = await until(jobs, id, hasSaid('priority'))
    // The key is there, and not in what is told of what was printed.
    expect(JSON.parse(output[0] as string)).toEqual({ key: 'mtk_…', priority: getPriority(), ownGroup: true })
  }
  expect(jobs.all.find(({ id }) => id === waiting)?.state).toBe('waiting')
  expect(jobs.live.map(({ id }) => id)).toEqual(lives)
  const { output } = await until(jobs, first, hasSaid('priority'))
  expect(JSON.parse(output[0] as string)).toMatchObject({ key: null, ownGroup: false })
  jobs.cancel(first)
  await until(jobs, waiting, hasSaid('priority'))
})

test('twenty go on beside each other, and one more is refused until one has ended', async () => {
  const jobs = fresh(1)
  const lives = Array.from({ length: 20 }, () => jobs.add(doing('waits')).id)
  expect(() => jobs.add(doing('waits'))).toThrow('20 live runs go on already')
  jobs.add({ ...EMPTY_FORM, out: 'waits' })
  const [first = 0] = lives
  jobs.cancel(first)
  jobs.cancel(first)
  await until(jobs, first, ({ endedAt }) => endedAt !== null)
  expect(jobs.live).toHaveLength(19)
  jobs.add(doing('waits'))
  for (const { id } of jobs.live) for (let time = 0; time < 2; time++) jobs.cancel(id)
})

test('asked to end, it ends by itself, however long that takes, and is done', async () => {
  const jobs = fresh()
  const { id } = jobs.add(doing('slow'))
  await until(jobs, id, hasSaid('priority'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    expect(jobs.cancel(id)).toBe(true)
    vi.advanceTimersByTime(600_000)
  } finally {
    vi.useRealTimers()
  }
  const closing = await until(jobs, id, hasSaid('closing'))
  expect(closing).toMatchObject({ state: 'cancelled', endedAt: null })
  // Once more ends it at once.
  expect(jobs.cancel(id)).toBe(true)
  expect(await until(jobs, id, ({ endedAt }) => endedAt !== null)).toMatchObject({
    state: 'cancelled',
    faults: [],
  })
  expect(jobs.cancel(id)).toBe(false)

  const other = jobs.add(doing('ends')).id
  await until(jobs, other, hasSaid('priority'))
  jobs.cancel(other)
  const ended = await until(jobs, other, ({ endedAt }) => endedAt !== null)
  expect(ended.state).toBe('done')
  expect(ended.output.slice(1)).toEqual(['asked 1', 'ended'])
})

test('one that does not even end at once is ended all the same', async () => {
  const jobs = fresh()
  const { id } = jobs.add(doing('deaf'))
  await until(jobs, id, hasSaid('priority'))
  jobs.cancel(id)
  await until(jobs, id, hasSaid('closing'))
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    jobs.cancel(id)
    vi.advanceTimersByTime(10_000)
  } finally {
    vi.useRealTimers()
  }
  await until(jobs, id, ({ state, endedAt }) => state === 'cancelled' && endedAt !== null)
})

test('one that could not end as it was asked to has failed, and says why', async () => {
  const jobs = fresh()
  const { id } = jobs.add(doing('fails'))
  await until(jobs, id, hasSaid('priority'))
  jobs.cancel(id)
  const { state, faults } = await until(jobs, id, ({ endedAt }) => endedAt !== null)
  expect([state, faults]).toEqual(['failed', [{ field: null, message: 'it cannot be reached' }]])
})

test.each([false, true])(
  'with the workbench it ends by itself, asked once (by then ending: %s)',
  async (isEnding) => {
    const jobs = fresh()
    const { id } = jobs.add(doing('ends'))
    await until(jobs, id, hasSaid('priority'))
    if (isEnding) {
      jobs.cancel(id)
      await until(jobs, id, hasSaid('asked 1'))
    }
    await jobs.close()
    const [{ state, output }] = jobs.all as [Job]
    expect([state, output.slice(1)]).toEqual(['done', ['asked 1', 'ended']])
  },
)

test('it tells how it stands, and what is no such thing is not taken for it; no key is among what it printed', async () => {
  const jobs = fresh()
  const { id } = jobs.add(doing('tells'))
  const { standing, output } = await until(jobs, id, ({ endedAt }) => endedAt !== null)
  expect(standing).toEqual(STANDING)
  expect(output.at(-1)).toBe('with mtk_…, and "mtk_…".')
})

test('a hundred that wait keep no live run from being begun', async () => {
  const jobs = fresh(1)
  for (let at = 0; at <= 100; at++) jobs.add({ ...EMPTY_FORM, out: 'waits' })
  const { id } = jobs.add(doing('tells'))
  await until(jobs, id, ({ state }) => state === 'done')
  for (const job of jobs.all) if (job.state === 'waiting') jobs.cancel(job.id)
})

test('the command that is told has no key in it', () => {
  const command = fresh().add({
    ...doing('ends'),
    options: { live: 'http://127.0.0.1:1', 'key-file': 'venue.key' },
  }).command
  expect(command).toBe(
    'npx margin-core backtest --strategy ema-cross --live http://127.0.0.1:1 --key-file venue.key --journal ends',
  )
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('mtk_of_the_environment')
})
