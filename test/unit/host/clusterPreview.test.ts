import { expect, test } from 'vitest'
import { clusterPreview, type ShardPreview } from '../../../src/host/cluster/clusterPreview.ts'

const told = (shard: number, terms: Partial<ShardPreview['told']> = {}): ShardPreview => ({
  shard,
  told: {
    ...{
      seq: 10 + shard,
      at: `2026-01-05T00:0${shard}:00.000Z`,
      result: 'accepted',
      error: null,
      message: null,
    },
    ...{ events: [`of ${shard}`], postings: [shard], accounts: [shard], house: { was: '100', would: '-7' } },
    ...terms,
  },
})

test('what every shard would do is one answer, in their order, and the house is that of all', () => {
  expect(clusterPreview([told(0), told(2), told(1)])).toEqual({
    ...{ seq: 10, at: '2026-01-05T00:02:00.000Z', result: 'accepted', error: null, message: null },
    ...{ events: ['of 0', 'of 2', 'of 1'], postings: [0, 2, 1], accounts: [0, 2, 1] },
    house: { was: '300', would: '-21' },
    shards: [
      { shard: 0, seq: 10 },
      { shard: 2, seq: 12 },
      { shard: 1, seq: 11 },
    ],
  })
})

test('a shard that says nothing of its house adds nothing to that of all', () => {
  expect(clusterPreview([told(0), told(1, { house: undefined } as never)])).toMatchObject({
    house: { was: '100', would: '-7' },
  })
})

test('one that would refuse it has the say, then one that cannot tell; what some had before the others do', () => {
  const refused = told(1, { result: 'refused', error: 'market_not_found' })
  const unknown = told(2, { result: 'unknown', message: 'too many' })
  const repeated = told(3, { result: 'repeated', events: [] })
  expect(clusterPreview([told(0), unknown, refused])).toMatchObject({
    result: 'refused',
    error: 'market_not_found',
  })
  expect(clusterPreview([told(0), repeated, unknown])).toMatchObject({
    result: 'unknown',
    message: 'too many',
  })
  expect(clusterPreview([repeated, told(0)])).toMatchObject({ result: 'accepted', events: ['of 0'] })
  expect(clusterPreview([repeated, repeated])).toMatchObject({ result: 'repeated' })
})
