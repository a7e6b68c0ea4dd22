// What figures of the processor are read with: the time of the loop's own thread, which a wait does not add to.

import { expect, test } from 'vitest'
import { loopTime } from '../../../bench/attack/loopTime.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test.skipIf(process.platform !== 'linux')('it is what the thread worked, in milliseconds', async () => {
  const [before, used] = [loopTime(process.pid), process.cpuUsage()]
  while (process.cpuUsage(used).user < 100_000);
  const worked = loopTime(process.pid) - before
  const { user, system } = process.cpuUsage(used)
  expect(worked).toBeGreaterThan(50)
  expect(worked).toBeLessThan((user + system) / 1_000 + 20)
  const rested = loopTime(process.pid)
  await sleep(300)
  expect(loopTime(process.pid) - rested).toBeLessThan(150)
})
