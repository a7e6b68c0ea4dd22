// A row of commits on PostgreSQL: read back as it was written, and not at all where a bit or a sequence is another.

import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../src/index.ts'
import type { CommitGroup } from '../../../src/store/postgres/commitGroup.ts'
import { commitsOfGroup, groupBytes } from '../../../src/store/postgres/commitGroup.ts'
import { StoreDamaged } from '../../../src/store/store.ts'
import { venue } from '../../../src/testing/index.ts'
import { logOf } from '../../properties/runs.ts'

const commits = await logOf(createEngine(venue()))
const first = commits[0]?.seq as number
const last = commits.at(-1)?.seq as number
const group: CommitGroup = { firstSeq: first, lastSeq: last, ...groupBytes(commits) }

test('is read back as it was written', () => {
  expect(commits.length).toBeGreaterThan(1)
  expect(commitsOfGroup(group, first)).toEqual(commits)
})

describe('is refused', () => {
  const refused = (changed: Partial<CommitGroup>, next = first) =>
    expect(() => commitsOfGroup({ ...group, ...changed }, next))

  test('with any bit turned, whether or not what it says then decodes', () => {
    for (let at = 0; at < group.bytes.length; at++) {
      const bytes = Uint8Array.from(group.bytes)
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8))
      refused({ bytes }).toThrow(/^.*its group fails its check/)
    }
  })

  test('where another commit was to come next', () => {
    for (const next of [first - 1, first + 1])
      refused({}, next).toThrow(`commit ${first} follows commit ${next - 1}`)
  })

  test('where its row says more or fewer commits than it holds, or others', () => {
    refused({ lastSeq: last - 1 }).toThrow('its group holds other commits than it says')
    refused({ lastSeq: last + 1 }).toThrow('its group does not decode')
    refused({ firstSeq: first + 1, lastSeq: last + 1 }, first + 1).toThrow(
      'its group holds other commits than it says',
    )
    refused({ lastSeq: last - 1 }).toThrow(StoreDamaged)
  })
})
