// A saved run, a study, a plan or a data directory of a stranger names files. One that is a pipe would be waited for, and a device read,
// for ever: whoever opens a file that others may have named refuses both.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSavedRun } from '../../../src/backtest/compare/savedRun.ts'
import { openCachedFeed } from '../../../src/backtest/feed/cache/cachedFeed.ts'
import { readFunding } from '../../../src/backtest/feed/funding.ts'
import { openFeed } from '../../../src/backtest/feed/openFeed.ts'
import { JournalFile } from '../../../src/backtest/live/journalFile.ts'
import { readJournal } from '../../../src/backtest/live/readJournal.ts'
import { inputFilesOf } from '../../../src/backtest/plan/inputFiles.ts'
import { wholePlan } from '../../../src/backtest/plan/readPlan.ts'
import { readSavedReport } from '../../../src/backtest/report/savedReport.ts'
import { Study } from '../../../src/backtest/search/study.ts'
import { loadStrategy } from '../../../src/backtest/strategies/load.ts'
import { ResultFile } from '../../../src/backtest/sweep/resultFile.ts'
import { mustBeRegular, mustBeRegularNow } from '../../../src/files/regularFile.ts'
import { readRecording } from '../../../src/host/feed/replay.ts'
import { createEngine, openEngine } from '../../../src/index.ts'
import { openLmdbStore } from '../../../src/store/lmdb/index.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'margin-core-regular-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A pipe that nobody writes to. */
function pipe(...names: readonly string[]): string {
  const place = path.join(folder, ...names)
  mkdirSync(path.dirname(place), { recursive: true })
  execFileSync('mkfifo', [place])
  return place
}

const PLAN = { markets: [{ asset: 'BTC', data: 'bars.csv' }], strategy: 'ema-cross' }

describe.skipIf(process.platform === 'win32')('what is no regular file', () => {
  test('is told by its kind; files, directories and what is not there pass', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    for (const fine of [file, folder, path.join(folder, 'nothing'), path.join(file, 'within')]) {
      await mustBeRegular(fine)
      mustBeRegularNow(fine)
    }
    const socket = path.join(folder, 'socket')
    const server = createServer().listen(socket)
    await new Promise((resolve) => server.once('listening', resolve))
    for (const [other, kind] of [
      [pipe('pipe'), 'a pipe'],
      ['/dev/zero', 'a device'],
      [socket, 'a socket'],
    ] as const) {
      await expect(mustBeRegular(other)).rejects.toThrow(`${other} is ${kind}, not a file`)
      expect(() => mustBeRegularNow(other)).toThrow(`${other} is ${kind}, not a file`)
    }
    await new Promise((resolve) => server.close(resolve))
  })

  const places: Record<string, () => unknown> = {
    'market data': () => openFeed({ path: pipe('data', 'bars.csv') }),
    'market data that never ends': () => openFeed({ path: '/dev/zero' }),
    'market data in columns': () => openCachedFeed({ path: pipe('cached', 'bars.csv') }, folder),
    'the journal of a live run': () => readJournal(pipe('live.jsonl')).next(),
    'a journal to be gone on with': () =>
      new JournalFile(pipe('on.jsonl'), () => {
        throw new Error('nothing is written')
      }),
    'rates of funding': () => readFunding({ path: pipe('funding.csv') }),
    'a file to be hashed': () =>
      inputFilesOf(wholePlan({ ...PLAN, markets: [{ asset: 'BTC', data: pipe('hashed.csv') }] }, 'plan')),
    'a device to be hashed': () =>
      inputFilesOf(wholePlan({ ...PLAN, markets: [{ asset: 'BTC', data: '/dev/zero' }] }, 'plan')),
    'a strategy to be hashed': () =>
      inputFilesOf(wholePlan({ ...PLAN, markets: [{ asset: 'BTC' }], strategy: pipe('one.ts') }, 'plan')),
    'a strategy': () => loadStrategy(pipe('other.mjs')),
    'a saved run': () => readSavedReport(path.dirname(pipe('saved', 'result.json'))),
    'a saved run to compare': () => readSavedRun(path.dirname(pipe('compared', 'result.json'))),
    'the runs of a sweep': () => new ResultFile(pipe('runs.jsonl')),
    'a study': () => {
      const study = path.dirname(pipe('study', 'study.json'))
      const plan = wholePlan({ ...PLAN, markets: [{ asset: 'BTC' }] }, 'plan')
      return Study.open({ plan, definition: {}, folder: study })
    },
    'recorded prices': () =>
      readRecording({ kind: 'replay', marketId: 'BTC', file: pipe('prices.csv'), speed: 1 }, createEngine()),
  }

  test.each(Object.keys(places))('is refused as %s', async (place) => {
    await expect(async () => places[place]?.()).rejects.toThrow(/ is a (pipe|device), not a file/)
  })

  test('in a folder of data is left out, by the reading as by the hashing', async () => {
    const data = path.dirname(pipe('folder', 'a.csv'))
    const bars = path.join(data, 'b.csv')
    writeFileSync(bars, 'time,open,high,low,close,volume\n1767225600000,1,1,1,1,1\n1767225660000,1,1,1,1,1\n')
    expect((await openFeed({ path: data })).sources).toEqual([bars])
    const files = await inputFilesOf(wholePlan({ ...PLAN, markets: [{ asset: 'BTC', data }] }, 'plan'))
    expect(files.map((file) => file.path)).toEqual([bars])
  })

  test.each([
    ['the mark', 'durable'],
    ['a file of the log', 'log/0000000000000001.log'],
    ['a snapshot', 'snapshots/0000000000000001.snapshot'],
  ])('is refused in a data directory as %s', async (_, name) => {
    const directory = path.join(folder, name.replaceAll('/', '-'))
    const open = async () => openEngine({ store: await openLmdbStore(directory) })
    await (await open()).close()
    rmSync(path.join(directory, name))
    pipe(path.basename(directory), ...name.split('/'))
    await expect(open()).rejects.toThrow(/ is a pipe, not a file/)
  })

  test('in the place of the lists: they are built again', async () => {
    const directory = path.join(folder, 'lists')
    pipe('lists', 'history', 'data.mdb')
    const engine = await openEngine({ store: await openLmdbStore(directory) })
    expect(engine.recovery?.rebuilt).toBe('in the place of their file is a folder, a pipe or a device')
    await engine.close()
  })
})
