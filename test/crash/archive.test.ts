// The power goes at any moment while older files of a log are moved to an archive, and again while that is repeated: nothing
// is lost, the log opens with the archive and without it, and moving ends the same (K14).

import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { type Commit, CommitsArchived } from '../../src/index.ts'
import { type Archived, moveFiles } from '../../src/store/lmdb/archive.ts'
import { withArchive } from '../../src/store/lmdb/archivedFiles.ts'
import { CommitLog } from '../../src/store/log/commitLog.ts'
import { sampleCommit } from '../../src/testing/index.ts'
import { IS_BRIEF } from '../atLength.ts'
import { Chance } from '../store/traffic.ts'
import { FaultyDisk, LOSSES, type Loss, PowerOff } from './faultyDisk.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
/** In brief it goes at every third, of each loss at others. */
const EACH = IS_BRIEF ? 3 : 1
const HEAD = 60
/** The commit of the older snapshot: recovery needs everything behind it. */
const OLDER = 45

type Files = Readonly<Record<string, Uint8Array>>

/** A log and its archive, in one machine. */
class Machine {
  readonly log: FaultyDisk
  readonly archive: FaultyDisk

  constructor(log: FaultyDisk, archive: FaultyDisk) {
    this.log = log
    this.archive = archive
    archive.beside = log
  }

  afterPowerOff(loss: Loss, chance: Chance): Machine {
    return new Machine(this.log.afterPowerOff(loss, chance), this.archive.afterPowerOff(loss, chance))
  }

  /** With the archive, or without it. */
  async opened(named: boolean): Promise<CommitLog> {
    const disk = named ? await withArchive(this.log, this.archive) : this.log
    return CommitLog.open(disk, { durable: HEAD })
  }

  async move(): Promise<Archived> {
    const log = await CommitLog.openForReading(await withArchive(this.log, this.archive), HEAD)
    return moveFiles(log, this.log, this.archive, { upTo: readAll })
  }

  /** @returns whether the power went before it was done. */
  async moveUntilPowerOff(operations: number): Promise<boolean> {
    this.log.operationsLeft = operations
    try {
      await this.move()
      return false
    } catch (error) {
      if (!(error instanceof PowerOff)) throw error
      return true
    } finally {
      // What failed may be tried again in the same process.
      for (const { handles } of [this.log, this.archive]) expect(handles.size, 'files left open').toBe(0)
    }
  }
}

async function readAll(log: AsyncIterable<readonly Commit[]>): Promise<number> {
  for await (const _ of log);
  return OLDER
}

async function commitsFrom(log: CommitLog, from: number): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const run of log.read(from)) commits.push(...run)
  return commits
}

const expectedFrom = (from: number) =>
  Array.from({ length: HEAD - from + 1 }, (_, index) => sampleCommit(from + index))

/** What a log looks like from which nothing was moved, and one from which everything was that may. */
let whole: Files
let done: {
  readonly log: readonly string[]
  readonly archive: readonly string[]
  readonly operations: number
}

const namesOf = (disk: FaultyDisk) =>
  Object.keys(disk.contents())
    .filter((name) => !/incoming|part/.test(name))
    .sort()

beforeAll(async () => {
  const disk = new FaultyDisk()
  const log = await CommitLog.open(disk, { segmentBytes: 300 })
  for (let seq = 1; seq <= HEAD; seq += 3) await log.append([0, 1, 2].map((n) => sampleCommit(seq + n)))
  await log.mark()
  whole = disk.contents()
  const machine = new Machine(FaultyDisk.holding(whole), new FaultyDisk())
  const moved = await machine.move()
  done = { log: namesOf(machine.log), archive: namesOf(machine.archive), operations: machine.log.operations }
  expect(moved.files).toBeGreaterThan(2)
  expect(moved.head).toBeLessThanOrEqual(OLDER)
  expect(done.archive).toHaveLength(moved.files)
})

/** Nothing is lost: what recovery needs is there without the archive, and with it everything. */
async function expectWhole(machine: Machine, about: string): Promise<void> {
  const [without, named] = [await machine.opened(false), await machine.opened(true)]
  expect([without.head, named.head], about).toEqual([HEAD, HEAD])
  expect(without.first, about).toBeLessThanOrEqual(OLDER + 1)
  expect(await commitsFrom(without, without.first), about).toEqual(expectedFrom(without.first))
  expect(await commitsFrom(named, 1), about).toEqual(expectedFrom(1))
  if (without.first > 1) await expect(commitsFrom(without, 1)).rejects.toBeInstanceOf(CommitsArchived)
}

test('the power goes at any operation of moving files, and at any of repeating it', async () => {
  const reached = { beforeNote: 0, afterNote: 0, halfRemoved: 0, twice: 0, partsLeft: 0 }
  const rounds = NIGHTLY ? 20 : 1
  for (let round = 0; round < rounds; round++)
    for (const [nth, loss] of LOSSES.entries())
      for (let operations = nth % EACH; operations < done.operations; operations += EACH) {
        const about = `${loss}, ${operations} operations, round ${round}`
        const chance = new Chance(1 + round * 10_000 + operations)
        let machine = new Machine(FaultyDisk.holding(whole), new FaultyDisk())
        expect(await machine.moveUntilPowerOff(operations), about).toBe(true)
        machine = machine.afterPowerOff(loss, chance)
        const names = namesOf(machine.log)
        if (!names.includes('archived')) reached.beforeNote += 1
        else if (names.length === Object.keys(whole).length + 1) reached.afterNote += 1
        else if (names.length > done.log.length) reached.halfRemoved += 1
        if (Object.keys(machine.archive.contents()).some((name) => name.endsWith('.part')))
          reached.partsLeft += 1
        await expectWhole(machine, about)

        if (await machine.moveUntilPowerOff(1 + chance.below(done.operations))) {
          reached.twice += 1
          machine = machine.afterPowerOff(loss, chance)
          await expectWhole(machine, `${about}, twice`)
        }
        machine.log.operationsLeft = Number.POSITIVE_INFINITY
        await machine.move()
        expect([namesOf(machine.log), namesOf(machine.archive)], about).toEqual([done.log, done.archive])
        await expectWhole(machine, `${about}, repeated`)
        expect(await machine.move(), 'there is nothing left to move').toMatchObject({ files: 0 })

        // The writer goes on.
        const log = await machine.opened(false)
        await log.append([sampleCommit(HEAD + 1)])
      }
  for (const [what, times] of Object.entries(reached)) expect(times, what).toBeGreaterThan(4 / EACH)
}, 300_000)

test('a file of that name in the archive that is another is refused, and nothing is moved', async () => {
  const machine = new Machine(FaultyDisk.holding(whole), new FaultyDisk())
  const other = await machine.archive.create(done.archive[1] as string)
  await other.write(gzipSync('another log'), 0)
  await expect(machine.move()).rejects.toThrow('is of another log')
  expect(namesOf(machine.log)).toEqual(Object.keys(whole).sort())
})
