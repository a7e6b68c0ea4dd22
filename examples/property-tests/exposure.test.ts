/**
 * Laws of the reducer under random trading. `aProgram` draws what traders and the venue want, `drive` has it done by an engine
 * and checks the laws of the engine on the way; what fails is shrunk to the few commands that matter.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Commit, createEngine } from 'margin-core'
import { aProgram, drive, venue } from 'margin-core/testing'
import { type Exposure, exposureAfter } from './exposure.ts'

const NONE: Exposure = new Map()

/** An engine after a program, and everything that happened. */
async function traded(program: Parameters<typeof drive>[2]) {
  const engine = createEngine(venue('exposure'))
  const history: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) history.push(commit)
  const { commits } = drive(engine, history, program)
  return { engine, events: commits.flatMap(({ events }) => events) }
}

test('what the events add up to is what is open', async () => {
  const law = fc.asyncProperty(aProgram(20, 60), async (program) => {
    const { engine, events } = await traded(program)
    const open = new Map<string, bigint>()
    for (const { accountId } of engine.read.accounts())
      for (const { marketId, direction, size } of engine.read.activePositions(accountId)) {
        const key = `${marketId} ${direction}`
        open.set(key, (open.get(key) ?? 0n) + size)
      }
    const folded = [...events.reduce(exposureAfter, NONE)].filter(([, size]) => size !== 0n)
    assert.deepEqual(new Map(folded), open)
  })
  await fc.assert(law, { numRuns: 10 })
})

test('nobody ever holds less than nothing', async () => {
  const law = fc.asyncProperty(aProgram(20, 60), async (program) => {
    let exposure = NONE
    for (const event of (await traded(program)).events) {
      exposure = exposureAfter(exposure, event)
      assert.ok([...exposure.values()].every((size) => size >= 0n))
    }
  })
  await fc.assert(law, { numRuns: 10 })
})
