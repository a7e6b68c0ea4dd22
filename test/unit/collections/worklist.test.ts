// A worklist against a plain array, past the room that it keeps.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Worklist } from '../../../src/collections/worklist.ts'

const steps = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 40 }) }, fc.constant('clear' as const)),
  {
    maxLength: 20,
  },
)

test('holds what was added since it was last emptied, and nothing from before', () => {
  let emptiedOfMany = 0
  fc.assert(
    fc.property(steps, (script) => {
      const list = new Worklist<number>()
      let model: number[] = []
      for (const step of script) {
        if (step === 'clear') {
          if (model.length > 64) emptiedOfMany += 1
          list.clear()
          model = []
        } else
          for (let item = 0; item < step; item++) {
            list.add(item)
            model.push(item)
          }
        expect([list.size, list.isEmpty]).toEqual([model.length, model.length === 0])
        expect(list.toArray()).toEqual(model)
        for (const [index, item] of model.entries()) expect(list.at(index)).toBe(item)
        expect(() => list.at(model.length)).toThrow(RangeError)
      }
    }),
  )
  expect(emptiedOfMany).toBeGreaterThan(0)
})

test('what was given away stays as it was', () => {
  const list = new Worklist<string>()
  list.add('first')
  const given = list.toArray()
  list.clear()
  list.add('second')
  expect(given).toEqual(['first'])
})
