// What kept answers ask writes no file and calls nobody: a function that begins to would be called with drawn paths.
import { expect, test } from 'vitest'
import { AREAS, keptShapes } from './kept.ts'
import { outsideOf } from './outside.ts'

test('nothing that is asked reaches files, sockets, databases or processes by anything that it uses', () => {
  const asked = AREAS.flatMap((area) => keptShapes(area).subjects)
  const reaching = asked.filter(({ file, name }) => outsideOf(file).has(name))
  expect(reaching.map(({ file, name }) => `${file} ${name}: npm run answers`)).toEqual([])
  expect(asked.length).toBeGreaterThan(2_500)
})

test.each([
  ['itself', 'src/files/namedText.ts', 'namedText'],
  ['by a function of its module', 'src/cli/venueKey.ts', 'venueKey'],
  ['by a class that it makes', 'src/store/lmdb/recordComparison.ts', 'recordsToCompare'],
  ['by a package', 'src/store/lmdb/recordComparison.ts', 'Comparison'],
])('one that does so %s is known', (_, file, name) => {
  expect([...outsideOf(file)]).toContain(name)
})
