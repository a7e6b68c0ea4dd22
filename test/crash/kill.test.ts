// kill -9 in a loop. The operating system keeps what was written, so this is about the order of things in the process:
// an answer given must have its commit, and a lock must die with its process.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { fp9, openEngine } from '../../src/index.ts'
import { DirectoryInUse, openLmdbStore } from '../../src/store/lmdb/index.ts'
import { bundle } from '../bundle.ts'
import { Chance, GENESIS, MARKETS } from '../store/traffic.ts'

const KILLS = process.env.MARGIN_CORE_NIGHTLY === '1' ? 100 : 5

type Answer = readonly [key: string, seq: number, orderId: string]

/** Runs the loaded process, and kills it a moment after its first answer. Gives the answers it got out. */
async function runAndKill(
  child: string,
  directory: string,
  run: number,
  whileRunning: () => Promise<void>,
): Promise<Answer[]> {
  const running = spawn(process.execPath, [child, directory, String(run)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const answers: Answer[] = []
  let complaint = ''
  running.stderr.on('data', (chunk) => {
    complaint += String(chunk)
  })
  const exited = new Promise((resolve) => running.once('exit', (_code, signal) => resolve(signal)))
  let killing: Promise<void> | null = null
  for await (const line of createInterface({ input: running.stdout })) {
    if (line.endsWith(']')) answers.push(JSON.parse(line))
    killing ??= whileRunning().then(
      () =>
        new Promise((resolve) =>
          setTimeout(
            () => {
              running.kill('SIGKILL')
              resolve()
            },
            new Chance(run + 1).below(60),
          ),
        ),
    )
  }
  expect(await exited, complaint).toBe('SIGKILL')
  await killing
  return answers
}

test(`${KILLS} times: every answer has its commit, once, and the next process is not locked out`, {
  timeout: 30 * 60_000,
}, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-kill-'))
  const directory = path.join(folder, 'data')
  const child = bundle('test/crash/loadedEngine.ts', folder)
  const answered = new Map<string, Answer>()
  for (let run = 0; run < KILLS; run++) {
    const answers = await runAndKill(child, directory, run, async () => {
      if (run > 0) return
      const refused = await openLmdbStore(directory).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(DirectoryInUse)
      expect(String(refused)).toMatch(/in use by process \d+ on .+ since /)
    })
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) answered.set(answer[0], answer)

    const engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
    const accounts = new Map<string, string>()
    for await (const { seq, command, events } of engine.commits({ from: 1 })) {
      if (command.type !== 'placeOrder' || !command.idempotencyKey) continue
      const { idempotencyKey: key } = command
      const known = answered.get(key)
      if (known === undefined) continue
      expect(accounts.has(key), `${key} is there once`).toBe(false)
      accounts.set(key, command.accountId)
      const [placed] = events
      expect([seq, placed?.type === 'orderPlaced' && placed.orderId]).toEqual(known.slice(1))
    }
    expect(accounts.size, 'every answer has its commit').toBe(answered.size)
    expect(engine.stateHash()).toBe((await engine.asOf(engine.head)).stateHash())
    const { free, reserve, margin, house } = engine.read.ledger()
    expect(free + reserve + margin + house).toBe(0n)

    const { head } = engine
    for (const [key, seq, orderId] of answers.slice(-20)) {
      const retried = engine.dispatch({
        type: 'placeOrder',
        accountId: accounts.get(key) as string,
        marketId: MARKETS[0],
        orderType: 'market',
        direction: 'short',
        amount: fp9('3'),
        leverage: fp9('2'),
        idempotencyKey: key,
      })
      expect(retried).toMatchObject({ ok: true, seq, value: { id: orderId, status: 'active' } })
    }
    expect(engine.head).toBe(head)
    await engine.close()
  }
  expect(answered.size).toBeGreaterThan(KILLS)
  await rm(folder, { recursive: true })
})
