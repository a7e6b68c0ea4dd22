// Work that nobody waits for: what it throws stops the engine, and an engine that has stopped does none.
import { expect, test } from 'vitest'
import { unattended } from '../../../src/host/unattended.ts'
import { createEngine } from '../../../src/index.ts'

test('what it throws stops the engine, which then does no more of it', () => {
  const engine = createEngine()
  let done = 0
  const error = new Error('broken')
  const work = unattended(engine, () => {
    done += 1
    if (done === 2) throw error
  })
  work()
  expect(engine.failure).toBeNull()
  work()
  expect(engine.failure).toBe(error)
  work()
  expect(done).toBe(2)
})
