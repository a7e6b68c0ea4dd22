// A registry is a map: what it remembers of the last that was asked for changes no answer.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Registry } from '../../../src/collections/registry.ts'

const id = fc.constantFrom('a', 'b', 'c')

test('gives the newest under an id, however often others were asked for', () => {
  let replaced = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), id), { maxLength: 30 }), (script) => {
      const registry = new Registry<{ id: string; version: number }>()
      const model = new Map<string, { id: string; version: number }>()
      for (const [version, [sets, key]] of script.entries()) {
        if (sets) {
          if (model.has(key)) replaced += 1
          const item = { id: key, version }
          expect(registry.set(key, item)).toBe(registry)
          model.set(key, item)
        }
        expect(registry.get(key)).toBe(model.get(key))
        if (model.has(key)) expect(registry.known(key)).toBe(model.get(key))
        else expect(() => registry.known(key)).toThrow(`nothing known has the id ${key}`)
      }
      expect([...registry]).toEqual([...model])
    }),
  )
  expect(replaced).toBeGreaterThan(0)
})
