import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SequenceMap } from '../../../src/collections/sequenceMap.ts'

test('holds what a map holds, in room that follows it', () => {
  let emptied = 0
  const round = fc.record({
    sets: fc.nat({ max: 500 }),
    takes: fc.nat({ max: 500 }),
    stride: fc.integer({ min: 1, max: 64 }),
  })
  fc.assert(
    fc.property(fc.array(round, { minLength: 2, maxLength: 8 }), (rounds) => {
      const items = new SequenceMap<{ sequence: number }>()
      const model = new Map<number, { sequence: number }>()
      let sequence = 0
      for (const { sets, takes, stride } of rounds) {
        for (let n = 0; n < sets; n++) {
          sequence += stride
          items.set({ sequence })
          model.set(sequence, { sequence })
        }
        for (const taken of [...model.keys()].slice(0, takes)) {
          if (items.take(taken)?.sequence !== taken || items.take(taken) !== undefined)
            expect(taken).toBe('there once')
          model.delete(taken)
          if (items.room > 16 * model.size + 256)
            expect(items.room).toBeLessThanOrEqual(16 * model.size + 256)
        }
        for (const [known, item] of model) expect(items.get(known)).toEqual(item)
        if (model.size === 0) emptied += 1
      }
      expect([...items.values()].sort((a, b) => a.sequence - b.sequence)).toEqual([...model.values()])
    }),
  )
  expect(emptied).toBeGreaterThan(20)
})

/** Counts how often anybody looks at it. */
class Looked {
  static looks = 0
  readonly #sequence: number

  constructor(sequence: number) {
    this.#sequence = sequence
  }

  get sequence(): number {
    Looked.looks += 1
    return this.#sequence
  }
}

test.each([1, 2, 3, 64])(
  'among 50,000 of them, every %i. sequence, nothing looks at more than a few, wherever the sequences have got to',
  (stride) => {
    const items = new SequenceMap<Looked>()
    const among = 50_000
    let most = 0
    const looked = (act: () => void) => {
      const before = Looked.looks
      act()
      most = Math.max(most, Looked.looks - before)
    }
    for (let n = 1; n <= among; n++) items.set(new Looked(n * stride))
    const round = 2 * items.room
    for (let n = 1; n <= round; n += 7) {
      const sequence = (among + n) * stride
      looked(() => items.set(new Looked(sequence)))
      looked(() => items.get(sequence))
      looked(() => items.get(sequence + stride))
      looked(() => items.take(sequence))
    }
    for (let n = 1; n < among; n += 7) looked(() => items.take(n * stride))
    expect(most).toBeLessThan(200)
  },
)
