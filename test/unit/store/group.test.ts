// What opening a log does with a group: it is checked by its chain, and decoded for those alone who want its commits.

import { expect, test } from 'vitest'
import { GROUP_HEADER, MARKER, secondForm } from '../../../src/store/log/group.ts'

const form = secondForm(new Uint8Array(MARKER).fill(7), 128)
/** Nothing that could be decoded. */
const bytes = new Uint8Array(GROUP_HEADER + 100).fill(255)
const header = { firstSeq: 5, commits: 3, length: 100, hash: null }

test.each([8, Number.POSITIVE_INFINITY])(
  'the commits 5 to 7 are not decoded for those from %d on',
  (from) => {
    expect(form.body(bytes, 0, header, from, [])).toBeNull()
  },
)

test.each([1, 5, 7])('they are for those from %d on', (from) => {
  expect(form.body(bytes, 0, header, from, [])).toMatchObject({ seq: 5 })
})
