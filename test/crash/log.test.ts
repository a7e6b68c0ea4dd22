// A log under a disk that loses power: what was acknowledged is there, what is there was appended, and damage is named.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Commit } from '../../src/index.ts'
import { StoreDamaged } from '../../src/index.ts'
import { hex, uint32 } from '../../src/store/log/bytes.ts'
import { CommitLog, type CommitLogOptions } from '../../src/store/log/commitLog.ts'
import { GROUP_HEADER, MARKER } from '../../src/store/log/group.ts'
import { SEGMENT_HEADER } from '../../src/store/log/segmentHeader.ts'
import { sampleCommit } from '../../src/testing/index.ts'
import { IS_BRIEF } from '../atLength.ts'
import { Chance } from '../store/traffic.ts'
import { FaultyDisk, LOSSES, PowerOff } from './faultyDisk.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const RECOVERIES = NIGHTLY ? 10_000 : IS_BRIEF ? 400 : 1_000

async function commitsOf(log: CommitLog): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const run of log.read(1)) commits.push(...run)
  return commits
}

/** Appends groups of sizes by chance until the power goes. */
async function appendUntilPowerOff(disk: FaultyDisk, chance: Chance, options: CommitLogOptions) {
  let acknowledged = 0
  const groupEnds = new Set([0])
  try {
    const log = await CommitLog.open(disk, options)
    acknowledged = log.head
    groupEnds.add(log.head)
    for (;;) {
      const size = 1 + chance.below(4)
      const group = Array.from({ length: size }, (_, index) => sampleCommit(log.head + 1 + index))
      groupEnds.add(log.head + size)
      await log.append(group)
      acknowledged = log.head
    }
  } catch (error) {
    if (!(error instanceof PowerOff)) throw error
  }
  return { acknowledged, groupEnds }
}

describe('a loss of power', () => {
  test(`at ${RECOVERIES} points loses nothing that was acknowledged`, async () => {
    let repaired = 0
    for (let run = 0; run < RECOVERIES; run++) {
      const chance = new Chance(run + 1)
      const loss = LOSSES[run % LOSSES.length] ?? 'all'
      const options = { segmentBytes: 700, ahead: chance.of([0, 100, 500]) }
      let disk = new FaultyDisk()
      // Crash, recover and crash again: the second crash may fall into the recovery.
      disk.operationsLeft = 5 + (Math.floor(run / LOSSES.length) % 90)
      const first = await appendUntilPowerOff(disk, chance, options)
      disk = disk.afterPowerOff(loss, chance)
      disk.operationsLeft = 1 + chance.below(40)
      const second = await appendUntilPowerOff(disk, chance, options)
      disk = disk.afterPowerOff(loss, chance)

      const log = await CommitLog.open(disk, options)
      if (log.repaired !== null) repaired += 1
      const about = `run ${run}, ${loss}`
      expect(log.head, about).toBeGreaterThanOrEqual(Math.max(first.acknowledged, second.acknowledged))
      expect(second.groupEnds.has(log.head) || first.groupEnds.has(log.head), `${about}: whole groups`).toBe(
        true,
      )
      const commits = await commitsOf(log)
      expect(commits, about).toEqual(Array.from({ length: log.head }, (_, index) => sampleCommit(index + 1)))

      await log.append([sampleCommit(log.head + 1)])
      const again = await CommitLog.open(disk)
      expect(again.head, about).toBe(commits.length + 1)
      expect(again.repaired, `${about}: repaired once`).toBe(null)
    }
    expect(repaired).toBeGreaterThan(RECOVERIES / 10)
  })

  test('a full disk fails the append, and the log goes on where it was once there is room', async () => {
    for (let bytes = 0; bytes < 900; bytes += 7) {
      const disk = new FaultyDisk()
      disk.bytesLeft = bytes
      const log = await CommitLog.open(disk, { segmentBytes: 400 })
      let acknowledged = 0
      const failure = await (async () => {
        for (;;) {
          await log.append([sampleCommit(log.head + 1), sampleCommit(log.head + 2)])
          acknowledged = log.head
        }
      })().catch((error: unknown) => error)
      expect(String(failure)).toContain('ENOSPC')
      await expect(log.append([sampleCommit(log.head + 1)])).rejects.toThrow('opened again')

      disk.bytesLeft = Number.POSITIVE_INFINITY
      const again = await CommitLog.open(disk, { segmentBytes: 400 })
      expect(again.head).toBe(acknowledged)
      await again.append([sampleCommit(acknowledged + 1)])
      expect(await commitsOf(again)).toEqual(
        Array.from({ length: acknowledged + 1 }, (_, index) => sampleCommit(index + 1)),
      )
    }
  })
})

const NAME = '0000000000000001.log'

/** A commit that is no plain tick: it is stored by itself. */
function ordinaryCommit(seq: number): Commit {
  return { ...sampleCommit(seq), by: { type: 'operator', name: `desk ${seq}` } }
}

/** Runs of ticks, single ticks, and what is stored by itself. */
function mixedCommit(seq: number): Commit {
  return seq % 7 < 3 ? sampleCommit(seq) : ordinaryCommit(seq)
}

interface Built {
  readonly bytes: Uint8Array
  /** Where each group begins, and the sequence before it; then the end of the last. */
  readonly groups: readonly { readonly start: number; readonly before: number }[]
  readonly head: number
}

/** The bytes of a log of one file, with a mark after the last group or without; how many commits the last one has. */
async function build(marked: boolean, ofLast = 5): Promise<Built> {
  const disk = new FaultyDisk()
  const log = await CommitLog.open(disk, { ahead: 200 })
  const groups = [{ start: SEGMENT_HEADER, before: 0 }]
  for (const size of [1, 3, 1, 17, 2, 1, 40, ofLast]) {
    await log.append(Array.from({ length: size }, (_, n) => mixedCommit(log.head + 1 + n)))
    const { start } = groups.at(-1) as Built['groups'][0]
    const length = uint32(disk.contents()[NAME] as Uint8Array, start + 16)
    groups.push({ start: start + GROUP_HEADER + length, before: log.head })
  }
  if (marked) await log.mark()
  return { bytes: disk.contents()[NAME] as Uint8Array, groups, head: log.head }
}

function lastUsed(bytes: Uint8Array): number {
  let end = bytes.length
  while (bytes[end - 1] === 0) end -= 1
  return end
}

/** Opens a damaged log: gives how far a true prefix reaches, or the commit that was named. */
async function outcome(bytes: Uint8Array, options: CommitLogOptions = {}, copy = false) {
  try {
    const log = await CommitLog.open(FaultyDisk.holding({ [NAME]: bytes }, copy), options)
    const commits = await commitsOf(log)
    const isPrefix = isDeepStrictEqual(
      commits,
      commits.map((_, index) => mixedCommit(index + 1)),
    )
    return isPrefix && commits.length === log.head ? { kept: log.head } : { wrong: log.head }
  } catch (error) {
    if (error instanceof StoreDamaged) return { named: error.seq }
    throw error
  }
}

function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = bytes.slice()
  copy[at] = (copy[at] as number) ^ (1 << bit)
  return copy
}

const BITS = [0, 1, 2, 3, 4, 5, 6, 7]

describe('damage in a log', () => {
  test.each([false, true])(
    'a marked log: each bit of the last group, of the mark, of the rest; a copy %s',
    async (copy) => {
      const { bytes, groups, head } = await build(true)
      const [last, end] = groups.slice(-2) as [Built['groups'][0], Built['groups'][0]]
      const mark = lastUsed(bytes) - GROUP_HEADER
      expect(mark % 4_096, 'the mark is in a sector of its own').toBe(0)
      expect(mark).toBeGreaterThanOrEqual(end.start)
      for (let at = last.start; at < end.start; at++)
        for (const bit of BITS) {
          const found = await outcome(flipped(bytes, at, bit), {}, copy)
          expect(found, `byte ${at}, bit ${bit}`).toHaveProperty('named')
          expect((found as { named: number }).named).toBeGreaterThan(last.before)
        }
      for (let at = mark; at < bytes.length; at++)
        for (const bit of BITS)
          expect(await outcome(flipped(bytes, at, bit), {}, copy), `byte ${at}, bit ${bit}`).toEqual({
            kept: head,
          })
      for (let at = end.start; at < mark; at += 3)
        expect(await outcome(flipped(bytes, at, at % 8), {}, copy), `byte ${at}`).toEqual({ kept: head })
    },
  )

  test('before the last group: a flipped bit in any byte is refused by name', async () => {
    for (const marked of [false, true]) {
      const { bytes, groups, head } = await build(marked)
      const last = groups.at(-2) as Built['groups'][0]
      for (let at = 0; at < last.start; at++) {
        const found = await outcome(flipped(bytes, at, at % 8))
        const { before } = groups.findLast(({ start }) => start <= at) ?? { before: 0 }
        expect(found, `byte ${at}`).toHaveProperty('named')
        const { named } = found as { named: number }
        expect(named, `byte ${at}`).toBeGreaterThan(before)
        expect(named, `byte ${at}`).toBeLessThanOrEqual(head)
      }
    }
  })

  test('the last group, not marked yet: passed over with a notice, or refused where something else knows of it', async () => {
    const { bytes, groups, head } = await build(false)
    const [last, end] = groups.slice(-2) as [Built['groups'][0], Built['groups'][0]]
    for (let at = last.start; at < end.start; at++) {
      const damaged = flipped(bytes, at, at % 8)
      expect(await outcome(damaged), `byte ${at}`).toEqual({ kept: last.before })
      expect(await outcome(damaged, { durable: head }), `byte ${at}`).toHaveProperty('named')
    }
    const log = await CommitLog.open(FaultyDisk.holding({ [NAME]: flipped(bytes, last.start + 60, 0) }))
    expect(log.repaired).toContain(`interrupted append at commit ${last.before + 1}`)
  })

  test('the first group of a file was whole before it had its name: any damage to it is refused', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk)
    await log.append([sampleCommit(1)])
    const bytes = disk.contents()[NAME] as Uint8Array
    for (let at = 0; at < bytes.length; at++)
      for (const bit of BITS)
        expect(await outcome(flipped(bytes, at, bit)), `byte ${at}`).toHaveProperty('named')
    for (let length = 21; length < bytes.length; length++)
      expect(await outcome(bytes.slice(0, length)), `length ${length}`).toEqual({ named: 1 })
  })

  test('cut at any byte, a true prefix of whole groups is left; refused where something else knows of more', async () => {
    const { bytes, groups, head } = await build(true)
    const [, second] = groups as [Built['groups'][0], Built['groups'][0]]
    expect(await outcome(bytes, { durable: head })).toEqual({ kept: head })
    expect(await outcome(bytes, { durable: head + 1 })).toEqual({ named: head + 1 })
    for (let length = second.start; length <= bytes.length; length++) {
      const kept = groups.findLast(({ start }) => start <= length)?.before
      const cut = bytes.slice(0, length)
      expect(await outcome(cut), `length ${length}`).toEqual({ kept })
      if (kept !== head) expect(await outcome(cut, { durable: head })).toHaveProperty('named')
    }
  })

  test.each([5, 1])(
    'zeros in the place of any part of a group of %i are refused, with a mark behind them',
    async (size) => {
      const { bytes, groups } = await build(true, size)
      const [last, end] = groups.slice(-2) as [Built['groups'][0], Built['groups'][0]]
      for (let from = last.start; from < end.start; from += 5) {
        expect(await outcome(bytes.slice().fill(0, from, end.start)), `from ${from}`).toHaveProperty('named')
        expect(await outcome(bytes.slice().fill(0, last.start, from + 1))).toHaveProperty('named')
      }
    },
  )

  test('a mark is written over by what is appended, and written again further on', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk, { ahead: 500 })
    for (let round = 0; round < 400; round++) {
      await log.append([ordinaryCommit(log.head + 1)])
      await log.mark()
      if (round % 20 !== 0) continue
      const again = await CommitLog.open(FaultyDisk.holding(disk.contents()))
      expect([again.head, again.repaired]).toEqual([log.head, null])
    }
    expect(lastUsed(disk.contents()[NAME] as Uint8Array)).toBeGreaterThan(5 * 4_096)
  })

  test('a missing, shortened or foreign file is refused by name', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk, { segmentBytes: 300 })
    for (let seq = 1; seq <= 20; seq++) await log.append([sampleCommit(seq)])
    const files = disk.contents()
    const names = Object.keys(files).sort()
    expect(names.length).toBeGreaterThan(3)
    const [first = '', second = ''] = names
    const readAll = async (changed: Record<string, Uint8Array>) => {
      const opened = await CommitLog.open(FaultyDisk.holding(changed))
      return commitsOf(opened)
    }
    const without = (name: string) =>
      Object.fromEntries(Object.entries(files).filter(([file]) => file !== name))
    const third = Number(names[2]?.slice(0, 16))
    await expect(readAll(without(first))).rejects.toThrow('commit 1 cannot be read')
    await expect(readAll(without(second))).rejects.toThrow(
      `commit ${Number(second.slice(0, 16))} cannot be read`,
    )
    const short = { ...files, [second]: (files[second] as Uint8Array).slice(0, -1) }
    await expect(readAll(short)).rejects.toThrow('cannot be read')
    const foreign = { ...files, [second]: files[first] as Uint8Array }
    await expect(readAll(foreign)).rejects.toThrow('begins at commit 1')
    // A file of the same sequence, of a log that says something else.
    const other = new FaultyDisk()
    const otherLog = await CommitLog.open(other, { segmentBytes: 300 })
    for (let seq = 1; seq <= 20; seq++) await otherLog.append([sampleCommit(seq, 2n)])
    const last = names.at(-1) as string
    const exchanged = { ...files, [last]: other.contents()[last] as Uint8Array }
    await expect(readAll(exchanged)).rejects.toThrow('follows another log')
    expect(third).toBeGreaterThan(0)
  })
})

describe('a copy made while the log is written', () => {
  /** Copies the files in an order and in pieces of its own, while commits are appended between the pieces. */
  async function copyBesideWriter(chance: Chance) {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk, { segmentBytes: 9_000, ahead: 10_000 })
    const grow = async () => {
      for (let groups = chance.below(6); groups > 0; groups--) {
        const size = 1 + chance.below(12)
        await log.append(Array.from({ length: size }, (_, n) => mixedCommit(log.head + 1 + n)))
        if (chance.below(4) === 0) await log.mark()
      }
    }
    for (let round = 0; round < 4 + chance.below(12); round++) await grow()
    const { head } = log
    const names: string[] = []
    for (const name of Object.keys(disk.contents())) names.splice(chance.below(names.length + 1), 0, name)
    const copies: Record<string, Uint8Array> = {}
    // What is begun meanwhile may be copied or not, and whichever comes first.
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const pieces: Uint8Array[] = []
      for (let at = 0; ; at += PIECE) {
        const bytes = disk.contents()[name] ?? new Uint8Array()
        if (at >= bytes.length) break
        pieces.push(bytes.slice(at, at + PIECE))
        await grow()
      }
      copies[name] = Buffer.concat(pieces)
      const begun = Object.keys(disk.contents()).filter((file) => !(file in copies) && !names.includes(file))
      if (chance.below(2) === 0) names.push(...begun.slice(-1 - chance.below(2)))
      if (Object.keys(copies).length > 12) break
    }
    return { copies: FaultyDisk.holding(copies, true), head }
  }

  /** As large as a page, so that groups are torn in every way there is. */
  const PIECE = 4_096

  test('opens as a prefix, with everything from before it began, and goes on', async () => {
    // K14: whenever it is made.
    let torn = 0
    const beside = new Set<boolean>()
    for (let run = 0; run < (NIGHTLY ? 3_000 : 150); run++) {
      const chance = new Chance(run + 1)
      const { copies, head } = await copyBesideWriter(chance)
      const reading = await CommitLog.openForReading(copies)
      const log = await CommitLog.open(copies)
      const about = `run ${run}`
      expect(reading.head, about).toBe(log.head)
      expect(log.head, about).toBeGreaterThanOrEqual(head)
      if (log.repaired?.includes('copied while') === true) {
        torn += 1
        const aside = Object.keys(copies.contents()).filter((name) => name.endsWith('.beyond')).length
        const beyond = aside === 0 ? '' : `, and ${aside} files of later commits are set aside`
        expect(log.repaired, about).toMatch(new RegExp(`it ends at commit ${log.head}${beyond}$`))
        beside.add(aside > 0)
      }
      const commits = await commitsOf(log)
      expect(commits, about).toEqual(Array.from({ length: log.head }, (_, index) => mixedCommit(index + 1)))
      await log.append([mixedCommit(log.head + 1)])
      await log.close()
      const again = await CommitLog.open(copies)
      expect([again.head, again.repaired], about).toEqual([log.head, null])
      expect((await commitsOf(again)).length, about).toBe(log.head)
    }
    expect(torn).toBeGreaterThan(20)
    expect(beside).toEqual(new Set([true, false]))
  })

  test('says that it is less than was copied, wherever it ends, and nothing where it is all', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk, { segmentBytes: 700 })
    while (Object.keys(disk.contents()).length < 2) await log.append([ordinaryCommit(log.head + 1)])
    const files = disk.contents()
    const [first, last] = Object.keys(files).sort() as [string, string]
    const begun = Number(last.slice(0, 16))
    const told = async (changed: Record<string, Uint8Array>) => {
      const { head, repaired } = await CommitLog.openForReading(
        FaultyDisk.holding({ ...files, ...changed }, true),
      )
      return [head, repaired]
    }
    const copied = (head: number) => [head, expect.stringMatching(`copied while .* ends at commit ${head}`)]
    const cut = (name: string, bytes: number) => (files[name] as Uint8Array).slice(0, bytes)
    const end = lastUsed(files[last] as Uint8Array)
    expect(await told({})).toEqual([log.head, null])
    expect(await told({ [last]: cut(last, end - 4) })).toEqual(copied(log.head - 1))
    expect(await told({ [first]: cut(first, lastUsed(files[first] as Uint8Array) - 4) })).toEqual(
      copied(begun - 2),
    )
  })
})

describe('K9: what somebody chose', () => {
  test('cannot look like a header: a group with the marker of its file goes to another file', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk)
    await log.append([ordinaryCommit(1)])
    const marker = (disk.contents()[NAME] as Uint8Array).slice(24, 24 + MARKER)
    // Bytes that no text can hold stand in an id, as sixteen bytes.
    const hex = Buffer.from(marker).toString('hex').padEnd(32, '0')
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const chosen: Commit = {
      seq: 2,
      at: 0,
      command: { type: 'closeAll', accountId: id },
      events: [],
    }
    await log.append([chosen])
    expect(Object.keys(disk.contents())).toHaveLength(2)
    const again = await CommitLog.open(disk)
    expect(await commitsOf(again)).toEqual([ordinaryCommit(1), chosen])
  })

  test('a header of format 1 within an interrupted append does not keep the log from opening', async () => {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk, { ahead: 500 })
    await log.append([ordinaryCommit(1)])
    const { length } = disk.contents()[NAME] as Uint8Array
    const before = lastUsed(disk.contents()[NAME] as Uint8Array)
    expect(length).toBeGreaterThan(0)
    const name = 'MCGr'.repeat(20)
    await log.append([{ ...sampleCommit(2), by: { type: 'operator', name } }])
    const torn = disk.contents()[NAME] as Uint8Array
    torn.fill(0, lastUsed(torn) - 4)
    const again = await CommitLog.open(FaultyDisk.holding({ [NAME]: torn }))
    expect([again.head, before > 0]).toEqual([1, true])
  })
})

describe('a writer that lost its place (K13)', () => {
  test('its file removed, or another in its place: nothing more is appended', async () => {
    for (const replaced of [false, true]) {
      const disk = new FaultyDisk()
      const log = await CommitLog.open(disk)
      await log.append([sampleCommit(1)])
      await disk.remove(NAME)
      if (replaced) await disk.create(NAME)
      await expect(log.append([sampleCommit(2)])).rejects.toThrow('moved, removed or replaced')
      await expect(log.append([sampleCommit(2)])).rejects.toThrow('moved, removed or replaced')
    }
  })

  test('its file lost while a group is on its way: the append fails, once nothing of it is under way any more', async () => {
    const disk = new FaultyDisk()
    const create = disk.create.bind(disk)
    let underWay = 0
    disk.create = async (name) => {
      const file = await create(name)
      const write = file.write.bind(file)
      file.write = async (bytes, position) => {
        underWay += 1
        await new Promise((resolve) => setTimeout(resolve, 5))
        await write(bytes, position)
        underWay -= 1
      }
      return file
    }
    const log = await CommitLog.open(disk)
    await log.append([sampleCommit(1)])
    await disk.remove(NAME)
    await expect(log.append([sampleCommit(2)])).rejects.toMatchObject({ name: 'WriterLost' })
    expect([underWay, log.head]).toEqual([0, 1])
  })

  test('a place lost at any step keeps the append under way, and those after it, from being acknowledged', async () => {
    const acknowledged = new Set<number>()
    for (let lostAt = 1; !acknowledged.has(6); lostAt++) {
      const disk = new FaultyDisk()
      const isLost = () => disk.operations >= lostAt
      const look = () => {
        if (isLost()) throw new Error('somebody else is at work')
      }
      const guard = { before: look, after: look }
      const log = await CommitLog.open(disk, { segmentBytes: 700, guard })
      for (let seq = 1; seq <= 6; seq++)
        await log.append([sampleCommit(seq)]).then(
          () => expect(isLost()).toBe(false),
          () => expect(isLost()).toBe(true),
        )
      acknowledged.add(log.head)
    }
    expect([...acknowledged]).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('two logs opened at one head: one begins the next file, the other stops', async () => {
    const disk = new FaultyDisk()
    const first = await CommitLog.open(disk)
    const second = await CommitLog.open(disk)
    await second.append([sampleCommit(1, 2n)])
    await expect(first.append([sampleCommit(1)])).rejects.toThrow('somebody else has begun')
    expect(await commitsOf(await CommitLog.open(disk))).toEqual([sampleCommit(1, 2n)])
  })

  test('what it writes late goes into its own file, and is not part of the log', async () => {
    const disk = new FaultyDisk()
    const first = await CommitLog.open(disk)
    await first.append([sampleCommit(1)])
    const second = await CommitLog.open(disk)
    await second.append([sampleCommit(2, 2n)])
    await first.append([sampleCommit(2)])
    await second.append([sampleCommit(3, 2n)])
    const again = await CommitLog.open(disk)
    expect(await commitsOf(again)).toEqual([sampleCommit(1), sampleCommit(2, 2n), sampleCommit(3, 2n)])
  })
})

describe('a log of format 1', () => {
  const bytes = new Uint8Array(readFileSync(path.join(import.meta.dirname, '../golden/0.1.0/venue.commits')))

  test('is read and continued in a new file, and the chain goes over both', async () => {
    const disk = FaultyDisk.holding({ [NAME]: bytes })
    const log = await CommitLog.open(disk)
    const old = await commitsOf(log)
    const before = await log.chain()
    await log.append([sampleCommit(old.length + 1)])
    expect(disk.contents()[NAME]).toEqual(bytes)
    const again = await CommitLog.open(disk)
    expect(await commitsOf(again)).toEqual([...old, sampleCommit(old.length + 1)])
    const chains = new Map<number, string>()
    for await (const _ of again.read(1, (head, chain) => chains.set(head, hex(chain))));
    expect(chains.get(old.length)).toBe(hex(before))
    expect(chains.get(again.head)).toBe(hex(await again.chain()))
  })

  test('cut at any byte of its last group, it goes on before it', async () => {
    const whole = await CommitLog.open(FaultyDisk.holding({ [NAME]: bytes }))
    for (let cut = 1; cut < 60; cut++) {
      const disk = FaultyDisk.holding({ [NAME]: bytes.slice(0, bytes.length - cut) })
      const log = await CommitLog.open(disk)
      expect(log.head).toBeLessThan(whole.head)
      await log.append([sampleCommit(log.head + 1)])
      const again = await CommitLog.open(disk)
      expect([again.head, again.repaired]).toEqual([log.head, null])
      expect((await commitsOf(again)).length).toBe(log.head)
    }
  })

  test('a file that was begun and never held a commit is dropped', async () => {
    const { length } = bytes
    const heads = await CommitLog.open(FaultyDisk.holding({ [NAME]: bytes }))
    const name = `${String(heads.head + 1).padStart(16, '0')}.log`
    for (const left of [0, 1, 7, 8, 19]) {
      const disk = FaultyDisk.holding({ [NAME]: bytes, [name]: bytes.slice(0, left) })
      const log = await CommitLog.open(disk)
      expect(log.repaired).toContain('dropped')
      await log.append([sampleCommit(log.head + 1)])
      expect((await CommitLog.open(disk)).head).toBe(heads.head + 1)
    }
    expect(length).toBeGreaterThan(0)
  })

  test('where the file before it ends early as well, the first commit that is missing is named', async () => {
    const { head } = await CommitLog.open(FaultyDisk.holding({ [NAME]: bytes }))
    const name = `${String(head + 1).padStart(16, '0')}.log`
    const cut = FaultyDisk.holding({ [NAME]: bytes.slice(0, bytes.length - 1) })
    const { head: left } = await CommitLog.open(cut)
    const disk = FaultyDisk.holding({ [NAME]: bytes.slice(0, bytes.length - 1), [name]: bytes.slice(0, 8) })
    await expect(CommitLog.open(disk)).rejects.toMatchObject({ name: 'StoreDamaged', seq: left + 1 })
  })
})
