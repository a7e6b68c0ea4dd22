// An engine whose machine fails: clients hear of it, nothing they were told is lost, and nothing happens twice.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  type Command,
  type Commit,
  type Engine,
  EngineStopped,
  type Outcome,
  openEngine,
} from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { CommitLog } from '../../src/store/log/commitLog.ts'
import { LogStore } from '../../src/store/log/logStore.ts'
import { SnapshotFiles } from '../../src/store/log/snapshotFiles.ts'
import { IS_BRIEF } from '../atLength.ts'
import { ACCOUNTS, Chance, GENESIS, MARKETS, nextCommand } from '../store/traffic.ts'
import { FaultyDisk, LOSSES } from './faultyDisk.ts'

const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'

/** A machine: two disks that lose power together. */
interface Machine {
  readonly log: FaultyDisk
  readonly snapshots: FaultyDisk
}

async function openOn({ log, snapshots }: Machine, snapshotEvery: number | null = 40): Promise<Engine> {
  const store = new LogStore(
    await CommitLog.open(log, { segmentBytes: 20_000, ahead: 2_000 }),
    new SnapshotFiles(snapshots),
    {
      epoch: 0,
      gather: afterAWhile,
      release: async () => {},
    },
  )
  return openEngine({ ...GENESIS, store, snapshotEvery })
}

/** As many steps of promises, so that every run is the same. */
function afterAWhile(write: () => void): () => void {
  let isOver = false
  const wait = async () => {
    for (let step = 0; step < 50; step++) await null
    if (!isOver) write()
  }
  void wait()
  return () => {
    isOver = true
  }
}

interface Acknowledged {
  readonly command: Command
  readonly outcome: Outcome<Command>
}

/** Sends commands, several at a time, until the machine fails. */
async function sendUntilFailure(engine: Engine, chance: Chance, limit: number) {
  const acknowledged: Acknowledged[] = []
  let failed: unknown = null
  for (let round = 0; round < limit && failed === null; round++) {
    const sending = Array.from({ length: 1 + chance.below(4) }, async () => {
      const { command, at } = nextCommand(chance, engine)
      if (command.type === 'updatePrice' && chance.below(2) === 0) {
        engine.dispatch(command, { at })
        return
      }
      const outcome = await engine.send(command, { at })
      if (outcome.ok) acknowledged.push({ command, outcome })
    })
    for (const { status, reason } of (await Promise.allSettled(sending)) as PromiseRejectedResult[])
      if (status === 'rejected') failed = reason
  }
  return { acknowledged, failed }
}

async function commitsOf(engine: Engine): Promise<Commit[]> {
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) commits.push(commit)
  return commits
}

/** What must hold of an engine that came back. */
async function checkRecovered(engine: Engine, { acknowledged }: { acknowledged: readonly Acknowledged[] }) {
  const commits = await commitsOf(engine)
  expect(commits.map(({ seq }) => seq)).toEqual(commits.map((_, index) => index + 1))
  for (const { command, outcome } of acknowledged) {
    if (!outcome.ok || outcome.events.length === 0) continue
    const commit = commits[outcome.seq - 1]
    expect(commit?.command).toEqual(command)
    expect(commit?.events).toEqual(outcome.events)
  }
  expect(engine.stateHash()).toBe((await engine.asOf(engine.head)).stateHash())
  const { free, reserve, margin, house } = engine.read.ledger()
  expect(free + reserve + margin + house).toBe(0n)
  checkRetries(engine, commits, acknowledged)
}

const HOUR_MS = 3_600_000
const userOf = (accountId: string) => GENESIS.accounts?.find(({ id }) => id === accountId)?.userId
/** How many retries were answered from kept outcomes. */
let replayed = 0

/** A retry within the hour of its key is answered with the order that the log has under it, and changes nothing. */
function checkRetries(
  engine: Engine,
  commits: readonly Commit[],
  acknowledged: readonly Acknowledged[],
): void {
  const placed = new Map<string, Commit>()
  for (const commit of commits)
    if (commit.command.type === 'placeOrder' && commit.command.idempotencyKey)
      placed.set(`${userOf(commit.command.accountId)} ${commit.command.idempotencyKey}`, commit)
  for (const { seq, at, command } of placed.values()) {
    if (command.type !== 'placeOrder' || engine.now >= at + HOUR_MS) continue
    const { head } = engine
    const retried = engine.dispatch({ ...command, amount: command.amount + 1n })
    expect(retried).toMatchObject({ ok: true, seq, replayedFrom: at })
    expect(engine.head).toBe(head)
    const first = acknowledged.find(({ outcome }) => outcome.ok && outcome.seq === seq)
    if (first?.outcome.ok && retried.ok) expect(retried.value).toEqual(first.outcome.value)
    replayed += 1
  }
}

describe('a machine that loses power', () => {
  test('at any operation of its disk, whatever the disk makes of it', async () => {
    const runs = NIGHTLY ? 1_000 : IS_BRIEF ? 40 : 100
    let stopped = 0
    for (let run = 0; run < runs; run++) {
      const chance = new Chance(run + 7)
      const machine: Machine = { log: new FaultyDisk(), snapshots: new FaultyDisk() }
      const engine = await openOn(machine)
      await engine.whenDurable()
      machine.log.operationsLeft = chance.below(120)
      machine.snapshots.operationsLeft = machine.log.operationsLeft
      const sent = await sendUntilFailure(engine, chance, 60)
      if (sent.failed !== null) {
        stopped += 1
        expect(sent.failed).toBeInstanceOf(EngineStopped)
        expect(engine.failure).not.toBe(null)
        expect(() => engine.dispatch({ type: 'advanceTime', ms: 1 })).toThrow(EngineStopped)
      }
      const loss = LOSSES[run % LOSSES.length] ?? 'all'
      const back = {
        log: machine.log.afterPowerOff(loss, chance),
        snapshots: machine.snapshots.afterPowerOff(loss, chance),
      }
      await checkRecovered(await openOn(back), sent)
    }
    expect(stopped).toBeGreaterThan(runs / 4)
    expect(replayed).toBeGreaterThan(runs)
  })

  test('a full disk stops the engine, its clients hear of it, and with room again it goes on', async () => {
    for (const bytesLeft of [0, 1, 500, 4_000, 20_100]) {
      const machine: Machine = { log: new FaultyDisk(), snapshots: new FaultyDisk() }
      const engine = await openOn(machine, null)
      await engine.whenDurable()
      machine.log.bytesLeft = bytesLeft
      const sent = await sendUntilFailure(engine, new Chance(bytesLeft + 3), 1_000)
      expect(sent.failed).toBeInstanceOf(EngineStopped)
      expect(String((sent.failed as Error).cause)).toContain('ENOSPC')
      machine.log.bytesLeft = Number.POSITIVE_INFINITY
      const again = await openOn(machine)
      await checkRecovered(again, sent)
      expect((await again.send({ type: 'advanceTime', ms: 1 })).ok).toBe(true)
    }
  })

  test('a snapshot that cannot be kept is told of, and stops nothing', async () => {
    const machine: Machine = { log: new FaultyDisk(), snapshots: new FaultyDisk() }
    machine.snapshots.bytesLeft = 10
    const notices: string[] = []
    const store = new LogStore(await CommitLog.open(machine.log), new SnapshotFiles(machine.snapshots), {
      epoch: 0,
      release: async () => {},
    })
    const engine = await openEngine({ ...GENESIS, store, onNotice: (notice) => notices.push(notice) })
    await engine.saveSnapshot()
    expect(notices.join()).toContain('could not be kept')
    expect((await engine.send({ type: 'advanceTime', ms: 1 })).ok).toBe(true)
  })
})

test('history lists that cannot be written stop the engine; after a restart they are whole', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-history-'))
  const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  const order = {
    accountId: ACCOUNTS[0],
    marketId: MARKETS[0],
    direction: 'long',
    leverage: 2_000_000_000n,
  } as const
  const buy = () =>
    engine.send({ type: 'placeOrder', ...order, orderType: 'market', amount: 20_000_000_000n })
  for (let count = 0; count < 20; count++) await buy()

  const full = Object.assign(new Error('MDB_MAP_FULL'), { code: -30792 })
  const write = vi.spyOn(RecordIndex.prototype, 'write').mockRejectedValue(full)
  let failure: unknown = null
  // Lists gather for a while before they are written, in which a quick disk takes any number of orders.
  for (const began = performance.now(); failure === null && performance.now() - began < 20_000; )
    await buy().catch((error: unknown) => {
      failure = error
    })
  expect(failure).toBeInstanceOf(EngineStopped)
  expect((engine.failure as Error).cause).toBe(full)
  const { durableHead } = engine
  await engine.close()
  write.mockRestore()

  const again = await openEngine({ store: await openLmdbStore(directory) })
  expect(again.head).toBe(durableHead)
  const { data, totalCount } = again.read.orderHistory(ACCOUNTS[0], MARKETS[0], { limit: 100, offset: 0 })
  expect(totalCount).toBe(durableHead - GENESIS_COMMITS)
  expect(data).toHaveLength(Math.min(totalCount, 100))
  await again.close()
  await rm(directory, { recursive: true })
})

/** The engine's beginning, two markets and three accounts. */
const GENESIS_COMMITS = 6
