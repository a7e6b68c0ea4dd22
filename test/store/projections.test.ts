// What a directory keeps of projections: a cache, which is read where it can be trusted and folded again where it cannot.

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openEngine, projection } from '../../src/index.ts'
import { DirectoryMark } from '../../src/store/lmdb/directoryMark.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { shelfToRead } from '../../src/store/lmdb/shelves.ts'
import { ACCOUNT, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../unit/venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }

let folded = 0
const deposits = projection({
  name: 'deposits',
  version: 1,
  key: ({ accountId }) => accountId,
  initial: () => ({ amounts: [] as bigint[] }),
  on: {
    balanceAdjusted(row, { amount }) {
      folded += 1
      row.amounts.push(amount)
    },
  },
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-projections-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Opens the venue, deposits, and closes it; gives the rows and what was told on opening. */
async function visit(amount: bigint, into = directory) {
  const notices: string[] = []
  folded = 0
  const engine = await openEngine({
    store: await openLmdbStore(into),
    ...configuration,
    projections: [deposits],
    onNotice: (notice) => notices.push(notice),
  })
  await engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount })
  const rows = [...engine.projection(deposits)]
  await engine.close()
  return { amounts: rows[0]?.[1].amounts.slice(-3), folded, notices }
}

test('a restart goes on from what was saved', async () => {
  await visit(1n)
  await visit(2n)
  expect(await visit(3n)).toEqual({ amounts: [1n, 2n, 3n], folded: 1, notices: [] })
})

test('rows without number are saved, whatever pieces they are written in', async () => {
  const amounts = projection({
    name: 'amounts',
    version: 1,
    key: (_, { seq }) => String(seq),
    initial: () => ({ amount: 0n }),
    on: {
      balanceAdjusted(row, { amount }) {
        folded += 1
        row.amount = amount
      },
    },
  })
  const opened = async () =>
    openEngine({ store: await openLmdbStore(directory), ...configuration, projections: [amounts] })
  for (const count of [63, 1, 1, 63, 72]) {
    const engine = await opened()
    for (let n = 0; n < count; n++)
      engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: BigInt(n + 1) })
    await engine.whenDurable()
    const rows = [...engine.projection(amounts)]
    await engine.close()
    folded = 0
    const again = await opened()
    expect([...again.projection(amounts)]).toEqual(rows)
    expect(folded).toBe(0)
    await again.close()
  }
})

test('what was saved and damaged is told, and the one before it is used', async () => {
  await visit(1n)
  await visit(2n)
  const folder = path.join(directory, 'projections', 'deposits')
  const newest = path.join(folder, (await readdir(folder)).sort().at(-1) as string)
  const bytes = await readFile(newest)
  bytes[bytes.length - 2] = (bytes.at(-2) as number) ^ 1
  await writeFile(newest, bytes)
  const { amounts, folded, notices } = await visit(3n)
  expect([amounts, folded]).toEqual([[1n, 2n, 3n], 2])
  expect(notices).toEqual([
    expect.stringMatching(/^projection deposits: what was saved at commit \d+ fails its check$/),
  ])
})

const NOT_OWN = expect.stringMatching(
  /^projection deposits: what was saved at commit \d+ does not say that it is of this venue$/,
)

describe('what was saved of another log is never served (K8)', () => {
  const saved = (of: string) => path.join(of, 'projections')
  const exchange = async (from: string) => {
    await rm(saved(directory), { recursive: true })
    await cp(saved(from), saved(directory), { recursive: true })
  }

  test.each([
    ['as far as this log goes', 2n],
    ['less far', 1n],
    ['further', 3n],
  ])('another venue’s, %s', async (_, visits) => {
    await visit(1n)
    await visit(2n)
    const other = await mkdtemp(path.join(tmpdir(), 'margin-core-other-venue-'))
    onTestFinished(() => rm(other, { recursive: true }))
    for (let n = 1n; n <= visits; n++) await visit(10n * n, other)
    await exchange(other)
    const { amounts, folded, notices } = await visit(3n)
    expect([amounts, folded]).toEqual([[1n, 2n, 3n], 3])
    expect(notices.length).toBeLessThanOrEqual(2)
    expect(notices).toEqual(notices.map(() => NOT_OWN))
    // What is further than the log is removed without being read.
    if (visits < 3n) expect(notices).not.toEqual([])
    // What was built again is this venue's own.
    expect(await visit(4n)).toEqual({ amounts: [2n, 3n, 4n], folded: 1, notices: [] })
  })

  test('its own of an earlier moment is gone on from', async () => {
    await visit(1n)
    const earlier = await mkdtemp(path.join(tmpdir(), 'margin-core-earlier-'))
    onTestFinished(() => rm(earlier, { recursive: true }))
    await cp(saved(directory), saved(earlier), { recursive: true })
    await visit(2n)
    await exchange(earlier)
    expect(await visit(3n)).toEqual({ amounts: [1n, 2n, 3n], folded: 2, notices: [] })
  })

  test('in a directory that cannot be written', async () => {
    await visit(1n)
    const other = await mkdtemp(path.join(tmpdir(), 'margin-core-other-venue-'))
    onTestFinished(() => rm(other, { recursive: true }))
    await visit(10n, other)
    await exchange(other)
    const reading = async (said: number) => {
      const schemas: string[] = []
      for await (const { schema } of shelfToRead(directory, 'deposits', { said, venue: said }).snapshots())
        schemas.push(schema)
      return schemas
    }
    const { venue } = await DirectoryMark.read(directory)
    const [own, others, whatever] = [
      await reading(venue),
      await reading((await DirectoryMark.read(other)).venue),
      await reading(0),
    ]
    expect(own).toEqual(own.map(() => 'foreign'))
    expect(own).not.toEqual([])
    // Where nothing says whose the directory is, anybody's are taken.
    expect(others).toEqual(whatever)
    expect(others).not.toContain('foreign')
  })
})
