// The first text of a list that stood before: as a plain search finds it, and at the cost of looking at each once.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstRepeated } from '../../../src/collections/firstRepeated.ts'

const lists = fc.array(fc.constantFrom('a', 'b', 'c', '', '__proto__', 'constructor', '0'), { maxLength: 9 })

test('it is where a plain search finds it', () => {
  const reached = { repeated: 0, once: 0 }
  fc.assert(
    fc.property(lists, (texts) => {
      const at = texts.findIndex((text, index) => texts.indexOf(text) < index)
      reached[at === -1 ? 'once' : 'repeated'] += 1
      expect(firstRepeated(texts)).toBe(at === -1 ? null : at)
    }),
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})

test('each item is looked at once, so that a configuration of many accounts costs no more than it holds', () => {
  let looked = 0
  const texts = new Proxy(
    Array.from({ length: 1_000 }, (_, at) => String(at)),
    {
      get(target, field, receiver) {
        if (typeof field === 'string' && /^[0-9]+$/.test(field)) looked += 1
        return Reflect.get(target, field, receiver)
      },
    },
  )
  expect(firstRepeated(texts)).toBeNull()
  expect(looked).toBe(1_000)
})
