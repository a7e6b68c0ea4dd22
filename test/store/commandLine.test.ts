// verify, fork and inspect as a person or a program calls them, beside a venue that is running.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { typed } from '../typed.ts'
import { ACCOUNTS, Chance, drive, GENESIS } from './traffic.ts'

let folder: string
let directory: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-cli-'))
  directory = path.join(folder, 'data')
  engine = await openEngine({ ...GENESIS, store: await openLmdbStore(directory) })
  drive(engine, new Chance(4), 300)
  await engine.whenDurable()
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

async function run(...args: string[]) {
  const { code, stdout, stderr } = await typed(args)
  return { status: code, stdout, stderr }
}

describe('margin-core', () => {
  test('verify says how much was verified, and the hash of the state', async () => {
    const { status, stdout } = await run('verify', directory)
    expect(stdout).toContain(`verified ${engine.head} commits`)
    expect(stdout).toContain(engine.stateHash())
    expect(status).toBe(0)
    expect(JSON.parse((await run('verify', directory, '--json')).stdout)).toMatchObject({
      ok: true,
      commits: engine.head,
    })
  })

  test('fork prints the ledger difference per account', async () => {
    const { status, stdout } = await run('fork', directory, '--at', '10', '--set', 'BTC.spread=0.002')
    expect(status).toBe(0)
    expect(stdout).toContain(`commits 1 to 10 as they were, 11 to ${engine.head} decided anew:`)
    expect(stdout).toMatch(/first at commit \d+/)
    expect(stdout).toMatch(new RegExp(`${ACCOUNTS[0]} +equity`))
    expect(stdout).toMatch(/house/)
    const json = JSON.parse((await run('fork', directory, '--at', '10', '--no-stops', '--json')).stdout)
    expect(json).toMatchObject({ from: 10, head: engine.head })
  })

  test('fork takes one change', async () => {
    expect(await run('fork', directory, '--at', '10')).toMatchObject({ status: 2 })
    expect(await run('fork', directory, '--at', '10', '--no-stops', '--no-profit-cap')).toMatchObject({
      status: 2,
    })
    expect((await run('fork', directory, '--at', '10', '--set', 'DOGE.spread=0')).stderr).toContain(
      'no market DOGE',
    )
  })

  test('inspect life, why and as-of', async () => {
    const [{ id } = { id: '' }] = engine.read.portfolio(ACCOUNTS[0], { limit: 1, offset: 0 }).data
    const life = await run('inspect', 'life', directory, id)
    expect(life.stdout).toContain('increasePosition')
    expect(life.status).toBe(0)
    expect((await run('inspect', 'why', directory, id.toUpperCase())).stdout).toMatch(
      /fill +increasePosition/,
    )
    expect(JSON.parse((await run('inspect', 'why', directory, id, '--json')).stdout)[0]).toMatchObject({
      event: null,
    })
    const asOf = await run('inspect', 'as-of', directory, '20', ACCOUNTS[0], '--json')
    expect(JSON.parse(asOf.stdout)).toMatchObject({
      seq: 20,
      accounts: [{ account: { accountId: ACCOUNTS[0] } }],
    })
    expect((await run('inspect', 'as-of', directory, '2026-01-05T07:00:00Z')).stdout).toContain(
      'after commit 6',
    )
  })

  test('what is not there is said in a line, with exit code 2', async () => {
    for (const args of [
      ['verify', path.join(directory, 'nothing')],
      ['inspect', 'life', directory, 'nobody'],
      ['inspect', 'as-of', directory, 'whenever'],
      ['inspect', 'as-of', directory, '99999999'],
    ]) {
      const { status, stderr } = await run(...args)
      expect(stderr).toMatch(/^error: .+\n$/)
      expect(status).toBe(2)
    }
  })
})
