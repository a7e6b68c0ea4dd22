// The description that the page reads says what the published one says, in words that OpenAPI 3.0 has.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOlderWords } from '../../src/host/pages/olderDescription.ts'
import { CONFIGURATION, startVenue, type VenueUnderTest } from './venue.ts'

interface Described {
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>
  readonly components: { readonly schemas: Record<string, { properties?: object; required?: string[] }> }
}

let venue: VenueUnderTest
let published: Described
let shown: Described
beforeAll(async () => {
  venue = await startVenue(CONFIGURATION)
  const read = async (path: string) => (await venue.get(path, { key: null })).body
  published = await read('/openapi.json')
  shown = await read('/docs/openapi.json')
})
afterAll(() => venue.venue.close())

test('it is one of OpenAPI 3.0 to a linter', async () => {
  const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } })
  const problemsOf = (document: object) =>
    lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
  expect(shown).toMatchObject({ openapi: '3.0.3' })
  expect((await problemsOf(shown)).map(({ message, location }) => [location[0]?.pointer, message])).toEqual(
    [],
  )
  expect(await problemsOf({ ...published, openapi: '3.0.3' })).not.toEqual([])
})

test('it names the operations, parameters, schemas and fields of the published one', () => {
  const named = ({ paths, components }: Described) => ({
    operations: Object.entries(paths).map(([path, methods]) => [
      path,
      Object.entries(methods).map(([method, { operationId, parameters = [] }]) => [
        method,
        operationId,
        parameters.map(({ name }) => name),
      ]),
    ]),
    fields: Object.entries(components.schemas).map(([name, { properties = {}, required = [] }]) => [
      name,
      Object.keys(properties),
      required,
    ]),
  })
  expect(named(shown)).toEqual(named(published))
  const descriptions = (document: object) =>
    new Set(JSON.stringify(document).match(/"description":"(?:[^"\\\\]|\\\\.)*"/g))
  expect(descriptions(shown)).toEqual(descriptions(published))
  expect(descriptions(shown).size).toBeGreaterThan(300)
})

test.each([
  ['what is one value is an enumeration of it', { const: 'fired' }, { enum: ['fired'] }],
  [
    'the first example is the one',
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    'examples that have names keep them',
    { examples: { a: { value: 1 } } },
    { examples: { a: { value: 1 } } },
  ],
  [
    'what stands beside a reference stays read',
    { $ref: '#/x', description: 'y' },
    { allOf: [{ $ref: '#/x' }], description: 'y' },
  ],
  ['a reference alone stays one', { $ref: '#/x' }, { $ref: '#/x' }],
  [
    'a text or null',
    { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'y' },
    { type: 'string', description: 'y', nullable: true },
  ],
  [
    'a reference or null',
    { anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
    { allOf: [{ $ref: '#/x' }], nullable: true },
  ],
  [
    'one of several, or null',
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
  ],
  ['nothing', { type: 'null' }, { type: 'string', enum: [null], nullable: true }],
  ['values are no schemas', { example: { const: 1 } }, { example: { const: 1 } }],
])('%s', (_, schema, expected) => {
  const info = { license: { name: 'MIT', identifier: 'MIT' } }
  expect(inOlderWords({ openapi: '3.1.0', info, components: { schema } })).toEqual({
    openapi: '3.0.3',
    info: { license: { name: 'MIT' } },
    components: { schema: expected },
  })
})
