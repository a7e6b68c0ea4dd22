// A log under a disk that loses power: what was acknowledged is there, what is there was appended, and damage is named.

import { describe, expect, test } from 'vitest'
import type { Commit } from '../../src/index.ts'
import { StoreDamaged } from '../../src/index.ts'
import { CommitLog, type CommitLogOptions } from '../../src/store/log/commitLog.ts'
import { sampleCommit } from '../../src/testing/index.ts'
import { Chance } from '../store/traffic.ts'
import { FaultyDisk, LOSSES, PowerOff } from './faultyDisk.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
const RECOVERIES = NIGHTLY ? 10_000 : 1_000

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

describe('damage in a log of 64 KiB', () => {
  const NAME = '0000000000000001.log'
  const GROUPS = [1, 3, 1, 17, 2, 1, 40]

  /** The bytes of a log, and the sequence that stands at the end of each group. */
  async function build() {
    const disk = new FaultyDisk()
    const log = await CommitLog.open(disk)
    const heads = new Map([
      [0, 0],
      [20, 0],
    ])
    for (let index = 0; (disk.contents()[NAME]?.length ?? 0) < 65_536; index++) {
      const size = GROUPS[index % GROUPS.length] as number
      await log.append(Array.from({ length: size }, (_, n) => sampleCommit(log.head + 1 + n)))
      heads.set((disk.contents()[NAME] as Uint8Array).length, log.head)
    }
    return { bytes: disk.contents()[NAME] as Uint8Array, heads, head: log.head }
  }

  /** The same with zeros behind the last group, as a log has that writes ahead. */
  async function buildWith(zeros: number) {
    const { bytes, heads, head } = await build()
    const longer = new Uint8Array(bytes.length + zeros)
    longer.set(bytes)
    const starts = [...heads.keys()]
    for (let length = bytes.length + 1; length <= longer.length; length++) heads.set(length, head)
    return { bytes: longer, heads, head, lastStart: starts.at(-2) as number, end: bytes.length }
  }

  /** Opens a damaged copy: gives the length of the true prefix it kept, or the commit it named. */
  async function outcome(bytes: Uint8Array, original: Uint8Array, heads: Map<number, number>) {
    const disk = FaultyDisk.holding({ [NAME]: bytes })
    try {
      const log = await CommitLog.open(disk)
      const kept = disk.contents()[NAME] ?? new Uint8Array()
      const isPrefix = Buffer.compare(kept, original.subarray(0, kept.length)) === 0
      return isPrefix && heads.get(kept.length) === log.head ? { kept: log.head } : { wrong: log.head }
    } catch (error) {
      if (error instanceof StoreDamaged) return { named: error.seq }
      throw error
    }
  }

  test.each([0, 300])(
    'a flipped bit in any byte is cut, or refused by name; %i zeros ahead',
    async (zeros) => {
      const { bytes, heads, head, lastStart, end } = await buildWith(zeros)
      const beforeLast = heads.get(lastStart)
      for (let at = zeros === 0 ? 0 : lastStart; at < bytes.length; at++) {
        const copy = bytes.slice()
        copy[at] = (copy[at] as number) ^ (1 << (at % 8))
        const found = await outcome(copy, bytes, heads)
        if (at >= end) expect(found, `byte ${at}`).toEqual({ kept: head })
        else if (at >= lastStart) expect(found, `byte ${at}`).toEqual({ kept: beforeLast })
        else {
          const named = 'named' in found ? (found.named as number) : Number.NaN
          const group = [...heads].findLast(([start]) => start <= at)?.[1] ?? 0
          expect(named, `byte ${at}`).toBeGreaterThan(group)
          expect(named, `byte ${at}`).toBeLessThanOrEqual(head)
        }
      }
    },
  )

  test.each([0, 300])(
    'cut at any byte, a true prefix of whole groups is left; %i zeros ahead',
    async (zeros) => {
      const { bytes, heads, lastStart } = await buildWith(zeros)
      let expected = 0
      for (let length = zeros === 0 ? 0 : lastStart; length <= bytes.length; length++) {
        expected = heads.get(length) ?? expected
        const found = await outcome(bytes.slice(0, length), bytes, heads)
        expect(found, `length ${length}`).toEqual({ kept: expected })
      }
    },
  )

  test('commits known to have been durable are missed', async () => {
    const { bytes, head } = await build()
    const disk = FaultyDisk.holding({ [NAME]: bytes.slice(0, bytes.length - 1) })
    const refused = await CommitLog.open(disk, { durable: head }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StoreDamaged)
    expect((refused as StoreDamaged).seq).toBeLessThanOrEqual(head)
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
    await expect(readAll(short)).rejects.toThrow(`commit ${third - 1} cannot be read`)
    const foreign = { ...files, [second]: files[first] as Uint8Array }
    await expect(readAll(foreign)).rejects.toThrow('begins at commit 1')
  })
})
