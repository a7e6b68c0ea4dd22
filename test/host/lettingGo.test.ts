// What does not start, or is refused, lets go of its store: the same directory opens at once in the same process.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEngine, StoreDamaged } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { ALICE, BTC, CONFIGURATION, market, marketOrder, OPERATOR, startVenue } from './venue.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'margin-core-letting-go-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Opens, serves an order, and closes. */
async function opensAtOnce(): Promise<void> {
  const venue = await startVenue(CONFIGURATION, { store: await openLmdbStore(directory) })
  expect((await venue.post('/orders', marketOrder())).status).toBe(201)
  await venue.venue.close()
}

/** Somebody who listens already. */
async function taken(): Promise<{ port: number; free: () => void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as AddressInfo).port, free: () => server.close() }
}

test.each(['the port', 'the operators’ port'])('%s is taken', async (which) => {
  const { port, free } = await taken()
  const address = { ...CONFIGURATION, operatorListen: `127.0.0.1:${port}` }
  for (let attempt = 0; attempt < 3; attempt++)
    await expect(
      startVenue(which === 'the port' ? CONFIGURATION : address, {
        store: await openLmdbStore(directory),
        port: which === 'the port' ? port : 0,
      }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' })
  free()
  await opensAtOnce()
})

test('the operators’ server that listened already is closed again', async () => {
  const { port, free } = await taken()
  const other = await taken()
  other.free()
  const configuration = { ...CONFIGURATION, operatorListen: `127.0.0.1:${other.port}` }
  const start = async () => startVenue(configuration, { store: await openLmdbStore(directory), port })
  await expect(start()).rejects.toMatchObject({ code: 'EADDRINUSE', port })
  await expect(fetch(`http://127.0.0.1:${other.port}/operator/health`)).rejects.toThrow('fetch failed')
  free()
  await opensAtOnce()
})

test.each<[string, object, string]>([
  [
    'a feed’s file is missing',
    {
      clock: { mode: 'system' },
      feed: { kind: 'replay', file: '/nowhere/prices.csv', marketId: BTC, speed: 1 },
    },
    'feed.file: cannot read /nowhere/prices.csv: there is no such file',
  ],
  [
    'a market is refused',
    { markets: [market(BTC, 'BTC', 'crypto', { spread: '2000000000' })] },
    'markets[0].spread',
  ],
  ['the log ends long ago', { clock: { mode: 'system' } }, 'start with --accept-gap'],
])('%s', async (_, more, reason) => {
  await opensAtOnce()
  const fresh = path.join(directory, 'fresh')
  const where = 'markets' in more ? fresh : directory
  const start = async () =>
    startVenue(
      { ...CONFIGURATION, ...more },
      { acceptGap: 'feed' in more, store: await openLmdbStore(where) },
    )
  await expect(start()).rejects.toThrow(reason)
  await expect(start()).rejects.toThrow(reason)
  await (await openLmdbStore(where)).close()
})

test('an engine that is refused: its genesis, its log, its store', async () => {
  const genesis = { accounts: [{ id: ALICE.accountId, userId: ALICE.userId, balance: -1n }] }
  const notices: string[] = []
  const onNotice = (notice: string) => notices.push(notice)
  const start = async () => openEngine({ ...genesis, onNotice, store: await openLmdbStore(directory) })
  await expect(start()).rejects.toThrow('openAccount refused')
  await expect(start()).rejects.toThrow('openAccount refused')
  expect(notices, 'what was begun is written, and nothing failed').toEqual([])
  const store = await openLmdbStore(directory)
  expect((await store.open()).head).toBe(1)
  await store.close()

  await opensAtOnce()
  const broken = await openLmdbStore(directory)
  const damage = () => Promise.reject(new StoreDamaged(7, 'for the test'))
  await expect(openEngine({ store: Object.assign(broken, { open: damage }) })).rejects.toThrow('commit 7')
  await opensAtOnce()
})

test('a venue that starts after all is not disturbed by those that did not', async () => {
  const venue = await startVenue(CONFIGURATION, { store: await openLmdbStore(directory) })
  await expect(openLmdbStore(directory)).rejects.toThrow('in use by this process')
  expect((await venue.get('/operator/health', { key: OPERATOR })).status).toBe(200)
  await venue.venue.close()
})

test('a venue that is closed is let go of, with its engine: a node opens shards for as long as it runs', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const opened = async () => {
    const venue = await startVenue(CONFIGURATION)
    await venue.venue.close()
    return new WeakRef(venue.venue.engine)
  }
  const engine = await opened()
  await expect
    .poll(
      () => {
        collect()
        return engine.deref() === undefined
      },
      { timeout: 10_000 },
    )
    .toBe(true)
})
