// What the package shows its users changes only deliberately.

import { expect, test } from 'vitest'
import { surfaceChanges, todaysPages, todaysSurface } from '../api/pages.ts'
import { differences } from '../api/report.ts'

const surface = todaysSurface()

test('the public surface is the one of docs/api; a change that is meant: npm run api -- --accept', () => {
  expect(surfaceChanges(todaysPages(surface))).toEqual([])
})

test('a declaration that is new, gone or another is named', () => {
  const kept = '```ts\nconst a: 1;\n\ninterface B {\n  c: 2;\n}\n```\n'
  const today = '```ts\ninterface B {\n  c: 3;\n}\n\nfunction d(): void;\n```\n'
  expect(differences(kept, kept)).toEqual([])
  expect(differences(kept, today)).toEqual([
    '- const a: 1;',
    '+ function d(): void;',
    '- interface B {',
    '+ interface B {',
  ])
})
