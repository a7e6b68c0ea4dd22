// A snapshot that is written while commands go on is the one that was begun: what it restores to is saved as the same
// bytes, in the history in memory as in the one that a directory keeps.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { beginSnapshot, restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { StoredHistory } from '../../src/history/storedHistory.ts'
import { joined } from '../../src/store/store.ts'
import { aProgram } from '../../src/testing/index.ts'
import { foldedOver } from '../foldedOver.ts'
import { NothingKept } from '../nothingKept.ts'
import { ALL_RUNS, run, runs } from './runs.ts'

const inMemory = () => new Folded((world) => new LevelTriggers(world))
const inDirectory = () => foldedOver(new StoredHistory(new NothingKept()))

let [pieces, changed, across, midnights, left] = [0, 0, 0, 0, 0]

test.each([
  ['in memory', inMemory],
  ['in a directory', inDirectory],
])('pieces between commands restore to what was there when they were begun, %s', async (_, fresh) => {
  const programs = aProgram(150, 300)
  const cuts = fc.array(fc.record({ after: fc.integer({ min: 1, max: 19 }), every: fc.nat({ max: 9 }) }), {
    minLength: 2,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(programs, cuts, async (program, begun) => {
      const { commits } = (await run(program)).watched
      for (const { after, every } of begun) {
        const folded = fresh()
        const from = Math.floor((after * commits.length) / 20)
        for (const commit of commits.slice(0, from)) folded.fold(commit)
        const [expected, hash] = [takeSnapshot(folded), folded.stateHash()]
        const snapshot = beginSnapshot(folded, 1 + (every % 4))
        const taken: Uint8Array[] = []
        const piece = snapshot.pieces[Symbol.iterator]()
        const rest = commits.slice(from)
        for (const [index, commit] of rest.entries()) {
          folded.fold(commit)
          if (commit.events.some(({ type }) => type === 'dayBegan')) midnights += 1
          if (index % (every + 1) !== every) continue
          const { done, value } = piece.next()
          if (!done) taken.push(value)
        }
        for (let next = piece.next(); !next.done; next = piece.next()) taken.push(next.value)
        snapshot.release()
        const { seq, schema } = snapshot
        if (!isEqual(joined(taken), expected.bytes)) left += 1
        if (takeSnapshot(folded).bytes.length !== expected.bytes.length) changed += 1
        const restored = fresh()
        restoreSnapshot(restored, { seq, schema, bytes: joined(taken) })
        expect(restored.stateHash()).toBe(hash)
        expect(isEqual(takeSnapshot(restored).bytes, expected.bytes)).toBe(true)
        for (const commit of rest) restored.fold(commit)
        expect(restored.stateHash()).toBe(folded.stateHash())
        expect(isEqual(takeSnapshot(restored).bytes, takeSnapshot(folded).bytes)).toBe(true)
        pieces += taken.length
        across += 1
      }
    }),
    runs(8),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(across).toBeGreaterThan(15)
  expect(changed).toBeGreaterThan(10)
  expect(pieces).toBeGreaterThan(4 * across)
  expect(midnights).toBeGreaterThan(0)
  expect(left).toBeGreaterThan(5)
})

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

test('two snapshots of one world are written at a time, each of its own moment', () => {
  const folded = inMemory()
  const expected = takeSnapshot(folded).bytes
  const [first, second] = [beginSnapshot(folded), beginSnapshot(folded)]
  first.release()
  expect(folded.world.beforeChange).not.toBeNull()
  const bytes = Buffer.concat([...second.pieces])
  expect(isEqual(bytes, expected)).toBe(true)
  second.release()
  expect(folded.world.beforeChange).toBeNull()
})
