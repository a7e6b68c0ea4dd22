import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SequenceMap } from '../../../../src/domain/triggers/sequenceMap.ts'

/** Sequences that are neighbours, and sequences that share their place in every small table. */
const sequence = fc.oneof(
  fc.nat({ max: 40 }),
  fc.nat({ max: 40 }).map((n) => n * 1_024),
)
const moves = fc.array(fc.record({ puts: fc.boolean(), sequence }), { size: 'max', maxLength: 400 })

test('holds and gives back what a map would', () => {
  let [taken, missed] = [0, 0]
  fc.assert(
    fc.property(moves, (drawn) => {
      const map = new SequenceMap<{ sequence: number; number: number }>()
      const model = new Map<number, { sequence: number; number: number }>()
      for (const [number, { puts, sequence }] of drawn.entries()) {
        if (puts) {
          map.set({ sequence, number })
          model.set(sequence, { sequence, number })
        } else {
          expect(map.take(sequence)).toEqual(model.get(sequence))
          if (model.delete(sequence)) taken += 1
          else missed += 1
        }
      }
      for (const { sequence } of drawn) expect(map.get(sequence)).toEqual(model.get(sequence))
      const bySequence = (a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence
      expect([...map.values()].sort(bySequence)).toEqual([...model.values()].sort(bySequence))
    }),
  )
  for (const reached of [taken, missed]) expect(reached).toBeGreaterThan(1_000)
})
