// What an operator is told of a recovery: what was removed first, then what was ignored, and what was done instead.

import { expect, test } from 'vitest'
import { noticesOf } from '../../../src/engine/recovery.ts'

const uneventful = { snapshotSeq: 5, replayed: 2, ignored: [], repaired: null, rebuilt: null }
const ignored = [{ seq: 9, reason: 'it does not decode' }]

test('of an uneventful recovery nothing is told', () => {
  expect(noticesOf(uneventful)).toEqual([])
})

test('everything that happened is told, what was removed first', () => {
  expect(noticesOf({ ...uneventful, repaired: 'passed over 3 bytes' })).toEqual(['passed over 3 bytes'])
  expect(noticesOf({ ...uneventful, ignored })).toEqual([
    'ignored the snapshot of commit 9: it does not decode',
    'used the one of commit 5',
  ])
  expect(noticesOf({ snapshotSeq: 0, replayed: 9, ignored, repaired: 'cut', rebuilt: 'a page' })).toEqual([
    'cut',
    'the history lists were built again from the log: a page',
    'ignored the snapshot of commit 9: it does not decode',
    'read the whole log instead',
  ])
})
