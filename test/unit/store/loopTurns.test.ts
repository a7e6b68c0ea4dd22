// Long work gives way: whoever waits gets a turn about every ten milliseconds (K15).

import { expect, test } from 'vitest'
import { LoopPace } from '../../../src/store/lmdb/loopTurns.ts'

/** Keeps the processor busy until the turn is over. */
function useUp(pace: LoopPace): void {
  while (!pace.over);
}

test('a step at the end of a turn lets others have theirs, and begins a new one', async () => {
  const pace = new LoopPace()
  useUp(pace)
  let others = 0
  setImmediate(() => (others += 1))
  await pace.step()
  expect(others).toBe(1)
  expect(pace.over).toBe(false)
})

test('a step within a turn costs nobody anything', async () => {
  const pace = new LoopPace()
  let others = 0
  setImmediate(() => (others += 1))
  await pace.step()
  expect(others).toBe(0)
})
