// Work that several machines share comes to the bytes of one: whatever is killed, and whoever has other files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { entrySignificance } from '../../src/backtest/entries/entrySignificance.ts'
import { evaluate } from '../../src/backtest/evaluate/evaluate.ts'
import type { RunPlan } from '../../src/backtest/plan/plan.ts'
import { runSearch } from '../../src/backtest/search/search.ts'
import { parseDimension } from '../../src/backtest/search/space.ts'
import { runSweep } from '../../src/backtest/sweep/sweep.ts'
import type { WorkOptions } from '../../src/backtest/workers/taskPool.ts'
import { IS_BRIEF } from '../atLength.ts'
import { bundleWithThreads } from '../bundle.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`work of several machines is not tested: ${whyNoServer}`)

const root = path.resolve(import.meta.dirname, '../..')

/** Buys on its first bar; one spelling of it fails when it is asked to. */
const STRATEGY = `
export const parameters = { margin: '5%', fails: 'no' }
export default ({ asset, margin, fails }) => {
  let bars = 0
  return {
    name: 'buys once',
    async onBar(bar, context) {
      if (fails === 'yes') throw new Error('asked to fail')
      if (bars++ === 0) await context.open({ asset, direction: 'long', sizeBy: { margin }, leverage: '5' })
    },
  }
}
`

const plan: RunPlan = {
  markets: [{ asset: 'BTC', days: 2 }],
  strategy: 'ema-cross',
  parameters: { fast: 10, slow: 30, margin: '5%' },
}
const vary = { fast: [5, 10, 15, 20, 25], slow: [40, 60, 80] }

describe.skipIf(whyNoServer !== null)('work that several machines share', () => {
  let server: PostgresServer
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-worker-'))
  const program = bundleWithThreads(folder)
  const running = new Set<Machine>()

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterEach(async () => {
    for (const machine of running) await machine.end('SIGKILL')
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  /** A worker that waits for tasks, in a folder of its own. */
  class Machine {
    readonly #process: ChildProcess
    told = ''

    constructor(name: string, cwd: string) {
      const args = [program, 'worker', '--name', name]
      this.#process = spawn(process.execPath, [...args, '--workers', '1'], {
        cwd,
        env: { ...process.env, DATABASE_URL: server.url },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      this.#process.stderr?.on('data', (text) => {
        this.told += text
      })
      running.add(this)
    }

    async tells(text: string): Promise<this> {
      await expect.poll(() => this.told, { timeout: 30_000 }).toContain(text)
      return this
    }

    async end(signal: NodeJS.Signals): Promise<number | null> {
      running.delete(this)
      if (this.#process.exitCode !== null) return this.#process.exitCode
      const ended = once(this.#process, 'exit')
      this.#process.kill(signal)
      return (await ended)[0]
    }
  }

  const shared = (notices: string[] = []): WorkOptions => ({
    workers: 1,
    postgres: server.url,
    onNotice: (notice) => notices.push(notice),
  })

  const leftInQueue = () =>
    server.query(
      "SELECT name FROM margin_core_tasks.queue WHERE name <> 'studies' UNION ALL SELECT name FROM margin_core_tasks.job",
    )

  // Each has a test of its own, and its time: on a busy machine all of them one after the other took longer than a test may.
  test('a sweep is that of one machine, though a worker is killed', async () => {
    const dies = await new Machine('dies', root).tells('waiting')
    const killed = dies.tells('takes part').then(() => dies.end('SIGKILL'))
    const told: string[] = []
    const swept = await runSweep({
      plan,
      vary,
      ...shared(),
      onProgress: ({ done, total }) => told.push(`${done}/${total}`),
    })
    await killed
    expect(JSON.stringify(swept)).toBe(JSON.stringify(await runSweep({ plan, vary, workers: 1 })))
    expect(told).toEqual(Array.from({ length: 16 }, (_, done) => `${done}/15`))
    expect(await leftInQueue()).toEqual([])
  })

  test.skipIf(IS_BRIEF)('an evaluation is that of one machine, though a worker is killed', async () => {
    const dies = await new Machine('dies as well', root).tells('waiting')
    const killed = dies.tells('takes part').then(() => dies.end('SIGKILL'))
    let isKilled = false
    void killed.finally(() => {
      isKilled = true
    })
    // It asks for tasks now and then: until it has had its part of one, there is another.
    for (let round = 0; !isKilled; round++) {
      const paths = { plan, paths: 40, days: 2, meanBlock: 60, seed: `s${round}` }
      const evaluated = await evaluate({ ...paths, ...shared() })
      expect(JSON.stringify(evaluated)).toBe(JSON.stringify(await evaluate({ ...paths, workers: 1 })))
    }
    await killed
    expect(await leftInQueue()).toEqual([])
  })

  test.skipIf(IS_BRIEF).each(['cma-es', 'nsga-ii'] as const)(
    'a search by %s and an objective of its own is that of one machine, though a worker is killed',
    async (method) => {
      const file = path.join(folder, 'objective.mjs')
      writeFileSync(
        file,
        'export default ({ days, startBalance }) => days.at(-1).equity / startBalance - 1\n',
      )
      const space = [parseDimension('fast', '5:30'), parseDimension('slow', '40:90')]
      const by = ['objective', 'maxDrawdown'] as const
      const search = { plan: { ...plan, objective: file }, space, sets: 40, by, method }
      const [lives, dies] = [new Machine('stays', root), new Machine(`dies in ${method}`, root)]
      await Promise.all([lives.tells('waiting'), dies.tells('waiting')])
      let killed: Promise<number | null> | null = null
      const watched = setInterval(() => {
        if (dies.told.includes('takes part')) killed ??= dies.end('SIGKILL')
      }, 10)
      const found = await runSearch({ ...search, ...shared() })
      clearInterval(watched)
      await (killed ?? dies.end('SIGKILL'))
      expect(JSON.stringify(found)).toBe(JSON.stringify(await runSearch({ ...search, workers: 1 })))
      expect(await lives.end('SIGTERM')).toBe(0)
      expect(await leftInQueue()).toEqual([])
    },
  )

  test.skipIf(IS_BRIEF)(
    'tested entries are those of one machine, and a worker that lives does some of them',
    async () => {
      const entries = { plan, holds: [30, 90], draws: 79 }
      const lives = await new Machine('lives', root).tells('waiting')
      const tested = await entrySignificance({ ...entries, ...shared() })
      expect(JSON.stringify(tested)).toBe(JSON.stringify(await entrySignificance({ ...entries, workers: 1 })))
      expect(await lives.end('SIGTERM')).toBe(0)
      expect(lives.told).toMatch(/did [1-9]\d* tasks/)
      expect(await leftInQueue()).toEqual([])
    },
  )

  test.skipIf(IS_BRIEF)(
    'a worker with another file takes no part and says which; what fails anywhere fails as it does here',
    async () => {
      const folders = ['here', 'same', 'other'].map((name) => path.join(folder, name))
      for (const place of folders) {
        mkdirSync(place)
        writeFileSync(path.join(place, 'strategy.mjs'), STRATEGY)
      }
      const [here, same, other] = folders as [string, string, string]
      writeFileSync(path.join(other, 'strategy.mjs'), `${STRATEGY}// as of yesterday\n`)
      const began = process.cwd()
      process.chdir(here)
      try {
        const machines = [new Machine('same', same), new Machine('other', other)]
        await Promise.all(machines.map((machine) => machine.tells('waiting')))
        const own: RunPlan = { markets: [{ asset: 'BTC', days: 20 }], strategy: 'strategy.mjs' }
        const notices: string[] = []
        const margins = Array.from({ length: 24 }, (_, at) => `${at + 1}%`)
        const swept = await runSweep({ plan: own, vary: { margin: margins }, ...shared(notices) })
        expect(swept).toEqual(await runSweep({ plan: own, vary: { margin: margins }, workers: 1 }))
        expect(notices).toEqual(['worker other takes no part: strategy.mjs (strategy) is another file there'])
        expect(machines[0]?.told).toContain('takes part')
        const failing = { plan: own, vary: { fails: ['no', 'yes'] } }
        const alone = await runSweep({ ...failing, workers: 1 }).catch((error: Error) => error)
        await expect(runSweep({ ...failing, ...shared() })).rejects.toThrow((alone as Error).message)
        expect(await leftInQueue()).toEqual([])
      } finally {
        process.chdir(began)
      }
    },
  )

  test.skipIf(IS_BRIEF)('a database that is lost costs the help of others and nothing else', async () => {
    const machine = await new Machine('helps', root).tells('waiting')
    const notices: string[] = []
    let killed: Promise<void> | null = null
    const swept = await runSweep({
      plan,
      vary,
      ...shared(notices),
      onProgress: ({ done }) => {
        if (done > 1) killed ??= server.kill()
      },
    })
    await killed
    expect(swept).toEqual(await runSweep({ plan, vary, workers: 1 }))
    expect(notices.filter((notice) => notice.endsWith('what is missing is done here'))).toHaveLength(1)
    await machine.tells('not done')
    await server.run()
    await machine.end('SIGTERM')
  })

  test('a database that is not there is said to be so, before any work', async () => {
    const nowhere = { plan, vary, workers: 1, postgres: 'postgres://nobody:secret@127.0.0.1:1/none' }
    const error = (await runSweep(nowhere).catch((reason: Error) => reason)) as Error
    expect(error.message).toMatch(/ECONNREFUSED/)
    expect(error.message).not.toContain('secret')
  })
})
