// A snapshot that is written while commands go on is the one that was begun, byte for byte.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { beginSnapshot, restoreSnapshot, takeSnapshot } from '../../src/engine/snapshot.ts'
import { joined } from '../../src/store/store.ts'
import { aProgram } from '../../src/testing/index.ts'
import { ALL_RUNS, run, runs } from './runs.ts'

const fresh = () => new Folded((world) => new LevelTriggers(world))

let [pieces, changed, across, midnights] = [0, 0, 0, 0]

test('pieces between commands are the bytes of a snapshot taken at once, and restore to the same', async () => {
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
        expect(joined(taken)).toEqual(expected.bytes)
        if (takeSnapshot(folded).bytes.length !== expected.bytes.length) changed += 1
        const restored = fresh()
        restoreSnapshot(restored, expected)
        expect(restored.stateHash()).toBe(hash)
        for (const commit of rest) restored.fold(commit)
        expect(restored.stateHash()).toBe(folded.stateHash())
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
})

test('of one world one snapshot is written at a time', () => {
  const folded = fresh()
  const first = beginSnapshot(folded)
  expect(() => beginSnapshot(folded)).toThrow('another image')
  first.release()
  beginSnapshot(folded).release()
})
