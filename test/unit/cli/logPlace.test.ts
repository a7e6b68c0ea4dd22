// Where a log is, by what was typed, and what is said of a place that cannot be.

import { Command } from 'commander'
import { expect, test } from 'vitest'
import { type PlaceOptions, placeOf, withPlaceOptions, withShard } from '../../../src/cli/logPlace.ts'

const URL = 'postgres://venue:secret@localhost:1/venue'

test.each<[readonly string[], PlaceOptions, readonly string[], object]>([
  [['d'], {}, [], { place: { directory: 'd', archive: undefined }, rest: [] }],
  [['d', 'x'], { archive: 'a' }, ['id'], { place: { directory: 'd', archive: 'a' }, rest: ['x'] }],
  [['d'], {}, ['[id]'], { place: { directory: 'd', archive: undefined }, rest: [] }],
  [['d', 'x'], {}, ['[id]'], { place: { directory: 'd', archive: undefined }, rest: ['x'] }],
  [
    [],
    { postgres: URL, shard: 0 },
    [],
    { place: { database: { url: URL, schema: 'margin_core', shard: 0 } }, rest: [] },
  ],
  [
    ['x'],
    { postgres: URL, shard: 3, schema: 'other' },
    ['id'],
    { place: { database: { url: URL, schema: 'other', shard: 3 } }, rest: ['x'] },
  ],
])('%j with %j, where %j is asked for', (words, options, names, place) => {
  expect(placeOf(words, options, names)).toEqual(place)
})

const OF_A_DATABASE = '--shard and --schema say which log of a database: --postgres URL names that'
const WHICH_SHARD = 'which shard of the database: --shard N'

test.each<[readonly string[], PlaceOptions, readonly string[], string]>([
  [[], {}, [], 'missing: directory'],
  [['d'], {}, ['one', 'two', '[three]'], 'missing: one, two'],
  [[], { postgres: URL, shard: 1 }, ['one'], 'missing: one'],
  [['d', 'x', 'y'], {}, ['[one]'], 'too much: y'],
  [['d'], { postgres: URL, shard: 1 }, [], 'too much: d'],
  [['d'], { shard: 0 }, [], OF_A_DATABASE],
  [['d'], { schema: 's' }, [], OF_A_DATABASE],
  [[], { postgres: URL }, [], WHICH_SHARD],
  [['x', 'y'], { postgres: URL }, ['id'], `too much: y\nerror: ${WHICH_SHARD}`],
  [[], { postgres: URL, shard: 1, archive: 'a' }, [], 'a log in a database has no archive'],
  [[], { postgres: URL, archive: 'a' }, [], `a log in a database has no archive\nerror: ${WHICH_SHARD}`],
])('%j with %j, where %j is asked for, is refused', (words, options, names, message) => {
  expect(() => placeOf(words, options, names)).toThrow(
    expect.objectContaining({ name: 'UsageError', message }),
  )
})

test.each([
  ['0', 0],
  ['7', 7],
  ['999999999', 999_999_999],
])('%s is the number of a shard', (text, shard) => {
  const command = withPlaceOptions(new Command())
  command.parseOptions(['--shard', text])
  expect(command.opts().shard).toBe(shard)
})

test.each(['01', '-1', '1.5', 'one', '1000000000', ''])('"%s" is not the number of a shard', (text) => {
  const command = withPlaceOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  expect(() => command.parseOptions([`--shard=${text}`])).toThrow('It is no number of a shard')
})

test('a database that is not there is told in words, without its password', async () => {
  const failure = await withShard({ url: URL, schema: 'margin_core', shard: 0 }, async () => {}).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ name: 'UsageError' })
  expect((failure as Error).message).toMatch(/^the database cannot be read: .*ECONNREFUSED/)
  expect((failure as Error).message).not.toContain('secret')
})
