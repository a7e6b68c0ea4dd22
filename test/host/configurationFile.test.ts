// A venue's file from the command line: written to begin with, checked, started; by running the program.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfiguration } from '../../src/host/configuration.ts'
import { serveVenue } from '../../src/host/serveVenue.ts'
import { bundle } from '../bundle.ts'
import { typed } from '../typed.ts'
import { BTC, CONFIGURATION } from './venue.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-file-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function run(...args: string[]) {
  const { code, stdout, stderr } = await typed(args, directory)
  return { status: code, out: stdout, err: stderr }
}

function written(name: string, configuration: object): string {
  writeFileSync(path.join(directory, name), JSON.stringify(configuration))
  return name
}

describe('margin-core init', () => {
  test('writes what check finds good and serve starts as it is, for its owner alone', async () => {
    expect(await run('init')).toMatchObject({
      status: 0,
      err: '',
      out: expect.stringContaining('venue.json'),
    })
    const file = path.join(directory, 'venue.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await run('check', 'venue.json')).toEqual({
      status: 0,
      err: '',
      out: 'venue.json is good: 2 markets, 1 user, 1 account\n',
    })
    const doubts: string[] = []
    const configuration = readConfiguration(readFileSync(file), (doubt) => doubts.push(doubt))
    const venue = await serveVenue({ configuration, port: 0 })
    try {
      const [user] = configuration.users
      const headers = { authorization: `Bearer ${user?.apiKeys[0]?.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({
        accountId: configuration.accounts[0]?.id,
        marketId: configuration.markets[0]?.id,
        ...{ type: 'market', direction: 'long', amount: '1000000000000', leverage: '5000000000' },
      })
      const placed = await fetch(`${venue.url}/orders`, { method: 'POST', headers, body })
      expect(await placed.json()).toMatchObject({ status: 'executed' })
    } finally {
      await venue.close()
    }
    expect([doubts, venue.ignored]).toEqual([[], []])
  })

  test('writes secrets and ids that nobody else has', async () => {
    expect([(await run('init', 'a.json')).status, (await run('init', 'b.json')).status]).toEqual([0, 0])
    const [a, b] = ['a.json', 'b.json'].map((name) => readFileSync(path.join(directory, name), 'utf8'))
    const drawn = (text = '') => text.match(/"[\w-]{32,}"/g) ?? []
    expect(drawn(a)).toHaveLength(8)
    expect(drawn(a).filter((secret) => b?.includes(secret))).toEqual([])
  })

  test('overwrites nothing, and says in a sentence what keeps it from writing', async () => {
    writeFileSync(path.join(directory, 'mine.json'), 'mine')
    expect(await run('init', 'mine.json')).toMatchObject({
      status: 1,
      err: 'error: cannot write mine.json: it is there already, and is not overwritten; name another file, or move it away\n',
    })
    expect(readFileSync(path.join(directory, 'mine.json'), 'utf8')).toBe('mine')
    expect(await run('init', 'nowhere/venue.json')).toMatchObject({
      status: 1,
      err: 'error: cannot write nowhere/venue.json: there is no such directory; make it first\n',
    })
  })
})

describe('margin-core check', () => {
  const [btc] = CONFIGURATION.markets
  const system = { ...CONFIGURATION, clock: { mode: 'system' } }
  const replay = { kind: 'replay', file: 'prices.csv', marketId: BTC }

  test.each<[string, object, string]>([
    ['the form', { ...CONFIGURATION, rateLimit: 5 }, 'line 1: rateLimit: is 5; expected: an object'],
    [
      'what the engine refuses',
      { ...CONFIGURATION, markets: [{ ...btc, maintenanceMarginRate: '2%' }] },
      'markets[0].maintenanceMarginRate: the engine refuses it as 2%',
    ],
    ['a feed without its file', { ...system, feed: replay }, 'cannot read prices.csv: there is no such file'],
    [
      'a feed of no market',
      { ...system, feed: { ...replay, file: 'mine.json', marketId: CONFIGURATION.users[0]?.id } },
      'feed.marketId: there is no market',
    ],
  ])('%s is refused with code 1 and a sentence', async (_, configuration, sentence) => {
    const { status, out, err } = await run('check', written('bad.json', configuration))
    expect([status, out]).toEqual([1, ''])
    expect(err).toContain(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test.each<[string, string, unknown, string]>([
    ['markets', 'spread', '100%', 'below 1'],
    ['markets', 'feeRate', '100%', 'below 1'],
    ['markets', 'maxLeverage', '0.5x', 'at least `minLeverage`'],
    ['markets', 'minStopDistance', '100%', 'below 1'],
    ['markets', 'scalpingCoefficient', '0.5x', 'at least 1'],
    ['markets', 'fundingIntervalMs', 999, 'at least 1000'],
    ['markets', 'maintenanceMarginRate', '5%', 'below (1 − spread) / maxLeverage − spread'],
    ['accounts', 'maxDailyLoss', '101%', 'at most 1'],
    ['accounts', 'maxTotalLoss', '101%', 'at most 1'],
  ])('%s, %s outside its bounds: the bound is told', async (list, field, value, bound) => {
    const [first] = CONFIGURATION[list as 'markets' | 'accounts']
    const file = written('outside.json', { ...CONFIGURATION, [list]: [{ ...first, [field]: value }] })
    const { status, err } = await run('check', file)
    expect([status, err]).toEqual([
      1,
      expect.stringContaining(`${list}[0].${field}: the engine refuses it as `),
    ])
    expect(err).toContain(bound)
  })

  test('what is doubtful is told, and is no fault', async () => {
    const doubtful = { ...CONFIGURATION, accounts: [{ ...CONFIGURATION.accounts[0], balance: '10000' }] }
    expect(await run('check', written('doubtful.json', doubtful))).toEqual({
      status: 0,
      out: 'doubtful.json is good: 2 markets, 2 users, 1 account\n',
      err: 'configuration: line 1: accounts[0].balance: "10000" is 0.00001 USD; write "10000 USD" if that is what is meant, or "0.00001 USD" if not\n',
    })
  })

  test('an account of nobody in the file is doubtful', async () => {
    const { users } = CONFIGURATION
    const file = written('nobody.json', { ...CONFIGURATION, users: users.slice(1) })
    expect(await run('check', file)).toEqual({
      status: 0,
      out: 'nobody.json is good: 2 markets, 1 user, 2 accounts\n',
      err: 'configuration: line 1: accounts[0].userId: there is no such user in this file, so that no key in it reaches the account\n',
    })
  })

  test.each([
    ['absent.json', 'there is no such file; `margin-core init FILE` writes one to begin with'],
    ['.', 'it is a directory; name the file in it'],
  ])('%s', async (file, sentence) => {
    expect(await run('check', file)).toEqual({
      status: 1,
      out: '',
      err: `error: cannot read ${file}: ${sentence}\n`,
    })
    expect(await run('serve', '--port', '0', '--config', file)).toEqual({
      status: 1,
      out: '',
      err: `error: cannot read ${file}: ${sentence}\n`,
    })
  })
})

test('a log that cannot begin, because the disk is full: a sentence that says what to do', async () => {
  const command = 'ulimit -f 0; exec "$@" 2>&1 >/dev/null | cat'
  const program = bundle('src/cli/main.ts', directory)
  const args = ['-c', command, 'sh', process.execPath, program, 'serve', '--port', '0', '--data', 'full']
  const { stdout } = spawnSync('sh', args, { cwd: directory, encoding: 'utf8', timeout: 60_000 })
  expect(stdout).toMatch(/^error: .*(make room|larger)/)
  expect(stdout.trim().split('\n')).toHaveLength(1)
})

test('a data directory that is a file: a sentence', async () => {
  written('file', {})
  expect(await run('serve', '--port', '0', '--data', 'file')).toMatchObject({
    status: 1,
    err: 'error: cannot keep a log in file: that is a file; name a directory with --data\n',
  })
})
