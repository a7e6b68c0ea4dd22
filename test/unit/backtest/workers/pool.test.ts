// Runs on several threads: one that ends by itself ends the work, and nobody waits for what it had taken.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runSweep } from '../../../../src/backtest/sweep/sweep.ts'
import { scratchFile } from '../feed/sampleMarket.ts'

test('a thread that ends in the middle of a run is told with its code', async () => {
  const ended = `${scratchFile('pool.txt', '')}.ended`
  // Of two runs this thread has one, and waits in it until the other thread, which has the other, has ended.
  const strategy = scratchFile(
    'ends.mjs',
    `import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'

export default () => ({
  name: 'ends',
  async onBar() {
    if (process.env.ENDED_BY === String(threadId)) while (!existsSync(${JSON.stringify(ended)})) await setTimeout(5)
    else {
      writeFileSync(${JSON.stringify(ended)}, '')
      process.exit(3)
    }
  },
})`,
  )
  const { threadId } = await import('node:worker_threads')
  process.env.ENDED_BY = String(threadId)
  try {
    const plan = { strategy, markets: [{ asset: 'BTC', days: 1 }] }
    await expect(runSweep({ plan, vary: { nothing: [1, 2] }, workers: 2 })).rejects.toThrow(
      'a worker ended with code 3',
    )
    expect(existsSync(ended)).toBe(true)
  } finally {
    delete process.env.ENDED_BY
  }
})
