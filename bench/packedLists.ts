/**
 * `npx tsx --expose-gc bench/packedLists.ts [pairs]`: what it takes to keep the history lists on disk, piece by piece, and what would be left
 * if all records of a transaction were one value of LMDB instead of a key each. The latter is a prototype, once as it is, in which
 * nothing could find a record, and once with the place of each record under its key. Processor time of all threads, the best of rounds in turns, for each position that is opened and closed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open as openLmdb } from 'lmdb'
import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import { Projections } from '../src/engine/projections.ts'
import { HISTORY_FORM } from '../src/history/historyRecords.ts'
import { RecordedHistory } from '../src/history/historyTarget.ts'
import { RecordFold } from '../src/history/recordFold.ts'
import { sequenceBytes } from '../src/history/recordKeys.ts'
import { StoredHistory } from '../src/history/storedHistory.ts'
import { UnkeptHistory } from '../src/history/unkeptHistory.ts'
import type { Commit } from '../src/index.ts'
import { RecordIndex } from '../src/store/lmdb/recordIndex.ts'
import { sealed } from '../src/store/lmdb/sealedRecord.ts'
import type { CommitRecords, KeyedRecord } from '../src/store/recordStore.ts'
import { RecordsInMemory } from '../test/recordsInMemory.ts'
import { collect } from './figure.ts'
import { accountId, benchVenue, must, open } from './venue.ts'

const ROUNDS = 5
const ACCOUNTS = 256
const AT_A_TIME = 2_048
const pairs = Number(process.argv[2] ?? 10_000)

class Told extends RecordsInMemory {
  readonly commits: CommitRecords[] = []

  override async write(changes: readonly CommitRecords[], cursor: number): Promise<void> {
    this.commits.push(...changes)
    this.cursor = cursor
  }
}

const log: Commit[] = []
const engine = benchVenue({ accounts: ACCOUNTS })
for (let n = 0; n < pairs; n++) {
  open(engine, n % ACCOUNTS, 0, 'long', false)
  must(engine, { type: 'closeAll', accountId: accountId(n % ACCOUNTS) })
}
for await (const commit of engine.commits({ from: 1 })) log.push(commit)

const best = new Map<string, number>()
let records = 0
for (let round = 0; round < ROUNDS; round++) {
  const bare = new Folded((world) => new LevelTriggers(world), new Projections([new UnkeptHistory()]))
  await time('folded without lists', () => {
    for (const commit of log) bare.fold(commit)
  })
  const told = new Told()
  const lists = new Projections([new RecordFold(new StoredHistory(new RecordedHistory(told)))])
  lists.restore(null, 0, 0)
  lists.recovered()
  const folded = new Folded((world) => new LevelTriggers(world), lists)
  await time('folded with lists', async () => {
    for (const commit of log) folded.fold(commit)
    lists.durable(log.length)
    await lists.flushed()
  })
  const made: KeyedRecord[] = []
  await time('records made', () => {
    for (const commit of told.commits) made.push(...commit.records())
  })
  records = made.length
  await time('records sealed', () => made.map(({ key, bytes }) => sealed(key, bytes)))
  const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-packed-'))
  const place = path.join(directory, 'lists')
  mkdirSync(place)
  const index = await RecordIndex.open(place, HISTORY_FORM)
  await time('made, sealed, a key each in LMDB', () => index.write(told.commits, log.length))
  await index.close()
  for (const found of [false, true])
    await time(
      found ? '… and where each record is under its key' : 'made, one value for each transaction',
      () => packed(path.join(directory, `packed ${found}`), told.commits, found),
    )
  rmSync(directory, { recursive: true })
}
for (const [name, us] of best)
  console.log(`${name.padEnd(38)}${(us / pairs).toFixed(2).padStart(7)} µs a pair`)
console.log(`${(records / pairs).toFixed(2)} records a pair`)

/** Writes the records of each transaction as one value; `found`: and the place of each under its key. */
async function packed(place: string, commits: readonly CommitRecords[], found: boolean): Promise<void> {
  const root = openLmdb<Buffer, Uint8Array>({ path: place, encoding: 'binary', keyEncoding: 'binary' })
  let values = 0
  let taken: KeyedRecord[] = []
  const write = async () => {
    const value = Buffer.concat(taken.flatMap(({ key, bytes }) => [key, bytes]))
    const name = Buffer.alloc(9)
    name.writeUInt32BE(values++, 5)
    await root.batch(() => {
      root.put(name, sealed(name, value))
      let at = 0
      for (const { key, bytes } of found ? taken : []) {
        root.put(key, sealed(key, sequenceBytes(values * 2 ** 24 + at)))
        at += key.length + bytes.length
      }
    })
    await root.flushed
    taken = []
  }
  for (const commit of commits)
    for (const record of commit.records()) if (taken.push(record) === AT_A_TIME) await write()
  await write()
  await root.close()
}

/** Of the processor, all threads counted. */
async function time(name: string, work: () => unknown): Promise<void> {
  collect()
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, user + system))
}
