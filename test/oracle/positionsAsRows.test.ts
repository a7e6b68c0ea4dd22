// The independent books and the golden logs again, with no position left at hand behind its command: a venue of a few positions writes no rows by itself.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { DIRECTORY, fileOf, fold, goldenVersions, readLog } from '../golden/goldenLog.ts'

const written = vi.hoisted(() => ({ rows: 0 }))

vi.mock('../../src/domain/state/openPositions/positionRows.ts', async (original) => {
  const actual = await original<typeof import('../../src/domain/state/openPositions/positionRows.ts')>()
  class AtOnce extends actual.PositionRows {
    constructor(owners: ConstructorParameters<typeof actual.PositionRows>[0]) {
      super(owners, 0, 0)
    }

    override settle(): void {
      written.rows += this.room.atHand
      super.settle()
    }
  }
  return { ...actual, PositionRows: AtOnce }
})

await import('./sequences.test.ts')

test.each(goldenVersions())(
  'the golden log of %s folds to the state it always folded to',
  async (version) => {
    const { stateHash } = JSON.parse(readFileSync(path.join(DIRECTORY, version, 'expected.json'), 'utf8'))
    expect(fold(await readLog(fileOf(version, 'venue.commits'))).stateHash()).toBe(stateHash)
  },
)

afterAll(() => expect(written.rows).toBeGreaterThan(300))
